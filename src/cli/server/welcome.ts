import type { Config } from '../../config.ts'
import { Mistake } from '../../mistake.ts'
import { invitationLink } from '../../staff/invitations.ts'
import type { Demo } from '../merchants/demo-merchant.ts'

/** Shows the secrets of a first start. They don't work before the commit, so the text must not suggest using them. */
export async function showSecrets(config: Config, { token, invitationToken }: Demo): Promise<void> {
  await show([
    '',
    "The demo merchant's service token. Save it: it is shown only once.",
    '',
    `  ${token}`,
    '',
    ...(invitationToken === undefined
      ? [
          'The link to the console was withdrawn. Make an operator: bin/wheelhouse staff invite <email> --operator',
        ]
      : [
          'The link to the console. It works once, and makes you the operator:',
          '',
          `  ${invitationLink(config.publicUrl, invitationToken)}`,
        ]),
  ])
}

/** Shows that the server is ready, and the next steps. */
export async function showWelcome(facts: {
  config: Config
  demo: Demo | undefined
  embeddedHome: string | undefined
}): Promise<void> {
  const { config, demo, embeddedHome } = facts
  await show([
    '',
    `Wheelhouse is ready at ${config.publicUrl}`,
    '',
    ...(config.servesConsole ? [`  Console        ${config.publicUrl}/console`] : []),
    `  API reference  ${config.publicUrl}/docs`,
    `  Guides         ${config.publicUrl}/docs/guides`,
    `  Health         ${config.publicUrl}/readyz`,
    ...(config.metricsAddress === undefined
      ? []
      : [`  Metrics        http://${config.metricsAddress.host}:${config.metricsAddress.port}/metrics`]),
    `  Database       ${embeddedHome === undefined ? 'your own (DATABASE_URL)' : `embedded PostgreSQL in ${embeddedHome}`}`,
    '',
    ...(demo === undefined ? laterStart : firstSteps(config.publicUrl, demo)),
    '',
  ])
}

const laterStart = [
  'A new service token:  bin/wheelhouse token issue <merchant>   (merchants: bin/wheelhouse merchant list)',
  'A console account:    bin/wheelhouse staff invite <email> --merchant <merchant>',
  'An operator account:  bin/wheelhouse staff invite <email> --operator',
]

function firstSteps(url: string, { token }: Demo): string[] {
  const headers = `-H 'Content-Type: application/json' -H 'Authorization: ${token}'`
  return [
    'Give a player five spins, and get a link to the game:',
    '',
    `  curl -X POST ${url}/api/player/increaseSpin ${headers} -H 'Idempotency-Key: order-1' -d '{"playerId":"alice","spinNumber":5}'`,
    '',
    `  curl -X POST ${url}/api/game/sso ${headers} -d '{"playerId":"alice"}'`,
  ]
}

/** Writes to standard output, and fails if the write fails, as on a full disk or a closed pipe. */
async function show(lines: readonly string[]): Promise<void> {
  const { stdout } = process
  try {
    await new Promise<void>((resolve, reject) => {
      // The stream also emits the error; without a listener that would end the process.
      stdout.once('error', reject)
      stdout.write(`${lines.join('\n')}\n`, (error) => {
        if (error !== null && error !== undefined) return reject(error)
        stdout.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    throw new Mistake(`Can't write to standard output (${(error as Error).message}).`, { cause: error })
  }
}
