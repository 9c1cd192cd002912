import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Database } from '../../src/db/database.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { shardValues } from '../../src/players/shard.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { databaseUrl } from '../scene/postgres.ts'
import { childrenMicros, freePort, startServer } from '../scene/server-process.ts'
import { fillLedger } from './fill-ledger.ts'
import {
  type Contestant,
  type RunningContestant,
  expectEqual,
  type ScenarioSetup,
  type PrizeSetup,
} from './contestant.ts'

export const program = join(import.meta.dirname, '..', '..', 'bin', 'wheelhouse')

export const wheelhouse: Contestant = {
  name: 'wheelhouse',
  start: (setup) => startWheelhouse(setup, { name: 'wheelhouse', entriesPerPlayer: 0 }),
}

/**
 * A checkout of another version, to compare the two within one run. Its own commands and API prepare and audit it.
 * Where prizes are paced, it has a stock instead, because it may be older than pacing.
 */
export function otherVersion(folder: string): Contestant {
  const name = 'wheelhouse before'
  const otherProgram = resolve(folder, 'bin', 'wheelhouse')
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        { ...setup, scenario: `before_${setup.scenario}`, prizes: setup.prizes.map(unpaced) },
        { name, entriesPerPlayer: 0, program: otherProgram },
      ),
  }
}

/** This version with several processes, which share the port. */
export function withProcesses(count: number): Contestant {
  const name = `wheelhouse, ${count} processes`
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        {
          ...setup,
          scenario: `processes_${setup.scenario}`,
          settings: { ...setup.settings, PROCESSES: String(count) },
        },
        { name, entriesPerPlayer: 0 },
      ),
  }
}

function unpaced({ isPaced: _isPaced, ...prize }: PrizeSetup): PrizeSetup {
  return prize
}

