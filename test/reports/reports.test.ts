import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { mainCampaign } from '../../src/campaign-ref.ts'
import { readPosition } from '../../src/db/work-positions.ts'
import { activityLagMs } from '../../src/limits.ts'
import { enter, type LockedPlayer, lockPlayers } from '../../src/players/ledger.ts'
import { writeEntries } from '../../src/players/write-entries.ts'
import { findPlayer } from '../../src/players/players.ts'
import { countActivity, recountActivity } from '../../src/reports/count-activity.ts'
import { countVisits, recountVisits } from '../../src/reports/count-visits.ts'
import { mondayOf } from '../../src/reports/report-days.ts'
import { alwaysWins, type ManagementApi, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import { makeServer, post, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { unzip } from '../scenes/unzip.ts'

/** Larger steps than the worker's, to be faster. */
const dayMs = 86_400_000

describe('/api/v1/reports', () => {
  const lifetime = suiteLifetime()
  let server: Server
  // Days in the future, since counting only moves forward in time, and the database has its own clock.
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [eve, first, second] = [date(2), date(3), date(4)]
  let now = new Date(`${first}T22:50:00Z`)
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
  })
  /** Counts everything that can be counted now, like the worker. */
  async function countSome(): Promise<void> {
    const later = new Date(now.getTime() + activityLagMs + 1)
    while (await countActivity(server.ctx.db, later, 5 * dayMs));
  }
  /** Counts everything up to now; repeats if a transaction was open at that moment. */
  const count = () =>
    until(async () => {
      await countSome()
      return ((await readPosition(server.ctx.db, 'counts')) ?? new Date(0)) > now
    })
  const day = async (api: ManagementApi, on: string) =>
    (await api.call('GET', `/reports/days?from=${on}&to=${on}`)).body.days[0]

  test("a day counts plays, wins, grants, spins, new players, settlements and cost, in the merchant's time zone", async () => {
    const api = await makeManagementApi(server)
    const changed = await api.call('PATCH', '/merchant', { timeZone: 'Africa/Lagos' })
    assert.equal(changed.body.timeZone, 'Africa/Lagos')
    await api.publish(alwaysWins({ cost: 2.5, stock: 3 }))
    await api.grant('a', 5)
    const plays = []
    for (const player of ['a', 'b', 'b']) plays.push(await api.play(player))
    await api.call('PUT', `/prizes/${plays[0].playId}/redemption`, {})
    await api.call('POST', '/players/a/corrections', { amount: -4, reason: 'r' }, { 'Idempotency-Key': 'k' })
    now = new Date(`${first}T23:10:00Z`)
    await api.play('b')
    await api.call('PUT', `/prizes/${plays[1].playId}/cancellation`, { reason: 'r' })
    await count()
    await count()
    const nothing = { claimed: 0, redeemed: 0, cancelled: 0, expired: 0, reversed: 0, held: 0, refused: 0 }
    assert.deepEqual(await day(api, first), {
      day: first,
      plays: 3,
      wins: 3,
      cost: 7.5,
      grants: 3,
      spinsGranted: 2_005,
      spinsSpent: 3,
      spinsWon: 0,
      spinsCorrected: -4,
      spinsExpired: 0,
      spinsFree: 0,
      newPlayers: 2,
      ...nothing,
      redeemed: 1,
    })
    const next = await day(api, second)
    assert.deepEqual(
      [next.plays, next.wins, next.cancelled],
      [1, 0, 1],
      'after midnight in Lagos, and out of stock',
    )
    await api.call('PATCH', '/merchant', { timeZone: 'UTC' })
    assert.equal((await day(api, first)).plays, 4)
    const prizes = await api.call('GET', `/reports/prizes?from=${first}&to=${first}`)
    const [mug, empty] = prizes.body.prizes
    assert.deepEqual(
      [mug.prizeId, mug.given, mug.drawn, mug.expected, mug.deviation, mug.cost, mug.redeemed, mug.cancelled],
      ['mug', 3, 4, 4, 0, 7.5, 1, 1],
    )
    assert.deepEqual([empty.prizeId, empty.given, empty.drawn], ['nothing', 1, 0])
    const csv = await api.call('GET', `/reports/days?from=${eve}&to=${first}&format=csv`)
    const rows = parse(csv.text, { columns: true }) as Record<string, string>[]
    assert.deepEqual(
      rows.map((row) => [row.day, row.plays, row.spinsCorrected]),
      [
        [eve, '0', '0'],
        [first, '4', '-4'],
      ],
    )
  })

  test('rows of long transactions are counted once they commit, however late', async () => {
    const api = await makeManagementApi(server)
    now = new Date(`${date(6)}T12:00:00Z`)
    await api.grant('late', 1)
    const { db } = server.ctx
    const player = await findPlayer(db, { merchantId: api.merchant.merchantId, playerId: 'late' }, new Date())
    const grant = { kind: 'grant' as const, amount: 7, key: 'x', reason: null, campaign: mainCampaign }
    await db.transaction(async (tx) => {
      const key = { merchantId: api.merchant.merchantId, playerId: 'late', shard: player?.shard ?? 0 }
      const [locked] = await lockPlayers(tx, [key])
      const entry = enter(locked as LockedPlayer, grant)
      await writeEntries(tx, { entries: [entry], players: [locked as LockedPlayer], events: [], now })
      await countSome()
    })
    await count()
    const today = await day(api, now.toISOString().slice(0, 10))
    assert.equal(today.spinsGranted, 8)
  })

  test('several processes that count concurrently count everything once', async () => {
    const api = await makeManagementApi(server)
    now = new Date(now.getTime() + 86_400_000)
    await Promise.all(times(50, (index) => api.grant(`p${index}`, 2)))
    await Promise.all(times(6, () => countSome()))
    await count()
    const today = await day(api, now.toISOString().slice(0, 10))
    assert.deepEqual([today.grants, today.spinsGranted, today.newPlayers], [50, 100, 50])
  })

  test('visits make a funnel and cohorts, by wheel and beside other days', async () => {
    const api = await makeManagementApi(server)
    await api.call('PATCH', '/merchant', { timeZone: 'Africa/Lagos' })
    await api.publish(alwaysWins({ stock: 3 }))
    await api.call('PUT', '/wheels/other', alwaysWins({}))
    const monday = new Date(`${mondayOf(date(15))}T00:00:00Z`)
    const dayOf = (at: Date) => at.toISOString().slice(0, 10)
    const sundayDate = dayOf(new Date(monday.getTime() - 1))
    // Ten minutes before and after midnight in Lagos, which is also the end of a week there.
    now = new Date(monday.getTime() - 70 * 60_000)
    const won = await api.play('ann')
    await api.play('cem')
    await open(api, 'bea')
    await open(api, 'bea')
    now = new Date(monday.getTime() - 50 * 60_000)
    await api.play('ann')
    await api.play('dan')
    await api.call('PUT', `/prizes/${won.playId}/redemption`, {})
    await server.ctx.openedVisits.flush()
    await Promise.all(times(3, () => countVisitsNow()))
    await until(countVisitsNow)
    assert.ok(await recountVisits(server.ctx.db, new Date(now.getTime() - 7_200_000)))
    await until(countVisitsNow)
    await count()

    const funnelOf = async (query: string) => {
      const { body } = await api.call('GET', `/reports/funnel?${query}`)
      return body.stages.map((stage: any) => [stage.visits, stage.comparedVisits])
    }
    const both = `from=${dayOf(monday)}&to=${dayOf(monday)}&compare=previous`
    const steps = [
      [2, 3],
      [2, 2],
      [1, 2],
      [0, 1],
      [0, 1],
    ]
    assert.deepEqual(await funnelOf(both), steps, 'a redemption counts for the day of the visit')
    assert.deepEqual(await funnelOf(`${both}&wheel=main`), steps)
    assert.deepEqual(
      await funnelOf(`${both}&wheel=other`),
      times(5, () => [0, 0]),
    )
    const sunday = `from=${sundayDate}&to=${sundayDate}`
    const funnel = await api.call('GET', `/reports/funnel?${sunday}`)
    assert.deepEqual(funnel.body.stages[1], {
      stage: 'played',
      visits: 2,
      share: 2 / 3,
      comparedVisits: null,
      comparedShare: null,
    })

    const report = (await api.call('GET', `/reports/performance?${both}&wheel=main`)).body
    assert.deepEqual(report.compared, { from: sundayDate, to: sundayDate })
    const { totals, comparedTotals } = report
    assert.deepEqual([totals.visits, totals.plays, totals.wins, totals.fallbacks], [2, 2, 1, 1])
    assert.deepEqual([comparedTotals.visits, comparedTotals.plays, comparedTotals.redeemed], [3, 2, 0])
    assert.equal(totals.redeemed, 1, 'here a redemption counts for its own day')
    const csv = parse((await api.call('GET', `/reports/performance?${both}&format=csv`)).text, {
      columns: true,
    }) as Record<string, string>[]
    assert.deepEqual([csv[0]?.day, csv[0]?.visits, csv[0]?.['compared.visits']], [dayOf(monday), '2', '3'])
    const file = async (address: string) => {
      const headers = { Authorization: api.token }
      return Buffer.from(await (await fetch(`${server.url}/api/v1/reports/${address}`, { headers })).bytes())
    }
    const german = await file(`funnel?${sunday}&format=csv&separator=semicolon&decimal=comma&bom=true`)
    assert.match(german.toString(), /^\uFEFFstage;visits;share;[^]*\nplayed;2;"0,666/)
    await api.call('PATCH', '/merchant', { currency: 'JPY' })
    const workbook = [...unzip(await file(`performance?${both}&format=xlsx`)).values()].join('')
    const row = `<row><c s="3"><v>${Date.parse(dayOf(monday)) / 86_400_000 + 25_569}</v></c><c><v>2</v></c>`
    for (const part of [row, '>compared.visits<', '<c s="4"><v>', 'formatCode="#,##0 [$JPY]"'])
      assert.ok(workbook.includes(part), part)

    const cohorts = (
      await api.call('GET', `/reports/cohorts?from=${sundayDate}&to=${dayOf(monday)}&wheel=main`)
    ).body.cohorts
    assert.deepEqual(
      cohorts.map(({ week, players, weeks }: any) => [week, players, weeks.map((one: any) => one.players)]),
      [
        [mondayOf(sundayDate), 2, [2, 1]],
        [dayOf(monday), 1, [1]],
      ],
    )

    await api.call('PATCH', '/merchant', { timeZone: 'UTC' })
    const inUtc = () =>
      Promise.all(
        ['days', 'prizes', 'performance'].map(async (kind) => {
          const { body } = await api.call('GET', `/reports/${kind}?from=${sundayDate}&to=${dayOf(monday)}`)
          return [body.days, body.prizes, body.totals]
        }),
      )
    const fromQuarters = await inUtc()
    assert.equal(fromQuarters[2]?.[2].plays, 4)
    now = new Date(now.getTime() + 2 * dayMs)
    await count()
    assert.deepEqual(await inUtc(), fromQuarters, 'days that are over are summed, in the new time zone')

    for (const kind of ['prizes', 'performance', 'funnel', 'cohorts'])
      assert.equal((await api.call('GET', `/reports/${kind}?wheel=none`)).body.code, 'wheel_not_found')
  })

  test('a redemption that is taken back leaves the funnel, unless another prize of the visit is still redeemed', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    now = new Date(now.getTime() + dayMs)
    const dayAt = now.toISOString().slice(0, 10)
    const [one, other] = [await api.play('ann'), await api.play('ann')]
    const bobs = await api.play('bob')
    const settle = async (
      action: 'redemption' | 'redemption-reversal',
      { playId }: { playId: string },
      stepMs = 60_000,
    ) => {
      now = new Date(now.getTime() + stepMs)
      const { status } = await api.call('PUT', `/prizes/${playId}/${action}`, { reason: 'wrong shelf' })
      assert.equal(status, 200)
    }
    const stages = async () => {
      await until(countVisitsNow)
      const { body } = await api.call('GET', `/reports/funnel?from=${dayAt}&to=${dayAt}`)
      return body.stages.map(({ visits }: any) => visits)
    }
    for (const prize of [one, other, bobs]) await settle('redemption', prize)
    assert.deepEqual(await stages(), [2, 2, 2, 2, 2])
    await settle('redemption-reversal', one)
    assert.deepEqual(await stages(), [2, 2, 2, 2, 2], 'the other prize is still redeemed')
    await settle('redemption-reversal', other)
    assert.deepEqual(await stages(), [2, 2, 2, 2, 1])
    assert.ok(await recountVisits(server.ctx.db, new Date(`${dayAt}T00:00:00Z`)))
    assert.deepEqual(await stages(), [2, 2, 2, 2, 1], 'counted again, it is the same')
    // In one interval, with several processes counting meanwhile. They leave the last seconds out, in which these
    // happen.
    await settle('redemption', one)
    await settle('redemption-reversal', one)
    await Promise.all([
      settle('redemption', other, 1_000),
      settle('redemption-reversal', bobs, 1_000),
      ...times(3, () => countVisits(server.ctx.db, now, dayMs)),
    ])
    assert.deepEqual(await stages(), [2, 2, 2, 2, 1])
    await settle('redemption-reversal', other)
    await settle('redemption', bobs)
    await settle('redemption-reversal', bobs)
    assert.deepEqual(await stages(), [2, 2, 2, 2, 0])
  })

  test('figures, reports, lists and exports are those of a campaign if one is named', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ cost: 2.5, stock: 9 }))
    await api.call('POST', '/code-pools/sweets/codes', { codes: ['A', 'B', 'C'] })
    await api.call('PUT', '/wheels/summer', alwaysWins({ prize: { kind: 'pool', pool: 'sweets' } }))
    await api.call('POST', '/wheels/summer/publication')
    for (const [campaign, wheel] of [
      ['summer', 'summer'],
      ['again', 'main'],
    ])
      await api.call('POST', '/campaigns', { campaign, name: campaign, wheel })
    now = new Date(now.getTime() + dayMs)
    const dayAt = now.toISOString().slice(0, 10)
    const played = []
    for (const campaign of ['main', 'summer', 'again']) played.push(await playIn(api, 'ann', campaign))
    played.push(await playIn(api, 'bob', 'summer'))
    await api.call('PUT', `/prizes/${played[1].playId}/redemption`, {})
    await open(api, 'cem')
    await until(async () => (await readAll(api, '/players/ann/links?campaign=again', 'links')).length === 1)
    await server.ctx.openedVisits.flush()
    await count()
    await until(countVisitsNow)

    const listed = async () =>
      (await api.call('GET', '/campaigns?figures=true')).body.campaigns.map(({ campaign, figures }: any) => [
        campaign,
        figures.plays,
        figures.cost,
        figures.redeemed,
        ...figures.stock.map((prize: any) => `${prize.prizeId} ${prize.left}/${prize.total}`),
      ])
    const figures = [
      ['again', 1, 2.5, 0, 'mug 7/9'],
      ['main', 1, 2.5, 0, 'mug 7/9'],
      ['summer', 2, 0, 1, 'mug 1/3'],
    ]
    assert.deepEqual(await listed(), figures)

    let range = `from=${dayAt}&to=${dayAt}`
    const reported = async (campaign: string) => {
      const read = async (name: string) =>
        (await api.call('GET', `/reports/${name}?${range}&campaign=${campaign}`)).body
      const [performance, funnel, cohorts, prizes] = await Promise.all(
        ['performance', 'funnel', 'cohorts', 'prizes'].map(read),
      )
      const { visits, plays, redeemed } = performance.totals
      const stages = funnel.stages.map((stage: any) => stage.visits)
      return [visits, plays, redeemed, stages, cohorts.cohorts[0].players, prizes.prizes[0].given]
    }
    const reports = async () => [await reported('main'), await reported('summer'), await reported('again')]
    const expected = [
      [2, 1, 0, [2, 1, 1, 0, 0], 1, 1],
      [2, 2, 1, [2, 2, 2, 1, 1], 2, 2],
      [1, 1, 0, [1, 1, 1, 0, 0], 1, 1],
    ]
    assert.deepEqual(await reports(), expected)
    now = new Date(now.getTime() + 2 * dayMs)
    await count()
    assert.deepEqual([await listed(), await reports()], [figures, expected], 'also when the day is closed')
    range = `from=${dayAt.slice(0, 8)}01&to=${date(75)}`
    const prizes = async () => (await api.call('GET', `/reports/prizes?${range}`)).body.prizes
    const ofDays = await prizes()
    now = new Date(`${date(70)}T12:00:00Z`)
    await count()
    assert.deepEqual([await listed(), await prizes()], [figures, ofDays], 'and when the month is closed')
    // The server counts by itself now and then.
    await until(() => recountActivity(server.ctx.db, new Date(`${dayAt}T00:00:00Z`)))
    assert.deepEqual((await listed())[1].slice(0, 2), ['main', 0])
    await count()
    assert.deepEqual([await listed(), await prizes()], [figures, ofDays], 'and when it is counted again')

    const idsOf = (items: any[]) => items.map(({ playId }) => playId)
    const summer = idsOf([played[3], played[1]])
    assert.deepEqual(idsOf(await readAll(api, '/plays?campaign=summer', 'plays')), summer)
    assert.deepEqual(
      idsOf(await readAll(api, '/plays?campaign=main&playerId=ann', 'plays')),
      idsOf([played[0]]),
    )
    assert.deepEqual(idsOf(await readAll(api, '/prizes?campaign=summer', 'prizes')), summer)
    assert.equal((await readAll(api, '/prizes?campaign=summer&state=redeemed', 'prizes')).length, 1)
    const kinds = async (campaign: string) =>
      (await readAll(api, `/players/ann/ledger?campaign=${campaign}`, 'entries')).map(({ kind }) => kind)
    assert.deepEqual(
      [await kinds('summer'), await kinds('main')],
      times(2, () => ['play', 'initial']),
    )
    for (const [list, rows] of [
      ['plays', 2],
      ['prizes', 2],
      ['ledger', 4],
    ] as const) {
      const csv = await api.call('GET', `/exports/${list}?format=csv&campaign=summer`)
      const parsed = parse(csv.text, { columns: true }) as Record<string, string>[]
      assert.deepEqual(
        [parsed.length, new Set(parsed.map(({ campaign }) => campaign))],
        [rows, new Set(['summer'])],
      )
    }
    await until(
      async () => (await readAll(api, '/events/search?types=prize.redeemed', 'events')).length === 1,
    )
    const types = async (campaign: string) =>
      (await readAll(api, `/events/search?campaign=${campaign}`, 'events'))
        .map(({ type }) => String(type))
        .toSorted()
    const ofPlay = ['link.created', 'link.opened', 'play.completed', 'prize.won', 'spins.granted']
    assert.deepEqual(
      await types('summer'),
      ['campaign.created', ...ofPlay, ...ofPlay, 'prize.redeemed'].toSorted(),
    )
    assert.deepEqual(await types('main'), [...ofPlay, 'link.created', 'link.opened'].toSorted())
    for (const path of ['/plays', '/prizes', '/players/ann/ledger', '/exports/ledger', '/reports/funnel'])
      assert.equal((await api.call('GET', `${path}?campaign=none`)).body.code, 'campaign_not_found')
  })

  /** Plays once in a campaign. */
  async function playIn(api: ManagementApi, playerId: string, campaign: string) {
    const link = await api.call('POST', '/links', { playerId, campaign, initialSpins: 1 })
    const { body } = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.body.token })
    return api.spin(body)
  }

  /** Opens a game link without a play. */
  async function open(api: ManagementApi, playerId: string): Promise<void> {
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId })
    const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.body.token })
    assert.equal(opened.status, 200)
  }

  /** Counts visits like the worker, and returns whether all are counted. */
  async function countVisitsNow(): Promise<boolean> {
    const later = new Date(now.getTime() + activityLagMs + 1)
    while (await countVisits(server.ctx.db, later, dayMs));
    return ((await readPosition(server.ctx.db, 'visits')) ?? new Date(0)) > now
  }

  test('invalid, too many or reversed days are refused', async () => {
    const api = await makeManagementApi(server)
    for (const query of [
      'from=2026-02-30',
      'from=2020-01-01&to=2026-01-01',
      'from=2026-01-02&to=2026-01-01',
      'to=x',
      'to=0000-01-01',
    ])
      assert.equal((await api.call('GET', `/reports/days?${query}`)).body.code, 'validation_failed', query)
    const plain = await api.call('GET', '/reports/days')
    assert.equal(plain.body.days.length, 30)
    assert.equal(typeof plain.body.countedUntil, 'string')
  })

  test('the second of two concurrent settings changes is refused, and so is an unknown time zone', async () => {
    const api = await makeManagementApi(server)
    const etag = (await api.call('GET', '/merchant')).headers.get('etag') ?? ''
    const change = (body: object) => api.call('PATCH', '/merchant', body, { 'If-Match': etag })
    assert.equal((await change({ grantMax: 10 })).status, 200)
    const late = await change({ grantMax: 20 })
    assert.deepEqual([late.status, late.body.code], [412, 'settings_changed'])
    const unknown = await api.call('PATCH', '/merchant', { timeZone: 'Mars/Olympus' })
    assert.equal(unknown.body.code, 'validation_failed')
    assert.equal((await api.call('PATCH', '/merchant', { slug: 'other', name: 'x' })).status, 400)
    const read = await api.call('GET', '/merchant')
    assert.deepEqual([read.body.grantMax, read.body.merchant], [10, api.merchant.slug])
    const [entry] = (await api.call('GET', '/audit-log')).body.entries
    assert.deepEqual(
      [entry.action, entry.before, entry.after],
      ['merchant.set', { grantMax: 1_000_000 }, { grantMax: 10 }],
    )
  })
})
