"""Makes the calls that a test writes to its input, one JSON document a line, with the client for Python."""

import json
import pickle
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice

from wheelhouse_client import WebhookRejected, Wheelhouse, WheelhouseProblem, WheelhouseUnreachable, verify_webhook


class Driver:
    def __init__(self):
        self.retries = []

    def connect(self, **options):
        self.client = Wheelhouse(**options, on_retry=self.retries.append)

    def grant(self, player_id, spin_number, **options):
        return asdict(self.client.grant(player_id, spin_number, **options))

    def grants(self, spin_numbers):
        """From 32 threads that share the client."""
        with ThreadPoolExecutor(32) as threads:
            list(threads.map(lambda spins: self.client.grant(f"player-{spins % 100}", spins), spin_numbers))

    def link(self, player_id, **options):
        return asdict(self.client.link(player_id, **options))

    def request(self, method, path, **options):
        return self.client.request(method, path, **options)

    def all(self, path, **options):
        return list(self.client.all(path, **options))

    def prize(self, action, play_id):
        return getattr(self.client, f"{action}_prize")(play_id)

    def events(self, count, **options):
        positions = []
        events = self.client.events(**options, on_position=positions.append)
        return {"events": [shown(event) for event in islice(events, count)], "positions": positions}

    def event_page(self, **options):
        page = self.client.event_page(**options)
        return {"events": [shown(event) for event in page.events], "next": page.next, "last": page.last}

    def verify(self, headers, body, secrets, **options):
        return shown(verify_webhook(headers, body.encode(), secrets, **options))

    def describe(self):
        return repr(self.client)


def shown(event):
    return {**asdict(event), "at": event.at.timestamp()}


def shown_error(error):
    # As a task queue would pass it on.
    error = pickle.loads(pickle.dumps(error))
    fields = {"type": type(error).__name__, "message": str(error), "trace": traceback.format_exc()}
    if isinstance(error, WheelhouseProblem):
        fields |= {"code": error.code, "status": error.status, "retryable": error.retryable}
        fields |= {"request_id": error.request_id, "errors": [asdict(one) for one in error.errors]}
        fields |= {"key": error.idempotency_key, "document": error.document}
    elif isinstance(error, WheelhouseUnreachable):
        fields |= {"status": error.status, "key": error.idempotency_key}
    elif isinstance(error, WebhookRejected):
        fields |= {"reason": error.reason}
    elif isinstance(error, (ValueError, TypeError)):
        fields |= {"type": "mistake"}
    return fields


driver = Driver()
for line in sys.stdin:
    call = json.loads(line)
    driver.retries.clear()
    try:
        answer = {"value": getattr(driver, call["name"])(**call["args"])}
    except Exception as error:
        answer = {"error": shown_error(error)}
    retries = [[type(one.error).__name__, one.wait_seconds, one.attempts] for one in driver.retries]
    print(json.dumps({**answer, "retries": retries}), flush=True)
