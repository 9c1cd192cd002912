/** Command lines that work when pasted. */
function line(url: string, token: string, body: object, ...headers: string[]): string {
  const all = ['Content-Type: application/json', `Authorization: ${token}`, ...headers]
  return `curl -X POST ${url} \\\n${all.map((header) => `  -H '${header}' \\\n`).join('')}  -d '${JSON.stringify(body)}'`
}

export function grantLine(origin: string, token: string): string {
  const body = { playerId: 'alice', spinNumber: 5 }
  return line(`${origin}/api/player/increaseSpin`, token, body, 'Idempotency-Key: order-1')
}

export function linkLine(origin: string, token: string): string {
  return line(`${origin}/api/game/sso`, token, { playerId: 'alice' })
}
