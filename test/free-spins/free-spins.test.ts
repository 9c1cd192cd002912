// Free spins that come back, as players and merchants meet them.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { collectFreeSpins } from '../../src/free-spins/collect-free-spins.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { shardOf } from '../../src/players/shard.ts'
import {
  alwaysWins,
  callApi,
  type ManagementApi,
  makeManagementApi,
  type Reply,
} from '../scenes/management-scene.ts'
import {
  asSuperuser,
  makeServer,
  notOnCluster,
  openTestDatabase,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

describe('free spins', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let live: ManagementApi
  let token: string
  const call = (method: string, path: string, body?: unknown, as = token): Promise<Reply> =>
    callApi(server, as, method, `/api/v1${path}`, body === undefined ? {} : { body })
  const ok = async (method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await call(method, path, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const setClock = (now: string) => ok('PUT', '/test/clock', { now })
  const setRule = (freeSpins: object | null, campaign = 'main') =>
    call('PATCH', `/campaigns/${campaign}`, { freeSpins })
  const link = async (playerId: string, more: object = {}) =>
    (await ok('POST', '/links', { playerId, expiresIn: 2_592_000, ...more })).token as string
  const open = (game: string, more: object = {}) => ok('POST', '/game/session', { token: game, ...more })
  const play = (session: any, playId = randomUUID()) =>
    call('POST', '/game/plays', {
      session: session.session,
      playId,
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.next.commitment,
      versionHash: session.wheel.hash,
    })
  const entries = async (playerId: string) =>
    (await ok('GET', `/players/${playerId}/ledger`)).entries.map((one: any) => [
      one.kind,
      one.amount,
      one.key,
    ])
  const streaks = async (playerId: string) =>
    (await ok('GET', '/events?types=streak.changed&limit=1000')).events
      .map((event: any) => event.data)
      .filter((data: any) => data.playerId === playerId)

  before(async () => {
    server = await makeServer(lifetime)
    live = await makeManagementApi(server)
    await live.publish(
      alwaysWins({}, { timeZone: 'Europe/Berlin', openHours: { from: '00:00', to: '23:00' } }),
    )
    token = (await live.call('POST', '/test-merchant', {})).body.token
    assert.equal(
      (await ok('POST', '/campaigns', { campaign: 'spring', name: 'Spring', wheel: 'main' })).freeSpins,
      null,
    )
  })

  test('a wrong rule is a clear problem, and changes nothing', async () => {
    const wrong = async (rule: object, code: string, pointer?: string) => {
      const reply = await setRule({ every: 'day', ...rule })
      assert.equal(reply.body.code, code, reply.text)
      if (pointer !== undefined)
        assert.equal(reply.body.errors[0].pointer, `/freeSpins/${pointer}`, reply.text)
    }
    const years = (count: number) => new Date(Date.now() + count * 366 * 86_400_000).toISOString()
    await wrong({ every: 'month' }, 'validation_failed', 'every')
    await wrong({ every: 'PT' }, 'validation_failed', 'every')
    await wrong({ every: 'PT14M' }, 'validation_failed', 'every')
    await wrong({ every: 'PT169H' }, 'validation_failed', 'every')
    await wrong({ every: 'PT4H', at: '08:00' }, 'validation_failed', 'at')
    await wrong({ every: 'PT4H', zone: 'player' }, 'validation_failed', 'zone')
    await wrong({ zone: 'Europe/Berlin' }, 'validation_failed', 'zone')
    await wrong({ at: '24:00' }, 'validation_failed', 'at')
    await wrong({ amount: 0 }, 'validation_failed', 'amount')
    await wrong({ bank: 31 }, 'validation_failed', 'bank')
    await wrong({ often: true }, 'validation_failed')
    await wrong({ endsAt: '2026-01-01T00:00:00Z' }, 'validation_failed', 'endsAt')
    await wrong({ endsAt: years(11) }, 'validation_failed', 'endsAt')
    await wrong(
      {
        streaks: [
          { length: 7, spins: 1 },
          { length: 7, spins: 2 },
        ],
      },
      'validation_failed',
      'streaks',
    )
    await ok('PATCH', '/merchant', { grantMax: 50, dailyGrantMax: 60 })
    await wrong({ amount: 51 }, 'free_spins_over_limit')
    await wrong({ amount: 40, streaks: [{ length: 7, spins: 11 }] }, 'free_spins_over_limit')
    await wrong({ amount: 20, bank: 4 }, 'free_spins_over_limit')
    await wrong({ every: 'PT1H', amount: 3 }, 'free_spins_over_limit')
    const twice = [4, 5].map((length) => ({ length, spins: 20 }))
    await wrong({ every: 'PT1H', streaks: twice }, 'free_spins_over_limit')
    const { freeSpins, revision } = await ok('GET', '/campaigns/main')
    assert.deepEqual([freeSpins, revision], [null, 0])
    for (const timeZone of ['Mars/Olympus', '+02:00', ''])
      assert.equal(
        (await call('POST', '/links', { playerId: 'zoe', timeZone })).body.code,
        'validation_failed',
      )
    assert.equal((await call('GET', '/players/zoe')).status, 404)
  })

  test('daylight saving, a daily spin, expiry, a streak and closing time', async () => {
    await setClock('2027-03-27T10:00:00Z')
    const rule = { every: 'day', zone: 'player', bank: 2, streaks: [{ length: 3, spins: 2 }] }
    const set = await setRule(rule)
    const shown = { amount: 1, at: '00:00', weekday: 1, on: 'visit', endsAt: null, ...rule }
    assert.deepEqual(set.body.freeSpins, shown)
    assert.equal((await setRule(shown)).body.revision, set.body.revision, 'the same rule changes nothing')
    const game = await link('ann')
    const first = await open(game, { timeZone: 'Europe/Berlin' })
    assert.deepEqual(
      [first.spinCount, first.spinsExpire],
      [1, [{ spins: 1, expiresAt: '2027-03-28T22:00:00.000Z' }]],
    )
    const free = {
      every: 'day',
      available: 0,
      until: null,
      nextSpins: 1,
      streak: { length: 1, best: 1, milestones: rule.streaks },
    }
    assert.deepEqual(first.free, { ...free, next: '2027-03-27T23:00:00.000Z' })
    assert.equal((await open(game)).spinCount, 1, 'once a day')

    // The night has 23 hours. The browser is said to be elsewhere by now; that counts later.
    await setClock('2027-03-27T22:59:50Z')
    assert.equal((await open(game, { timeZone: 'Pacific/Kiritimati' })).spinCount, 1)
    await setClock('2027-03-27T23:00:00Z')
    assert.equal((await open(game)).spinCount, 2)
    // At 22:00 the first lot is gone, and the day begins. The wheel is closed from 21:00 to 22:00.
    await setClock('2027-03-28T21:30:00Z')
    const closed = await open(game)
    assert.deepEqual([closed.spinCount, closed.free.next], [2, '2027-03-28T22:00:00.000Z'])
    await setClock('2027-03-28T22:00:00Z')
    const third = await open(game)
    assert.deepEqual(
      [third.spinCount, third.free.streak.length],
      [4, 3],
      'one expired; one and two extra came',
    )
    const kinds = (await entries('ann')).map(([kind, amount]: [string, number]) => `${kind} ${amount}`)
    assert.deepEqual(kinds, ['free 3', 'expiry -1', 'free 1', 'free 1'])
    const told = { playerId: 'ann', oldStreak: 2, newStreak: 3, bestStreak: 3, extraSpins: 2 }
    await until(async () => (await streaks('ann')).length === 3)
    assert.deepEqual((await streaks('ann')).at(-1), told)
    // A prize for this length: a spin of another campaign, once for the event.
    const [{ id }] = (await ok('GET', '/events?types=streak.changed&limit=1000')).events.slice(-1)
    for (const _ of ['first', 'repeat']) {
      const body = { playerId: 'ann', spins: 1, campaign: 'spring' }
      const headers = { 'Idempotency-Key': id }
      const given = await callApi(server, token, 'POST', '/api/v1/grants', { body, headers })
      assert.equal(given.body.spinCount, 1, given.text)
    }

    assert.deepEqual((await ok('GET', '/campaigns/main/streaks')).streaks, [{ streak: 3, players: 1 }])
    const preview = await ok('POST', '/campaigns/main/free-spin-preview', {
      freeSpins: rule,
      timeZone: 'America/Sao_Paulo',
      days: 3,
    })
    // In Berlin it is 00:00 and the wheel is open; from then on at midnight in São Paulo.
    assert.deepEqual(
      preview.spins.map((one: any) => [one.at.slice(0, 16), one.spins]),
      [
        ['2027-03-28T22:00', 1],
        ['2027-03-29T03:00', 1],
        ['2027-03-30T03:00', 3],
        ['2027-03-31T03:00', 1],
      ],
    )
    const nowhere = { freeSpins: rule, timeZone: 'Mars/Olympus' }
    const unknown = await call('POST', '/campaigns/main/free-spin-preview', nowhere)
    assert.equal(unknown.body.code, 'validation_failed')

    // Two days are missed: the bank holds two, and the streak begins anew.
    await setClock('2027-04-01T10:00:00Z')
    const read = (await ok('GET', '/players/ann')).free
    const due = {
      every: 'day',
      available: 2,
      until: '2027-04-01T22:00:00.000Z',
      next: '2027-04-01T22:00:00.000Z',
      nextSpins: 1,
    }
    assert.deepEqual(read, [{ campaign: 'main', ...due, streak: { ...free.streak, length: 0, best: 3 } }])
    assert.equal((await ok('GET', '/players/ann')).spinCount, 0, 'a read collects nothing')
    const back = await open(game)
    assert.deepEqual([back.spinCount, back.free.streak.length], [2, 1])
    // An hour of pause excuses a missed day.
    await ok('PATCH', '/campaigns/main', { isPaused: true })
    assert.equal((await open(await link('late'))).spinCount, 0, 'nothing while it is paused')
    await setClock('2027-04-02T12:00:00Z')
    await ok('PATCH', '/campaigns/main', { isPaused: false })
    await setClock('2027-04-03T10:00:00Z')
    assert.equal((await open(await link('ann'))).free.streak.length, 2)
    const granted = (await ok('GET', '/events?types=spins.granted&limit=1000')).events[0].data
    assert.deepEqual([granted.kind, granted.idempotencyKey], ['free', null])
  })

  test('a play collects too, also without another spin, and its repeat collects nothing', async () => {
    assert.equal((await setRule({ every: 'PT4H', on: 'play', amount: 2 }, 'spring')).status, 200)
    const game = await link('bob', { campaign: 'spring' })
    const session = await open(game)
    assert.deepEqual([session.spinCount, session.free.available], [0, 2])
    const playId = randomUUID()
    const played = await play(session, playId)
    assert.equal(played.status, 200, played.text)
    assert.deepEqual(
      [played.body.spinCount, played.body.free.available, played.body.free.streak.length],
      [1, 0, 1],
    )
    assert.equal(played.body.spinsExpire[0].expiresAt, played.body.free.next)
    const again = await play({ ...session, ...played.body }, randomUUID())
    assert.equal(again.body.spinCount, 0)
    assert.equal((await play({ ...session, ...again.body })).body.code, 'no_spins')
    const campaignId = (await server.ctx.wheels.current((await merchant()).merchantId, 'spring')).campaign
      ?.campaignId
    const [, , key] = (await entries('bob')).at(-1)
    assert.match(key, new RegExp(`^free-${campaignId}\\.240m-\\d+$`))
    assert.deepEqual(
      (await entries('bob')).map(([kind]: [string]) => kind),
      ['play', 'play', 'free'],
    )
  })

  const merchant = async () => {
    const [row] = await server.ctx.db.query(
      statement<{ merchantId: number }>(`select merchant_id as "merchantId" from merchants where slug = $1`),
      [`test-${live.merchant.slug}`],
    )
    assert(row !== undefined)
    return row
  }

  test('another kind of period and back, in another time zone, gives no period twice', async () => {
    await ok('POST', '/campaigns', { campaign: 'kinds', name: 'Kinds', wheel: 'main' })
    const visit = async (now: string) => {
      await setClock(now)
      const opened = await open(await link('max', { campaign: 'kinds', timeZone: 'Pacific/Kiritimati' }))
      return [opened.spinCount, opened.free.available, opened.free.next]
    }
    const tomorrow = '2027-04-11T22:00:00.000Z'
    await setRule({ every: 'day', zone: 'player' }, 'kinds')
    // It is 11 April there.
    assert.deepEqual(await visit('2027-04-10T11:00:00Z'), [1, 0, '2027-04-11T10:00:00.000Z'])
    await setRule({ every: 'PT4H' }, 'kinds')
    assert.deepEqual(await visit('2027-04-10T12:00:00Z'), [2, 0, '2027-04-10T16:00:00.000Z'])
    await setRule({ every: 'day' }, 'kinds')
    // In Berlin, 11 April begins now.
    assert.deepEqual(await visit('2027-04-10T22:00:00Z'), [1, 0, tomorrow])
    assert.deepEqual(await visit(tomorrow), [1, 0, '2027-04-12T22:00:00.000Z'])
  })

  test('a player who was erased and comes back collects nothing twice, and begins a new streak', async () => {
    await setRule({ every: 'day' })
    const visit = async (now: string) => {
      await setClock(now)
      const { spinCount, free } = await open(await link('eve'))
      return [spinCount, free.available, free.streak.length, free.next]
    }
    const [tomorrow, dayAfter] = ['2027-05-01T22:00:00.000Z', '2027-05-02T22:00:00.000Z']
    for (const [time, spins] of [
      ['12:00', 1],
      ['12:01', 0],
      ['12:02', 0],
    ]) {
      assert.deepEqual(await visit(`2027-05-01T${time}:00Z`), [spins, 0, spins, tomorrow])
      await ok('DELETE', '/players/eve/personal-data')
    }
    assert.deepEqual(await visit(tomorrow), [1, 0, 1, dayAfter])
    await ok('DELETE', '/players/eve/personal-data')
    assert.deepEqual(await visit('2027-05-02T12:00:00Z'), [0, 0, 0, dayAfter])
    await setRule({ every: 'PT4H' })
    assert.deepEqual(await visit('2027-05-02T12:01:00Z'), [1, 0, 1, '2027-05-02T16:00:00.000Z'])
    await setRule({ every: 'day' })
    const { rows } = await asSuperuser(server.target.database, (client) =>
      client.query(`select count(*)::int as count, count(time_zone)::int as zones from free_spin_terms
        join players using (shard, player_no) where erased_at is not null`),
    )
    assert.deepEqual(rows, [{ count: 2, zones: 0 }])
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('the audit finds free spins that break a rule; an erased player has no time zone', async () => {
    const { db } = server.ctx
    const findingsOf = async () => (await auditLedger(db)).findings.map(({ check }) => check)
    await db.query(statement(`update player_free_spins set period = period + 1 where player_no % 2 = 0`))
    assert.deepEqual(await findingsOf(), ['a player has collected last what the ledger says'])
    await db.query(statement(`update player_free_spins set period = period - 1 where player_no % 2 = 0`))
    await db.query(statement(`update free_spin_terms set streak = 9 where streak = 3`))
    const recomputed = 'free spins have the amount and the expiry of their rule'
    assert.deepEqual(await findingsOf(), [
      'a streak grows by one with each visit that collects, or begins anew',
      recomputed,
    ])
    await db.query(statement(`update free_spin_terms set streak = 3 where streak = 9`))
    assert.deepEqual(await findingsOf(), [])
    const copy = await call('GET', '/players/ann/personal-data')
    assert.equal(JSON.parse(copy.text.split('\n')[0] as string).player.freeSpins[0].timeZone, 'Europe/Berlin')
    await ok('DELETE', '/players/ann/personal-data')
    const zones = await db.query(
      statement<{ zone: string }>(`select distinct time_zone as zone from player_free_spins`),
    )
    assert.ok(zones.some(({ zone }) => zone === 'UTC'))
  })

  test(
    'the audit recomputes every free lot: another expiry or amount is found, wherever it was changed',
    notOnCluster,
    async () => {
      await setRule({ every: 'day', bank: 3 })
      await setClock('2027-06-01T12:00:00Z')
      const { spinCount, spinsExpire } = await open(await link('tom'))
      assert.deepEqual([spinCount, spinsExpire[0].expiresAt], [1, '2027-06-03T22:00:00.000Z'])
      // The rule at that time counts, not the current one.
      await setRule({ every: 'day', amount: 5, at: '06:00' })
      await setRule(null)
      const lot = `(shard, player_no) in (select shard, player_no from players where player_id = 'tom')`
      /** Changes a lot everywhere in the same way, as somebody with access to the database could. */
      const tamper = (change: string[]) =>
        asSuperuser(server.target.database, async (client) => {
          for (const text of change) await client.query(`${text} where ${lot}`)
        })
      const checksAfter = async (...change: string[]) => {
        await tamper(change)
        return (await auditLedger(server.ctx.db)).findings.map(({ check }) => check)
      }
      const recomputed = 'free spins have the amount and the expiry of their rule'
      const inDays = (days: number) => [
        `update ledger_entries set expires_at = expires_at + interval '${days} days'`,
        `update spin_lots set expires_at = expires_at + interval '${days} days', due_at = due_at + interval '${days} days'`,
        `update players set next_expiry = next_expiry + interval '${days} days'`,
      ]
      assert.deepEqual(await checksAfter(...inDays(1)), [recomputed])
      assert.deepEqual(await checksAfter(...inDays(-1)), [])
      const more = (spins: number) => [
        `update ledger_entries set amount = amount + ${spins}, balance_after = balance_after + ${spins}`,
        `update spin_lots set amount = amount + ${spins}, spins_left = spins_left + ${spins}`,
        `update players set balance = balance + ${spins}`,
      ]
      assert.deepEqual(await checksAfter(...more(4)), [recomputed])
      assert.deepEqual(await checksAfter(...more(-4)), [])
      assert.deepEqual(
        await checksAfter('update spin_lots set expires_at = expires_at + interval $$1 day$$'),
        [
          'what is left of each lot is what was granted, without what its entries took',
          "a player's next expiry is that of its earliest lot",
        ],
      )
      await tamper(['update spin_lots set expires_at = due_at'])
    },
  )

  test('many players at midnight, from two pools at once: one entry each', async () => {
    const { merchantId } = live.merchant
    const set = await live.call('PATCH', '/campaigns/main', {
      freeSpins: { every: 'day', streaks: [{ length: 2, spins: 1 }] },
    })
    assert.equal(set.status, 200, set.text)
    const other = openTestDatabase(lifetime, server.target)
    const players = times(300, (index) => ({ merchantId, playerId: `p${index}` }))
    const rest = {
      kind: 'grant' as const,
      amount: 1,
      reason: null,
      mayCreatePlayer: true,
      callMax: 1,
      dailyMax: null,
    }
    await grantSpins(
      server.ctx.db,
      players.map((player) => ({ ...player, key: 'first', ...rest })),
      new Date(),
    )
    const wheel = await server.ctx.wheels.current(merchantId)
    assert(wheel.freeSpins !== undefined)
    const visits = players.map((player) => ({ ...player, shard: shardOf(player), wheel, isPlay: false }))
    const collect = async (db: Database, now: string, step = 1) => {
      const parts = times(4, (part) => visits.slice(part * 75, part * 75 + 75))
      for (const part of step > 0 ? parts : parts.toReversed())
        await collectFreeSpins(db, part, new Date(now))
    }
    for (const now of ['2027-01-03T23:00:00Z', '2027-01-04T23:00:00Z'])
      await Promise.all([collect(server.ctx.db, now), collect(other, now, -1)])
    // A clock that is a day behind, one that is far ahead, and the right one again.
    for (const now of ['2027-01-03T23:30:00Z', '2027-03-03T23:30:00Z', '2027-01-05T23:00:00Z'])
      await collect(other, now)
    const counted = await other.query(
      statement<{ kind: string; entries: number; spins: number }>(`
        select kind, count(*)::int as entries, sum(amount)::int as spins
        from ledger_entries
        where merchant_id = $1
        group by kind
        order by kind`),
      [merchantId],
    )
    assert.deepEqual(counted, [
      { kind: 'expiry', entries: 600, spins: -900 },
      { kind: 'free', entries: 900, spins: 1_200 },
      { kind: 'grant', entries: 300, spins: 300 },
    ])
    assert.deepEqual((await auditLedger(other)).findings, [])
  })
})
