import json
import os
import urllib.request

request = urllib.request.Request(
    "https://wheel.example/api/game/sso",
    data=json.dumps({"playerId": "alice"}).encode(),
    headers={
        "Authorization": os.environ["WHEELHOUSE_TOKEN"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=10) as response:
    print(json.load(response)["link"])
