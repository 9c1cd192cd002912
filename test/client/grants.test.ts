import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wheelhouse } from '../../packages/client/src/index.ts'
import { makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { makeMerchant, makeServer, post, times } from '../scenes/scene.ts'
import { amountsInLedger, anyFault, faults } from './lossy-grants.ts'

/** `npm run client:lossy` runs 10,000. */
const grantCount = Number(process.env.GRANTS ?? 400)
const callers = 64

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