/** Starts Wheelhouse as its users do, except that rate limits are raised and the driver gives client addresses. */
export async function startWheelhouse(
  setup: ScenarioSetup,
  {
    name,
    entriesPerPlayer,
    program: started = program,
  }: { name: string; entriesPerPlayer: number; program?: string },
): Promise<RunningContestant> {
  const { postgres } = setup
  const target = await postgres.createDatabase(`wheelhouse_${setup.scenario}`)
  const { database } = target
  const inspectPort = setup.profileFolder === undefined ? undefined : await freePort()
  const environment = {
    DATABASE_URL: databaseUrl(target),
    METRICS_ADDRESS: 'off',
    RATE_LIMIT_PER_SECOND: '1000000',
    TRUST_PROXY: '127.0.0.1',
    ...setup.settings,
  }
  // The first start creates the schema. The measured server finds the players in it, so its query plans fit their
  // number.
  const first = await startServer([started, 'serve'], environment)
  const run = (...args: string[]) => runCommand(started, args, environment)
  const token = await prepare({ run, url: `http://127.0.0.1:${first.port}` }, setup, database)
  await first.stop()
  if (entriesPerPlayer > 0) await fillLedger(postgres, database, entriesPerPlayer)
  const acknowledged = setup.prizes.some(({ isPaced }) => isPaced === true)
    ? acknowledgedInRuns
    : acknowledgedInStock
  const [before] = await postgres.query<Acknowledged>(database, acknowledged)
  const server = await startServer([started, 'serve'], {
    ...environment,
    ...(inspectPort === undefined ? {} : { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` }),
  })
  return {
    name,
    port: server.port,
    pid: server.pid,
    token,
    answers: 'wheelhouse',
    ...(inspectPort === undefined ? {} : { inspectPort }),
    databaseMicros: () => childrenMicros(postgres.pid),
    async setStock(left) {
      await postgres.query(database, 'update prize_stocks set stock = given + $1', [left])
    },
    async check({ grants, spins, plays, wins }) {
      const [after] = await postgres.query<Acknowledged>(database, acknowledged)
      const added = { grants: grants + (before?.grants ?? 0), spins: spins + (before?.spins ?? 0) }
      expectEqual(name, after ?? {}, { ...added, plays, wins })
      await run('audit')
    },
    stop: () => server.stop(),
  }
}

function openDatabase(target: DatabaseTarget): Database {
  return new Database({
    targets: [target],
    poolMax: 2,
    pooler: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 60_000,
    applicationName: 'wheelhouse-bench',
    onConnectionError: () => undefined,
  })
}

/** Adds another merchant on the same server, and returns its token. */
export async function addMerchant({ postgres, scenario }: ScenarioSetup, slug: string): Promise<string> {
  const db = openDatabase(postgres.targetOf(`wheelhouse_${scenario}`))
  try {
    const merchant = await createMerchant(db, { slug, name: slug, now: new Date() })
    return await issue(db, merchant)
  } finally {
    await db.close()
  }
}

function issue(db: Database, merchant: Merchant): Promise<string> {
  const scopes = ['spins', 'links', 'manage'] as const
  const name = randomBytes(4).toString('hex')
  return db.transaction((tx) => issueToken(tx, merchant, { name, scopes, expiresAt: null, now: new Date() }))
}

type Prepared = { run: (...args: string[]) => Promise<string>; url: string }

/** Creates a merchant with a wheel and players, and returns its token. The server must be running. */
async function prepare({ run, url }: Prepared, setup: ScenarioSetup, database: string): Promise<string> {
  await run('merchant', 'create', 'bench')
  const issued = await run('token', 'issue', 'bench', '--scopes', 'spins,links,manage', '--json')
  const { token } = JSON.parse(issued) as { token: string }
  if (setup.prizes.length > 0) {
    await ask(url, token, 'PUT', '/api/v1/wheels/main', wheelOf(setup.prizes))
    await ask(url, token, 'POST', '/api/v1/wheels/main/publication')
  }
  const [merchant] = await setup.postgres.query<{ id: number }>(database, findMerchant)
  await setup.postgres.query(database, insertPlayers, [merchant?.id, setup.players, shardValues])
  // Only tables with rows: statistics of an empty table would lead to other query plans.
  await setup.postgres.query(database, 'vacuum analyze players')
  return token
}

/** Runs a command of the measured version. Throws if it fails, as `audit` does if it finds something. */
async function runCommand(command: string, args: string[], env: Record<string, string>): Promise<string> {
  const { PATH } = process.env
  const { stdout } = await promisify(execFile)(command, args, { env: { PATH, ...env }, cwd: tmpdir() })
  return stdout
}

export async function ask(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const headers = {
    authorization: token,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}${path}`, init)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

export function wheelOf(prizes: readonly PrizeSetup[]): WheelDocument {
  const segments = prizes.map(({ label, weight, stock, isPaced }, index) => ({
    id: `prize-${index}`,
    label,
    color: '#e11d48',
    weight,
    ...(isPaced === true ? { pace: paceFromNow() } : { stock }),
    prize: { kind: 'handover' as const },
  }))
  const nothing = {
    id: 'nothing',
    label: 'Nothing',
    color: '#334155',
    weight: 0,
    prize: { kind: 'none' as const },
  }
  return { ...defaultWheel, fallback: 'nothing', segments: [...segments, nothing] }
}

/** About 900 units a second, fewer than are drawn: some plays find the gate open, and most find it closed. */
function paceFromNow() {
  const at = (seconds: number) => new Date(Date.now() + 1_000 * seconds).toISOString()
  return { units: 900_000, periods: [{ from: at(10), until: at(1_010) }] }
}

const findMerchant = `select merchant_id as id from merchants where slug = 'bench'`

const insertPlayers = `
insert into players (shard, merchant_id, player_id, created_at)
select
  ($3::int[])[(get_byte(sha256(convert_to($1::int || ':' || player_id, 'UTF8')), 0) & 63) + 1],
  $1,
  player_id,
  now()
from (select 'player-' || lpad(number::text, 7, '0') as player_id from generate_series(0, $2::int - 1) as number)`

type Acknowledged = { grants: number; spins: number; plays: number; wins: number }

const counts = `
select
  (select count(*)::int from ledger_entries where kind = 'grant') as grants,
  (select coalesce(sum(amount), 0)::int from ledger_entries where kind = 'grant') as spins,
  (select count(*)::int from plays) as plays,`

const acknowledgedInStock = `${counts}
  (select coalesce(sum(given), 0)::int from prize_stocks) as wins`

const acknowledgedInRuns = `${counts}
  (select coalesce(sum(awards), 0)::int from pace_runs) as wins`
