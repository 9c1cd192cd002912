import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wheelhouse } from '../../packages/client/src/index.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { type Fault, makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { makeMerchant, makeServer, post, times } from '../scenes/scene.ts'

/** `npm run client:lossy` runs 10,000. */
const grantCount = Number(process.env.GRANTS ?? 400)
const callers = 64
const faults: Fault[] = [
  'drop-request',
  'drop-answer',
  'cut-answer',
  'silence',
  'delay',
  'overloaded',
  'bad-gateway',
]

/** Two of five requests meet a fault, each with the same probability. */
const anyFault = (): Fault =>
  Math.random() < 0.4 ? (faults[Math.floor(Math.random() * faults.length)] as Fault) : 'none'

test('grants through a proxy that loses requests and responses are each in the ledger once', async (t) => {
  const server = await makeServer(t)
  const { merchant, token } = await makeMerchant(server.ctx.db)
  const proxy = await makeLossyProxy(t, server.url, anyFault)
  const wheelhouse = new Wheelhouse({ url: proxy.url, token, deadlineMs: 900_000, attemptMs: 5_000 })
  const started = performance.now()

  // Each grant has a unique number of spins, by which it is recognised.
  const waiting = times(grantCount, (index) => index + 1)
  const caller = async () => {
    for (let spins = waiting.pop(); spins !== undefined; spins = waiting.pop())
      await wheelhouse.grant({ playerId: `player-${spins % 100}`, spinNumber: spins })
  }
  await Promise.all(times(callers, caller))

  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const met = Object.groupBy(proxy.passed, ({ fault }) => fault)
  const summary = [...faults, 'none' as const]
    .map((fault) => `${fault} ${met[fault]?.length ?? 0}`)
    .join(', ')
  t.diagnostic(`${grantCount} grants, ${proxy.passed.length} requests in ${seconds} s: ${summary}`)
  for (const fault of faults) assert.ok(met[fault], `the proxy applied ${fault}`)
  assert.deepEqual(
    await amountsInLedger(server.ctx.db, merchant.merchantId),
    times(grantCount, (index) => index + 1),
  )
})

test('the same proxy makes a caller without keys grant twice, and the ledger shows it', async (t) => {
  const server = await makeServer(t)
  const { merchant, token } = await makeMerchant(server.ctx.db)
  let requests = 0
  const proxy = await makeLossyProxy(t, server.url, () => (requests++ === 0 ? 'drop-answer' : 'none'))
  const grant = () =>
    post(`${proxy.url}/api/player/increaseSpin`, token, { playerId: 'alice', spinNumber: 1 })
  await grant().catch(grant)
  assert.deepEqual(await amountsInLedger(server.ctx.db, merchant.merchantId), [1, 1])
})

const amounts = statement<{ amount: number }>(`
  select amount
  from ledger_entries
  where merchant_id = $1
  order by amount`)

async function amountsInLedger(db: Database, merchantId: number): Promise<number[]> {
  return (await db.query(amounts, [merchantId])).map(({ amount }) => amount)
}
