// During a run, what is released and not given is secret: anyone who knew would play only then, and win for sure.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readDocument } from '../../fuzz/api-document.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { momentOf, type Pace } from '../../src/fairness/pace.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { keyOfRun } from '../../src/pacing/reveal-run.ts'
import { findRun, type PaceRun } from '../../src/pacing/pace-runs.ts'
import { alwaysWins, callApi, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse('2026-06-01T00:00:00Z')
let now = start

type Reading = { status: number; body: unknown }
type Reader = (path: string) => Promise<Reading>

/** These requests themselves are listed there. */
const traces = ['/api/v1/requests', '/api/v1/exports/audit-log']
const isNoExport = ({ action = '' }: { action?: string }) => !action.includes('export')

describe('while a run lasts', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  let moment: (unit: number) => number
  let readers: Record<'viewer' | 'token of another campaign' | 'anybody', Reader>
  let paths: string[]

  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(now) })
    const { db } = server.ctx
    api = await makeManagementApi(server)
    const { merchant } = api
    const periods = [
      { from: new Date(start + hour).toISOString(), until: new Date(start + 3 * day).toISOString() },
    ]
    await api.publish(
      alwaysWins({ pace: { units: 12, periods }, limitPerPlayer: 1, cost: 1 }, { timeZone: 'UTC' }),
    )
    const { published } = await server.ctx.wheels.current(merchant.merchantId)
    const pace = JSON.parse(published).segments[0].pace as Pace
    const key = await keyOfRun(server.ctx, (await findRun(db, pace.commitment)) as PaceRun)
    moment = (unit) => momentOf(pace, key, unit, hashing)

    const viewer = await signInAs(server, await makeStaff(db, [[merchant, 'viewer']]))
    await api.call('POST', '/campaigns', { campaign: 'other', name: 'Other', wheel: 'main' })
    const order = { name: 'bound', scopes: ['read', 'events'] as const, expiresAt: null, campaign: 'other' }
    const token = await db.transaction((tx) => issueToken(tx, merchant, { ...order, now: new Date(now) }))
    readers = {
      viewer: (path) => viewer.call('GET', path, { merchant: merchant.slug }),
      'token of another campaign': async (path) => {
        const { status, body, text } = await callApi(server, token, 'GET', path)
        return { status, body: body ?? text }
      },
      anybody: async (path) => {
        const { status, body, text } = await callApi(server, undefined, 'GET', path)
        return { status, body: body ?? text }
      },
    }

    now = moment(1)
    const won = await api.play('pia')
    assert.ok(won.won)
    const names: Record<string, string> = {
      wheel: 'main',
      prize: 'mug',
      version: '2',
      campaign: 'main',
      playerId: 'pia',
      playId: won.playId,
      commitment: pace.commitment,
      hash: won.proof.versionHash,
      event: '1',
    }
    const document = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
    paths = document
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && !path.endsWith('/stream'))
      .filter(({ path }) => !traces.includes(path))
      .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'none'))
    paths.push(
      '/api/v1/campaigns?figures=true',
      '/api/v1/campaigns/main?figures=true',
      '/api/v1/plays?playerId=pia',
      '/api/v1/reports/days?format=csv',
    )
    assert.ok(paths.length > 40)
  })

  /** Every answer, without clocks and without the trace of these requests themselves. */
  async function everyAnswer(): Promise<Map<string, string>> {
    const answers = new Map<string, string>()
    const clock = new Date(now).toISOString()
    for (const [reader, read] of Object.entries(readers))
      for (const path of paths) {
        const { status, body } = await answered(() => read(path))
        const { entries } = body as { entries?: { action?: string }[] }
        const rest = { ...(body as object), ...(entries && { entries: entries.filter(isNoExport) }) }
        const text = JSON.stringify(rest)
          .replaceAll(clock, 'now')
          .replaceAll(/"(requestId|countedUntil|lastUsedAt|lastSeenAt|secondsLeft)":("[^"]*"|\d+|null)/g, '')
        answers.set(`${reader} ${path}`, `${status} ${text}`)
      }
    const metrics = (await server.ctx.metrics.registry.metrics()).split('\n')
    answers.set(
      'metrics',
      metrics.filter((line) => /^wheelhouse_(plays|draw|stock|prize|pace)/.test(line)).join('\n'),
    )
    return answers
  }

  test('no answer changes when a unit is released, for a viewer, a token of another campaign, or anybody', async () => {
    now = moment(3) - 1
    // Events are numbered, and reports count, in the background.
    await until(async () => (await api.call('GET', '/events?types=prize.won')).body.events.length === 1)
    await until(async () => (await api.call('GET', '/reports/days')).body.days.at(-1).plays === 1)
    // So are seals, which statements name. Nothing is left to be sealed between the answers.
    await sealAll(server.ctx.db, { now: new Date(start) })
    const shut = await everyAnswer()
    now = moment(3)
    const open = await everyAnswer()
    const changed = [...open]
      .map(([name, answer]) => ({ name, open: answer, shut: shut.get(name) }))
      .filter((one) => one.open !== one.shut)
    assert.deepEqual(changed, [])
    assert.match(shut.get('viewer /api/v1/wheels/main/paces') ?? '', /^200 .*"units":12/)
    for (const [name, answer] of open)
      for (const key of ['released', 'awards'])
        assert.doesNotMatch(answer, new RegExp(`"${key}":[1-9]`), `${name} has ${key} of today`)
  })

  test('a player sees the same wheel whether a unit is free or not', async () => {
    const link = await callApi(server, api.token, 'POST', '/api/game/sso', { body: { playerId: 'pat' } })
    const body = { token: link.body.token }
    const wheel = async () =>
      (await callApi(server, undefined, 'POST', '/api/v1/game/session', { body })).body.wheel
    now = moment(2) - 1
    const shut = await wheel()
    now = moment(2)
    assert.deepEqual(await wheel(), shut)
    assert.deepEqual(shut.unavailable, [])
  })

  test('a player who can win no more is told the same whether a unit is free or not', async () => {
    now = moment(3)
    const told = async () => {
      const { fallbackReason, segment, proof } = await api.play('pia')
      return { fallbackReason, segment, gates: proof.gates }
    }
    const free = await told()
    assert.deepEqual(free, { fallbackReason: 'player_limit', segment: 1, gates: undefined })
    for (const player of ['paul', 'pam']) assert.ok((await api.play(player)).won)
    assert.equal((await api.play('pat')).fallbackReason, 'not_released')
    assert.deepEqual(await told(), free)
  })

  test('what was given is told by whole days, and what was released after the end', async () => {
    const report = async () => (await api.call('GET', '/wheels/main/paces')).body.paces[0]
    const stated = async () => (await api.call('GET', '/wheels/main/paces/mug/certificate')).body
    const counted = ({ released, countedUntil, awards, left }: any) => [released, countedUntil, awards, left]
    const left = async () => {
      const figures = (await api.call('GET', '/campaigns/main?figures=true')).body.figures
      const order = { of: 'published', playsPerDay: 1, days: 1 }
      const { forecast } = (await api.call('POST', '/wheels/main/simulation', order)).body
      return [figures.stock[0].left, forecast.prizes[0].stock.atStart]
    }
    const today = new Date(start).toISOString()
    assert.deepEqual(await left(), [12, 12])
    assert.deepEqual(counted(await report()), [null, today, 0, 12])
    assert.deepEqual(counted(await stated()), [null, today, 0, 12])
    now = start + day
    const tomorrow = new Date(now).toISOString()
    const next = await report()
    assert.deepEqual(counted(next), [null, tomorrow, 3, 9])
    assert.deepEqual(await left(), [9, 9])
    assert.deepEqual(next.points, [
      { at: today, released: null, given: 0 },
      { at: tomorrow, released: null, given: 3 },
    ])
    assert.deepEqual(counted(await stated()), [null, tomorrow, 3, 9])
    assert.match(
      (await stated()).sentences.join(' '),
      /Counted until 2026-06-02T00:00:00\.000Z.* 3 units were given/,
    )
    now = start + 3 * day + 59_999
    assert.equal((await report()).released, null)
    assert.deepEqual((await left())[0], 9)
    now += 1
    const ended = await report()
    assert.deepEqual(counted(ended), [12, null, 3, 9])
    assert.deepEqual([ended.points.at(-1).released, ended.points.at(-1).given], [12, 3])
  })
})

/** An answer that is worth comparing: a server that is too busy for one refuses, and may be asked again. */
async function answered(read: () => Promise<Reading>): Promise<Reading> {
  let reading = await read()
  await until(async () => {
    if ((reading.body as { retryable?: boolean } | undefined)?.retryable !== true) return true
    reading = await read()
    return false
  })
  return reading
}
