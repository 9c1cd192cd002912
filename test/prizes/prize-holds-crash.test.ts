import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../src/events/event-log.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { databaseUrl, makeServer, notOnCluster, spawnServer, times, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const count = 24

test(
  'kill -9 amid decisions loses none that was answered, and a repeat decides each prize once',
  { ...onLanding, ...notOnCluster },
  async (t) => {
    const server = await makeServer(t)
    const api = await makeManagementApi(server)
    const { merchantId } = api.merchant
    const codes = times(count, (index) => `CODE-${index}`)
    await api.call('POST', '/code-pools/cups/codes', { codes })
    const prize = { kind: 'pool', pool: 'cups' } as const
    await api.publish(alwaysWins({ prize, stock: count, hold: {} }))
    const plays = await Promise.all(times(count, (index) => api.play(`player-${index}`)))
    const process = await spawnServer(t, { DATABASE_URL: databaseUrl(server.target) })
    const decide = (url: string, index: number) => {
      const isReleased = index % 2 === 0
      const noun = isReleased ? 'release' : 'refusal'
      const body = isReleased ? {} : { reason: 'terms_not_met' }
      return callApi({ url }, api.token, 'PUT', `/api/v1/prizes/${plays[index].playId}/${noun}`, {
        body,
      })
    }
    const answered = new Set<number>()
    const tries = times(count, async (index) => {
      const reply = await decide(process.url, index).catch(() => undefined)
      if (reply?.status === 200) answered.add(index)
    })
    await until(() => answered.size > 0)
    process.child.kill('SIGKILL')
    await Promise.all(tries)

    const repeats = await Promise.all(times(count, (index) => decide(server.url, index)))
    for (const [index, { status, body, headers }] of repeats.entries()) {
      assert.deepEqual([status, body.state], [200, index % 2 === 0 ? 'won' : 'refused'])
      if (answered.has(index)) assert.equal(headers.get('idempotent-replayed'), 'true')
    }
    await until(async () => {
      await numberAllPages(server.ctx.db)
      const events = await readEvents(server.ctx.db, { merchantId, after: 0, limit: 1_000 })
      const decided = events.filter(({ type }) => type === 'prize.released' || type === 'prize.refused')
      const names = new Set(decided.map(({ data }) => (data as { playId: string }).playId))
      return decided.length === count && names.size === count
    })
    // The codes and units of the refused prizes can be won again, each once.
    await Promise.all(times(count / 2, (index) => api.play(`other-${index}`)))
    const { body } = await api.call('GET', '/prizes?state=held')
    assert.equal(body.prizes.length, count / 2)
    for (const { playId } of body.prizes) await api.call('PUT', `/prizes/${playId}/release`, {})
    const won = (await api.call('GET', '/prizes?state=won')).body.prizes.map(({ code }: any) => code)
    assert.deepEqual(won.toSorted(), codes.toSorted())
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  },
)
