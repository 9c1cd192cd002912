import json
import os
import urllib.request

request = urllib.request.Request(
    "https://wheel.example/api/player/increaseSpin",
    data=json.dumps({"playerId": "alice", "spinNumber": 5}).encode(),
    headers={
        "Authorization": os.environ["WHEELHOUSE_TOKEN"],
        "Content-Type": "application/json",
        "Idempotency-Key": "order-4711",
    },
)
with urllib.request.urlopen(request, timeout=10) as response:
    print("alice has", json.load(response)["spinCount"], "spins")
