import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeWebhookSecret, signWebhook } from '../../src/webhooks/sending/signature.ts'
import { installClient } from './client-package.ts'
import { type Fault, makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { defer, freePort, type Lifetime, makeServer, node, repository, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { python } from './languages/driver.ts'

const webhookRules = {
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  // On a busy machine a shop may answer late.
  WEBHOOK_TIMEOUT_SECONDS: '60',
  WEBHOOK_RETRY_PAUSES: '1s,1s,1s,1s,1s',
}
const examples = join(repository, 'examples')

type Program = { command: string; args: string[]; cwd: string; env?: Record<string, string> }

/** With the client installed beside it, as a user would have it. */
function nodeShop(t: Lifetime): Program {
  const cwd = installClient(t)
  cpSync(join(examples, 'shop.js'), join(cwd, 'shop.js'))
  return { command: node, args: ['shop.js'], cwd }
}

/** With the sources of the client. Installing them takes seconds, and a test of their own does that. */
const pythonShop = (): Program => ({
  command: python.command,
  args: ['-B', 'shop.py'],
  cwd: examples,
  env: python.env,
})

describe(
  'each example shop grants spins for a paid order, receives the prize event, and redeems the prize',
  onLanding,
  () => {
    for (const [name, program, skip] of [
      ['examples/shop.js', nodeShop, false],
      ['examples/shop.py', pythonShop, python.skip],
    ] as const)
      test(name, { skip }, async (t) => {
        const server = await makeServer(t, { env: webhookRules })
        const api = await makeManagementApi(server)
        await api.publish(alwaysWins({ label: 'A spin', prize: { kind: 'spins', spins: 1 } }))
        const port = await freePort()
        const shop = { url: `http://127.0.0.1:${port}` }
        const types = ['prize.won']
        const made = await api.call('POST', '/webhooks', { url: `${shop.url}/wheelhouse`, types })
        assert.equal(made.status, 200, made.text)
        // Every call of the example meets one of these faults first.
        const faults: Fault[] = ['drop-answer', 'overloaded', 'bad-gateway', 'cut-answer']
        let requests = 0
        const choose = (): Fault => (requests++ % 2 === 0 ? (faults.shift() ?? 'drop-answer') : 'none')
        const proxy = await makeLossyProxy(t, server.url, choose)
        await startShop(t, program(t), {
          WHEELHOUSE_URL: proxy.url,
          WHEELHOUSE_TOKEN: api.token,
          WEBHOOK_SECRET: made.body.secret,
          PORT: String(port),
        })
        const ask = (method: string, path: string, body?: string, headers?: Record<string, string>) =>
          callApi(shop, undefined, method, path, {
            ...(body === undefined ? {} : { body }),
            ...(headers === undefined ? {} : { headers }),
          })

        const order = JSON.stringify({ customer: 'alice', euros: 30 })
        const paid = await ask('POST', '/orders/4711/paid', order)
        assert.equal(paid.status, 200, paid.text)
        assert.equal(paid.body.spins, 3)
        const again = await ask('POST', '/orders/4711/paid', order)
        assert.equal(again.body.spins, 3, 'an order that is reported twice makes one grant')
        assert.match(paid.body.link, /\/spinthewheel\/\?token=/)

        await api.play('alice')
        await api.publish(alwaysWins({ label: 'A mug' }))
        const { playId } = await api.play('alice')
        await until(async () => (await ask('GET', '/prizes')).body.prizes.length > 0)
        const prize = { playId, customer: 'alice', label: 'A mug', state: 'won' }
        assert.deepEqual((await ask('GET', '/prizes')).body.prizes, [prize])

        const forged = JSON.stringify({
          type: 'prize.won',
          data: { playId: 'x', playerId: 'eve', label: 'A car' },
        })
        const signature = signWebhook({ id: 'evt_1', sentAt: new Date(), body: forged }, [
          makeWebhookSecret(),
        ])
        assert.equal((await ask('POST', '/wheelhouse', forged, { ...signature })).status, 401)
        assert.equal((await ask('POST', '/wheelhouse', forged)).status, 401)
        assert.equal((await ask('GET', '/prizes')).body.prizes.length, 1)

        assert.equal((await ask('POST', `/prizes/${playId}/redeem`, '{}')).body.state, 'redeemed')
        const second = await ask('POST', `/prizes/${playId}/redeem`, '{}')
        assert.deepEqual([second.status, second.body.error], [409, 'prize_settled'])
        assert.equal((await ask('GET', '/prizes')).body.prizes[0].state, 'redeemed')
        assert.equal((await api.call('GET', `/prizes/${playId}`)).body.state, 'redeemed')
        assert.ok(requests >= 8, 'the requests passed the proxy')
      })
  },
)

async function startShop(t: Lifetime, program: Program, env: Record<string, string>): Promise<void> {
  const { command, args, cwd } = program
  const own = { PATH: process.env.PATH, ...program.env, ...env }
  const child = spawn(command, args, { cwd, env: own, stdio: 'pipe' })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  defer(t, async () => {
    child.kill()
    await ended
  })
  await until(() => {
    assert.equal(child.exitCode, null, output)
    return output.includes('The shop is open.')
  })
}
