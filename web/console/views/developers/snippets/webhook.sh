# Checks one delivery by hand: its raw body is in body.json, its three headers are in these variables.
: "${WEBHOOK_ID:?}" "${WEBHOOK_TIMESTAMP:?}" "${WEBHOOK_SIGNATURE:?}"

key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=$(printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" | cat - body.json |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in
  *" v1,$expected "*) echo 'Signed by Wheelhouse.' ;;
  *) echo 'NOT signed by Wheelhouse.' && exit 1 ;;
esac
