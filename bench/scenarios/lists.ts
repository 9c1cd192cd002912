import { changeCampaign, createCampaign } from '../../src/campaigns/change-campaigns.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { program } from '../contestants/wheelhouse.ts'
import { makeBusyMerchant, makeWheel, timed } from '../manage/busy-merchant.ts'
import { fillLists, fillVisitCounts } from '../manage/fill-lists.ts'
import { printTable, spreadOf } from '../report.ts'
import { databaseUrl, type Postgres } from '../scene/postgres.ts'
import { startServer } from '../scene/server-process.ts'
import type { Bench, Scenario } from './scenario.ts'

const name = 'lists'
const entriesEach = 10
const playsEach = 3
/** As many as a merchant can have at once. */
const campaignCount = 50
const rounds = 11
const millisecondsMax = 300
const monthMs = 30 * 86_400_000

/** Every list, search and report of the console, with ten entries and three plays per player, and 50 campaigns. */
export const lists: Scenario = {
  name,
  title: 'Lists, searches and reports of the console',
  seconds: (bench) => bench.entries / 25_000 + 30,
  async run(bench: Bench) {
    const players = Math.ceil(bench.entries / entriesEach)
    const { target, token } = await prepare(bench.postgres, players)
    const server = await startServer([program, 'serve'], {
      DATABASE_URL: databaseUrl(target),
      METRICS_ADDRESS: 'off',
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      RATE_LIMIT_PER_SECOND: '10000',
    })
    try {
      const measured = []
      for (const path of await pathsOf(bench.postgres, players))
        measured.push(await measure(`http://127.0.0.1:${server.port}/api/v1${path}`, path, token))
      const ofAll = [players, entriesEach * players, playsEach * players].map((count) =>
        count.toLocaleString('en'),
      )
      console.log(
        `\n${lists.title}: ${ofAll[0]} players, ${ofAll[1]} entries, ${ofAll[2]} plays, ${campaignCount} campaigns`,
      )
      printTable(
        ['', 'median ms', 'first', 'worst', ''],
        measured.map(({ path, first, median, max }) => [
          path,
          median.toFixed(1),
          first.toFixed(1),
          max.toFixed(1),
          median > millisecondsMax ? 'TOO SLOW' : '',
        ]),
      )
      const slow = measured.filter(({ median }) => median > millisecondsMax)
      if (slow.length > 0) throw new Error(`${slow.length} of them take longer than ${millisecondsMax} ms`)
    } finally {
      await server.stop()
    }
  },
}

async function prepare(postgres: Postgres, players: number) {
  const target = await postgres.createDatabase(name)
  const made = await makeBusyMerchant(target, { days: 370 })
  const { db, seedKeyId, token } = made
  const { merchantId } = made.merchant
  const campaigns = await makeCampaigns(made)
  await timed('filling', () =>
    fillLists(
      postgres,
      { database: name, merchantId, campaigns, seedKeyId },
      { players, entriesEach, playsEach },
    ),
  )
  await timed('counting', async () => {
    while (await countActivity(db, new Date(), monthMs));
    await fillVisitCounts(postgres, name)
  })
  await postgres.query(name, 'vacuum analyze')
  await db.close()
  return { target, token }
}

/** `main` and the others, each with a wheel of its own. Half of all plays are of `main`. */
async function makeCampaigns(made: Awaited<ReturnType<typeof makeBusyMerchant>>) {
  const { db, merchant, now } = made
  const { merchantId } = merchant
  const cause = { actor: { kind: 'command', id: 'bench', name: null } as const, requestId: null, now }
  const main = { campaignId: null, wheelId: await makeWheel(made, 'wheel-0', wheel) }
  const change = { wheel: 'wheel-0' }
  await changeCampaign(db, { merchantId, slug: 'main', change, revision: undefined }, cause)
  const campaigns = []
  for (let number = 1; number < campaignCount; number++) {
    const slug = `campaign-${number}`
    const wheelId = await makeWheel(made, `wheel-${number}`, wheel)
    const settings = {
      name: slug,
      wheel: `wheel-${number}`,
      priority: 0,
      opensAt: null,
      closesAt: null,
      texts: {},
      spinLifetimeDays: null,
      freeSpins: null,
    }
    const order = { merchantId, slug, purse: undefined, ...settings }
    const { campaignId } = await createCampaign(db, order, cause)
    campaigns.push({ campaignId, wheelId }, main)
  }
  return campaigns
}

