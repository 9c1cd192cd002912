// `node bench/manage/million.ts [plays]`: measures lists, searches and reports with a million plays, and the memory
// that the server takes while it exports them. Everything runs on this machine; the server is a separate process.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expirePrizes } from '../../src/prizes/expire-prizes.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { databaseUrl, Postgres } from '../scene/postgres.ts'
import { residentBytes, startServer } from '../scene/server-process.ts'
import { makeBusyMerchant, makeWheel, timed } from './busy-merchant.ts'
import { fill } from './fill.ts'

const plays = Number(process.argv[2] ?? 1_000_000)
const program = join(import.meta.dirname, '..', '..', 'bin', 'wheelhouse')

const wheel: WheelDocument = {
  ...defaultWheel,
  fallback: 'nothing',
  segments: [
    { id: 'mug', label: 'Mug', color: '#112233', weight: 1, prize: { kind: 'handover' }, cost: 3 },
    { id: 'code', label: 'Code', color: '#223344', weight: 1, prize: { kind: 'fixed', code: 'x' } },
    { id: 'nothing', label: 'Nothing', color: '#445566', weight: 8, prize: { kind: 'none' } },
  ],
}

const postgres = await Postgres.start()
try {
  const target = await postgres.createDatabase('million')
  const made = await makeBusyMerchant(target, { days: 31 })
  const { db, seedKeyId, token } = made
  const { merchantId } = made.merchant
  const wheelId = await makeWheel(made, 'shop', wheel)
  await timed(`filling ${plays} plays`, () =>
    fill(postgres, 'million', { merchantId, wheelId, plays, seedKeyId }),
  )
  await timed('counting them', async () => {
    while (await countActivity(db, new Date()));
  })
  let expired = 0
  await timed('expiring unclaimed prizes', async () => {
    for (let some = -1; some !== 0; expired += some) some = await expirePrizes(db, new Date())
  })
  console.log(`  (${expired} prizes)`)
  await db.close()

  const server = await startServer([program, 'serve'], {
    DATABASE_URL: databaseUrl(target),
    METRICS_ADDRESS: 'off',
    LOG_LEVEL: 'warn',
    DEMO: 'off',
  })
  const base = `http://127.0.0.1:${server.port}/api/v1`
  const headers = { Authorization: token }
  const [code] = await postgres.query<{ code: string }>(
    'million',
    'select code from plays where code is not null offset 5000 limit 1',
  )
  for (const path of [
    '/reports/days',
    '/reports/prizes',
    '/plays?limit=50',
    '/prizes?limit=50',
    '/prizes?state=won&limit=50',
    '/prizes?state=expired&limit=50',
    '/prizes?prizeId=code&limit=50',
    `/prizes?code=${code?.code}`,
    `/prizes?code=${code?.code.toLowerCase()}`,
    '/players?limit=50',
    '/players?prefix=p1999',
    '/players?search=999&limit=50',
    '/players?search=nobody',
    '/players/p77/ledger',
    '/plays?playerId=p77',
  ])
    await measure(path)
  for (const kind of ['players', 'ledger', 'plays', 'prizes']) await measureExport(kind)
  await server.stop()

  async function measure(path: string): Promise<void> {
    const times: number[] = []
    for (let round = 0; round < 20; round++) {
      const start = performance.now()
      const response = await fetch(`${base}${path}`, { headers })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${text}`)
      times.push(performance.now() - start)
    }
    const [median, worst] = [times.toSorted((one, other) => one - other)[10] ?? 0, Math.max(...times)]
    console.log(`${path.padEnd(34)} median ${median.toFixed(1)} ms, worst of 20 ${worst.toFixed(1)} ms`)
  }

  async function measureExport(kind: string): Promise<void> {
    const before = residentBytes(server.pid)
    let most = before
    const sampling = setInterval(() => (most = Math.max(most, residentBytes(server.pid))), 100)
    const start = performance.now()
    let rows = 0
    const request = get(`${base}/exports/${kind}`, { headers })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    for await (const chunk of response) for (const byte of chunk as Buffer) if (byte === 10) rows++
    clearInterval(sampling)
    const seconds = (performance.now() - start) / 1000
    if (kind === 'plays' && rows !== plays) throw new Error(`${rows} rows for ${plays} plays`)
    const mib = (bytes: number) => Math.round(bytes / 1024 ** 2)
    console.log(
      `export of ${rows} ${kind}: ${seconds.toFixed(1)} s; memory ${mib(before)} MiB before, ${mib(most)} MiB at most`,
    )
  }
} finally {
  await postgres.stop()
}
