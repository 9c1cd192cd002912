import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def verify(headers, body):
    """The event, or None if Wheelhouse has not signed it in the last five minutes."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
        return None
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        event = verify(self.headers, self.rfile.read(int(self.headers["content-length"])))
        if event is not None:
            # Store the event. Ignore it if you already have its id.
            print(event["type"], event["id"], flush=True)
        self.send_response(401 if event is None else 204)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
