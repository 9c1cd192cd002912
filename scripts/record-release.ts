// `npm run record-release -- <release> <commit>`: runs the code of an earlier release from the git history on an empty
// database, uses it as merchants, players and staff do, and writes its database and its answers to
// test/database/releases/<release>.json.gz. test/database/releases.test.ts upgrades them. Run it once for each release,
// when it is made.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { beginSnapshot, describeContents, readRows } from '../src/db/backup/table-contents.ts'
import { openCluster } from '../src/db/embedded/cluster.ts'
import { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts'
import type * as Migrations from '../src/db/migrate.ts'
import { type RecordedRelease, releaseFolder } from '../test/database/recorded-release.ts'
import { checkOut } from './check-out.ts'

const [release, name] = process.argv.slice(2)
if (release === undefined || name === undefined) {
  console.error('Usage: npm run record-release -- <release> <commit>')
  process.exit(1)
}
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const scopes = 'spins,links,manage,events,prizes,read'
const staff = { email: 'anna@example.com', password: 'correct horse battery staple' }
const sealKey = randomBytes(32).toString('hex')

const commit = execFileSync('git', ['rev-parse', name], { encoding: 'utf8' }).trim()
const sources = checkOut(commit)
const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-record-'))
chmodSync(dataDir, 0o711)
const database = await EmbeddedPostgres.run(await openCluster({ dataDir, onTrouble: console.error }))
const { host, user } = database.target
const env = {
  PATH: process.env.PATH,
  DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${database.target.port}/${database.target.database}`,
  PORT: String(port),
  PUBLIC_URL: url,
  METRICS_ADDRESS: 'off',
  DEMO: 'off',
  LOG_LEVEL: 'warn',
  SEAL_KEY: sealKey,
  SEAL_INTERVAL_SECONDS: '1',
}
const server = run('serve')
try {
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true)
  const answers = await use()
  server.kill('SIGTERM')
  await once(server, 'exit')
  const recorded: RecordedRelease = { release, commit, ...answers, ...(await readDatabase()) }
  mkdirSync(releaseFolder, { recursive: true })
  const file = join(releaseFolder, `${release}.json.gz`)
  writeFileSync(file, gzipSync(JSON.stringify(recorded), { level: 9 }))
  console.log(`Wrote ${file}, ${readFileSync(file).length} bytes.`)
} finally {
  server.kill('SIGKILL')
  await database.stop()
  for (const folder of [dataDir, sources]) rmSync(folder, { recursive: true, force: true })
}

/** Everything that must be the same after an upgrade, as the release itself reports it. */
async function use(): Promise<Omit<RecordedRelease, 'release' | 'commit' | keyof Stored>> {
  await command('merchant', 'create', 'acme')
  await command('merchant', 'set', 'acme', '--link-lifetime', '30d')
  const issued = await command('token', 'issue', 'acme', '--name', 'shop', '--scopes', scopes)
  const token = issued.split('\n')[0] as string
  const recordedAt = new Date().toISOString()
  const { email, password } = staff
  const invited = await command('staff', 'invite', email, '--merchant', 'acme', '--role', 'owner')
  const invitation = /^http\S*?([A-Za-z0-9_-]{20,})$/m.exec(invited)?.[1]
  await call('POST', '/api/v1/session/acceptance', { token: invitation, name: 'Anna', password })

  const grants: RecordedRelease['grants'] = []
  const links: RecordedRelease['links'] = []
  const plays: RecordedRelease['plays'] = []
  for (const [index, playerId] of ['anna', 'björn', '玩家'].entries()) {
    const initialSpin = index + 1
    const link = await call('POST', '/api/game/sso', { playerId, initialSpin }, token)
    links.push({ playerId, initialSpin, token: link.token as string })
    for (const spinNumber of [5, 2]) {
      const key = `order-${index}-${spinNumber}`
      const body = { playerId, spinNumber }
      grants.push({ key, body, answer: await call('POST', '/api/player/increaseSpin', body, token, key) })
    }
    for (let round = 0; round <= index + 2; round++) plays.push(await play(link.token as string))
  }
  await call('POST', '/api/player/increaseSpin', { playerId: 'anna', spinNumber: 1 }, token)
  await until(isSealed)
  const players: RecordedRelease['players'] = {}
  for (const { playerId } of links)
    players[playerId] = (await call(
      'GET',
      `/api/v1/players/${encodeURIComponent(playerId)}`,
      undefined,
      token,
    )) as { spinCount: number }
  const { events } = (await call('GET', '/api/v1/events?after=0&limit=1000', undefined, token)) as {
    events: RecordedRelease['events']
  }
  return {
    recordedAt,
    token,
    sealKey,
    staff,
    grants,
    links,
    plays,
    players,
    events,
    proofs: await command('plays', 'export', 'acme'),
    seals: await command('seals'),
  }
}

async function play(token: string): Promise<RecordedRelease['plays'][number]> {
  const opened = (await call('POST', '/api/v1/game/session', { token })) as any
  const order = {
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: opened.next.commitment as string,
    versionHash: opened.wheel.hash as string,
  }
  const answer = await call('POST', '/api/v1/game/plays', { session: opened.session, ...order })
  return { order: { ...order, link: token }, answer }
}

async function isSealed(): Promise<boolean> {
  const { entries, seals } = JSON.parse(await command('audit', '--json'))
  return seals.entries >= entries
}

async function call(
  method: string,
  path: string,
  body?: object,
  token?: string,
  key?: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Origin: url,
      'Sec-Fetch-Site': 'same-origin',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: token }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
  return JSON.parse(answer) as Record<string, unknown>
}

type Stored = Pick<RecordedRelease, 'migrations' | 'contents' | 'rows'>

async function readDatabase(): Promise<Stored> {
  const { schemaTexts } = (await import(join(sources, 'src', 'db', 'migrate.ts'))) as typeof Migrations
  const client = new pg.Client(database.target)
  await client.connect()
  try {
    await beginSnapshot(client)
    const contents = await describeContents(client)
    const rows: Record<string, string> = {}
    for (const table of contents.tables) {
      const parts = await Array.fromAsync(readRows(client, table))
      if (parts.length > 0) rows[table.name] = Buffer.concat(parts).toString()
    }
    return { migrations: schemaTexts(contents.schema), contents, rows }
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port: free } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return free
}

function run(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(sources, 'src', 'main.ts'), ...args], {
    cwd: dataDir,
    env,
    stdio: 'inherit',
  })
}

async function command(...args: string[]): Promise<string> {
  return execFileSync(process.execPath, [join(sources, 'src', 'main.ts'), ...args], {
    cwd: dataDir,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (server.exitCode !== null) throw new Error(`the server has ended with exit code ${server.exitCode}`)
    await sleep(200)
  }
}
