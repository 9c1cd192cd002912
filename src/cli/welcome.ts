import type { Config } from '../config.ts'
import { invitationLink } from '../staff/invitations.ts'
import type { Demo } from './first-start.ts'

/** What a person reads after the start. The secrets are there at the first start only. */
export function welcome(facts: {
  config: Config
  demo: Demo | undefined
  embeddedHome: string | undefined
}): string {
  const { config, demo, embeddedHome } = facts
  const lines = [
    '',
    `Wheelhouse is ready at ${config.publicUrl}`,
    '',
    `  Console        ${config.publicUrl}/console`,
    `  API reference  ${config.publicUrl}/docs`,
    `  Health         ${config.publicUrl}/readyz`,
    ...(config.metricsAddress === undefined
      ? []
      : [`  Metrics        http://${config.metricsAddress.host}:${config.metricsAddress.port}/metrics`]),
    `  Database       ${embeddedHome === undefined ? 'your own (DATABASE_URL)' : `embedded PostgreSQL in ${embeddedHome}`}`,
    '',
    ...(demo === undefined ? laterStart : firstTime(config.publicUrl, demo)),
    '',
  ]
  return `${lines.join('\n')}\n`
}

const laterStart = [
  'A new service token:  bin/wheelhouse token issue <merchant>   (merchants: bin/wheelhouse merchant list)',
  'Somebody new for the console:  bin/wheelhouse staff invite <email> --merchant <merchant>',
]

function firstTime(url: string, { token, invitationToken }: Demo): string[] {
  const headers = `-H 'Content-Type: application/json' -H 'Authorization: ${token}'`
  return [
    'Open the console with this link. It works once, and makes you the operator:',
    '',
    `  ${invitationLink(url, invitationToken)}`,
    '',
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
