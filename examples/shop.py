"""A small shop that gives a spin of the wheel for every 10 euros of a paid order. Python 3.9 or newer, nothing to install.

1. Let Wheelhouse send webhooks to this machine, start it, and keep the token that it prints:
     export WEBHOOK_ALLOW_HTTP=on WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8
     npm start
2. In another terminal, make a webhook with the token, and keep its secret:
     export WHEELHOUSE_URL=http://127.0.0.1:8080 WHEELHOUSE_TOKEN=…
     bin/wheelhouse client api POST webhooks url=http://127.0.0.1:3000/wheelhouse types:='["prize.won"]'
3. Start the shop:
     WEBHOOK_SECRET=whsec_… python3 examples/shop.py
4. Pay an order, and open the link that comes back:
     curl -X POST http://127.0.0.1:3000/orders/4711/paid -d '{"customer":"alice","euros":30}'
5. See what was won, and hand it over at the till, with the playId from the list:
     curl http://127.0.0.1:3000/prizes
     curl -X POST http://127.0.0.1:3000/prizes/…/redeem
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WHEELHOUSE_URL = os.environ.get("WHEELHOUSE_URL", "http://127.0.0.1:8080")
WHEELHOUSE_TOKEN = os.environ.get("WHEELHOUSE_TOKEN", "")
WEBHOOK_SECRET = os.environ.get("WEBHOOK_SECRET", "")
PORT = int(os.environ.get("PORT", "3000"))

DEADLINE_SECONDS = 30
ATTEMPT_SECONDS = 10
TOLERANCE_SECONDS = 300

# Prizes that our customers have won, by play. A real shop keeps them in its database.
prizes = {}


class Problem(Exception):
    """Wheelhouse refused the request: decide on `code`."""

    def __init__(self, status, code, retryable, retry_after):
        super().__init__(code)
        self.status, self.code, self.retryable, self.retry_after = status, code, retryable, retry_after


class WebhookRejected(Exception):
    """Not signed by Wheelhouse, or too old."""


def call(method, path, body, key=None):
    """Sends a request until it is answered, refused for good, or the deadline is near.

    The key is the same in every attempt, so a grant whose answer was lost is not added a second time.
    """
    key = key or str(uuid.uuid4())
    deadline = time.monotonic() + DEADLINE_SECONDS
    attempts = 0
    while True:
        try:
            return attempt(method, path, body, key)
        except Problem as problem:
            if not problem.retryable:
                raise
            failure, wait = problem, problem.retry_after
        except (OSError, http.client.HTTPException, ValueError) as error:
            # No answer, or half of one. Whether the change was made is not known.
            failure, wait = error, 0
        # Exponential backoff with full jitter, on top of Retry-After.
        wait += random.uniform(0, min(10, 0.1 * 2**attempts))
        attempts += 1
        if time.monotonic() + wait >= deadline:
            raise failure
        time.sleep(wait)


def attempt(method, path, body, key):
    headers = {"Authorization": WHEELHOUSE_TOKEN, "Content-Type": "application/json", "Idempotency-Key": key}
    data = json.dumps(body).encode()
    request = urllib.request.Request(WHEELHOUSE_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=ATTEMPT_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # A proxy on the way may answer with a page of its own: json.load then raises a ValueError.
        problem = json.load(error)
        retry_after = int(error.headers.get("Retry-After", "0"))
        raise Problem(error.code, problem["code"], problem["retryable"], retry_after) from None


def verify_webhook(headers, body):
    """The event, if Wheelhouse signed the raw body with our secret in the last five minutes."""
    sent_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookRejected("too old, or from the future")
    secret = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    signed = f"{sent_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    # While a secret is rotated there are two signatures. One that fits is enough.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(signature, expected.encode()) for signature in signatures):
        raise WebhookRejected("not signed by Wheelhouse")
    return json.loads(body)


def order_paid(order, customer, euros):
    """The order number is the idempotency key: however often this is called for an order, its spins are added once."""
    spins = int(euros // 10)
    if spins == 0:
        return {"spins": 0}
    grant = {"playerId": customer, "spinNumber": spins}
    granted = call("POST", "/api/player/increaseSpin", grant, key=f"order-{order}")
    link = call("POST", "/api/game/sso", {"playerId": customer})["link"]
    return {"spins": granted["spinCount"], "link": link}


def webhook_arrived(headers, body):
    """Wheelhouse sends an event at least once. A dict by play takes the second one for the first."""
    event = verify_webhook(headers, body)
    data = event["data"]
    # Spins that were won are the player's already; there is nothing to hand over.
    if event["type"] == "prize.won" and data["kind"] != "spins":
        prize = {"playId": data["playId"], "customer": data["playerId"], "label": data["label"], "state": "won"}
        prizes.setdefault(data["playId"], prize)
    return {}


def redeem(play_id):
    """Only the first redemption succeeds: a second one gets the problem `prize_settled`."""
    prize = call("PUT", f"/api/v1/prizes/{play_id}/redemption", {})
    if play_id in prizes:
        prizes[play_id]["state"] = prize["state"]
    return {"playId": play_id, "label": prize["label"], "state": prize["state"]}


def route(method, path, headers, body):
    parts = path.strip("/").split("/")
    if method == "POST" and parts[0] == "orders" and parts[2:] == ["paid"]:
        paid = json.loads(body)
        return order_paid(parts[1], paid["customer"], paid["euros"])
    if method == "POST" and parts[0] == "prizes" and parts[2:] == ["redeem"]:
        return redeem(parts[1])
    if method == "POST" and parts == ["wheelhouse"]:
        return webhook_arrived(headers, body)
    if method == "GET" and parts == ["prizes"]:
        return {"prizes": list(prizes.values())}
    return None


class Shop(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            found = route(self.command, self.path, self.headers, body)
            status, content = (404, {}) if found is None else (200, found)
        except WebhookRejected as error:
            status, content = 401, {"error": str(error)}
        except Problem as problem:
            status, content = problem.status, {"error": problem.code}
        except (OSError, http.client.HTTPException) as error:
            # Wheelhouse can't be reached: the caller may ask again, and nothing is doubled.
            status, content = 503, {"error": f"try again: {error}"}
        except (ValueError, KeyError):
            status, content = 400, {"error": "not what was expected"}
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
    print("The shop is open.", flush=True)
    server.serve_forever()
