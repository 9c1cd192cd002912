import type { Config } from '../config.ts'

/** What a person reads after the start. The token is there at the first start only. */
export function welcome(facts: {
  config: Config
  demoToken: string | undefined
  embeddedHome: string | undefined
}): string {
  const { config, demoToken, embeddedHome } = facts
  const lines = [
    '',
    `Wheelhouse is ready at ${config.publicUrl}`,
    '',
    `  API reference  ${config.publicUrl}/docs`,
    `  Health         ${config.publicUrl}/readyz`,
    ...(config.metricsAddress === undefined
      ? []
      : [`  Metrics        http://${config.metricsAddress.host}:${config.metricsAddress.port}/metrics`]),
    `  Database       ${embeddedHome === undefined ? 'your own (DATABASE_URL)' : `embedded PostgreSQL in ${embeddedHome}`}`,
    '',
    ...(demoToken === undefined ? laterStart : firstTime(config.publicUrl, demoToken)),
    '',
  ]
  return `${lines.join('\n')}\n`
}

const laterStart = [
  'A new service token:  bin/wheelhouse token issue <merchant>   (merchants: bin/wheelhouse merchant list)',
]

function firstTime(url: string, token: string): string[] {
  const headers = `-H 'Content-Type: application/json' -H 'Authorization: ${token}'`
  return [
    "The demo merchant's service token. Keep it: it is shown this once.",
    '',
    `  ${token}`,
    '',
    'Give a player five spins, and get a link to the game:',
    '',
    `  curl -X POST ${url}/api/player/increaseSpin ${headers} -H 'Idempotency-Key: order-1' -d '{"playerId":"alice","spinNumber":5}'`,
    '',
    `  curl -X POST ${url}/api/game/sso ${headers} -d '{"playerId":"alice"}'`,
  ]
}
