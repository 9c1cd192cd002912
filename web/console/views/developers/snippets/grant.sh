curl -X POST https://wheel.example/api/player/increaseSpin \
  -H "Authorization: $WHEELHOUSE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: order-4711' \
  -d '{"playerId":"alice","spinNumber":5}'