const wheel: WheelDocument = {
  ...defaultWheel,
  fallback: 'nothing',
  segments: [
    {
      id: 'mug',
      label: 'Mug',
      color: '#112233',
      weight: 10,
      prize: { kind: 'handover' },
      stock: 1_000_000,
      cost: 3,
    },
    { id: 'code', label: 'Code', color: '#223344', weight: 10, prize: { kind: 'fixed', code: 'x' }, cost: 1 },
    { id: 'trip', label: 'Trip', color: '#334455', weight: 2, prize: { kind: 'handover' }, cost: 90 },
    { id: 'spin', label: 'Spin', color: '#334466', weight: 8, prize: { kind: 'spins', spins: 1 } },
    { id: 'nothing', label: 'Nothing', color: '#445566', weight: 70, prize: { kind: 'none' } },
  ],
}

/** The requests of the console's views. */
async function pathsOf(postgres: Postgres, players: number): Promise<string[]> {
  const [some] = await postgres.query<{ code: string; playId: string }>(
    name,
    `select code, play_id as "playId" from plays where code is not null and player_no > ${Math.floor(players / 2)} limit 1`,
  )
  const today = new Date().toISOString().slice(0, 10)
  const yearAgo = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)
  const monthAgo = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
  const periods = [`from=${monthAgo}&to=${today}`, `from=${yearAgo}&to=${today}`]
  const player = `player-${Math.floor(players / 2)}`
  return [
    '/campaigns?limit=100&figures=true',
    '/campaigns?limit=100',
    '/campaigns/campaign-7',
    '/wheels',
    '/wheels/wheel-1',
    '/wheels/wheel-1/versions',
    '/code-pools',
    '/players?limit=50',
    `/players?prefix=${player.slice(0, -2)}`,
    '/players?prefix=nobody',
    '/players?search=99&limit=50',
    '/players?search=nobody',
    '/players?blocked=true',
    `/players/${player}`,
    `/players/${player}/ledger`,
    `/players/${player}/ledger?campaign=campaign-7`,
    `/players/${player}/links`,
    `/players/${player}/links?campaign=campaign-7`,
    `/plays?playerId=${player}`,
    `/prizes?playerId=${player}`,
    '/plays?limit=50',
    '/plays?wheel=wheel-3&limit=50',
    '/plays?campaign=campaign-7&limit=50',
    '/plays?campaign=main&won=true&limit=50',
    '/plays?won=true&limit=50',
    '/plays?prizeId=trip&limit=50',
    '/prizes?limit=50',
    '/prizes?campaign=campaign-7&limit=50',
    '/prizes?campaign=campaign-7&state=redeemed&limit=50',
    '/prizes?state=won&limit=50',
    '/prizes?state=redeemed&limit=50',
    '/prizes?state=cancelled&limit=50',
    '/prizes?state=expired&limit=50',
    '/prizes?prizeId=trip&limit=50',
    `/prizes?code=${some?.code}`,
    `/prizes/${some?.playId}`,
    '/events/search?limit=50',
    '/events/search?types=prize.won&limit=50',
    '/events/search?campaign=campaign-7&limit=50',
    '/events/search?campaign=main&limit=50',
    `/events/search?playerId=${player}&limit=50`,
    '/audit-log?limit=50',
    '/audit-log?actor=Person%207&limit=50',
    '/audit-log?subject=play-77&limit=50',
    '/audit-log?action=wheel.publish&limit=50',
    ...periods.flatMap((period) => [
      `/reports/days?${period}`,
      `/reports/prizes?${period}`,
      `/reports/prizes?${period}&wheel=wheel-2`,
      `/reports/prizes?${period}&campaign=campaign-7`,
      `/reports/performance?${period}&compare=previous`,
      `/reports/performance?${period}&compare=previous&campaign=campaign-7`,
      `/reports/performance?${period}&compare=year&campaign=main`,
      `/reports/performance?${period}&compare=year&wheel=wheel-2`,
      `/reports/funnel?${period}&compare=previous`,
      `/reports/funnel?${period}&wheel=wheel-2`,
      `/reports/funnel?${period}&compare=previous&campaign=campaign-7`,
      `/reports/cohorts?${period}`,
      `/reports/cohorts?${period}&campaign=campaign-7`,
    ]),
    '/reports/cohorts?wheel=wheel-2',
  ]
}

/** `first` is the request that finds cold caches. The median is over all. */
async function measure(url: string, path: string, token: string) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const response = await fetch(url, { headers: { Authorization: token } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${text}`)
    times.push(performance.now() - start)
  }
  return { path, first: times[0] as number, ...spreadOf(times) }
}
