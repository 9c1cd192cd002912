curl -X POST https://wheel.example/api/game/sso \
  -H "Authorization: $WHEELHOUSE_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"playerId":"alice"}'
