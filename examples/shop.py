"""A small shop that gives a spin of the wheel for every 10 euros of a paid order. Python 3.11 or newer.

1. Let Wheelhouse send webhooks to this machine, start it, and keep the token that it prints:
     export WEBHOOK_ALLOW_HTTP=on WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8
     npm start
2. In another terminal, make a webhook with the token, and keep its secret:
     export WHEELHOUSE_URL=http://127.0.0.1:8080 WHEELHOUSE_TOKEN=…
     bin/wheelhouse client api POST webhooks url=http://127.0.0.1:3000/wheelhouse types:='["prize.won"]'
3. Install the client (docs/client-python.md), and start the shop:
     WEBHOOK_SECRET=whsec_… python3 examples/shop.py
4. Pay an order, and open the link that comes back:
     curl -X POST http://127.0.0.1:3000/orders/4711/paid -d '{"customer":"alice","euros":30}'
5. See what was won, and hand it over at the till, with the playId from the list:
     curl http://127.0.0.1:3000/prizes
     curl -X POST http://127.0.0.1:3000/prizes/…/redeem
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from wheelhouse_client import WebhookRejected, Wheelhouse, WheelhouseProblem, WheelhouseUnreachable, verify_webhook

WHEELHOUSE_URL = os.environ.get("WHEELHOUSE_URL", "http://127.0.0.1:8080")
WEBHOOK_SECRET = os.environ.get("WEBHOOK_SECRET", "")
PORT = int(os.environ.get("PORT", "3000"))

wheelhouse = Wheelhouse(WHEELHOUSE_URL, os.environ.get("WHEELHOUSE_TOKEN", ""))

# Prizes that our customers have won, by play. A real shop keeps them in its database.
prizes = {}


def order_paid(order, customer, euros):
    """The order number is the idempotency key: however often this is called for an order, its spins are added once."""
    spins = int(euros // 10)
    if spins == 0:
        return {"spins": 0}
    granted = wheelhouse.grant(customer, spins, idempotency_key=f"order-{order}")
    return {"spins": granted.spin_count, "link": wheelhouse.link(customer).link}


def webhook_arrived(headers, body):
    """Wheelhouse sends an event at least once. A dict by play takes the second one for the first."""
    event = verify_webhook(headers, body, WEBHOOK_SECRET)
    data = event.data
    # Spins that were won are the player's already; there is nothing to hand over.
    if event.type == "prize.won" and data["kind"] != "spins":
        prize = {"playId": data["playId"], "customer": data["playerId"], "label": data["label"], "state": "won"}
        prizes.setdefault(data["playId"], prize)
    return {}


def redeem(play_id):
    """Only the first redemption succeeds: a second one gets the problem `prize_settled`."""
    prize = wheelhouse.redeem_prize(play_id)
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
            status, content = 401, {"error": error.reason}
        except WheelhouseProblem as problem:
            status, content = problem.status, {"error": problem.code}
        except WheelhouseUnreachable as error:
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
