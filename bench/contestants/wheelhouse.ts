import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { Database } from '../../src/db/database.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { auditLedger } from '../../src/audit/audit.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { shardValues } from '../../src/players/shard.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheels/wheel-document.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
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

/** A checkout of another version, to compare the two within one run. Its schema must be an earlier one of the same kind. */
export function otherVersion(folder: string): Contestant {
  const name = 'wheelhouse before'
  const otherProgram = resolve(folder, 'bin', 'wheelhouse')
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        { ...setup, scenario: `before_${setup.scenario}` },
        { name, entriesPerPlayer: 0, program: otherProgram },
      ),
  }
}

/** Starts Wheelhouse as its users do, except that rate limits are raised and client addresses are taken from the driver. */
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
  // The first start creates the schema. The measured server finds the players in it, so its query plans fit their number.
  await (await startServer([started, 'serve'], environment)).stop()
  const db = openDatabase(target)
  const token = await prepare(db, setup, database)
  if (entriesPerPlayer > 0) await fillLedger(postgres, database, entriesPerPlayer)
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
      const { findings } = await auditLedger(db)
      if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings)}`)
    },
    async stop() {
      await db.close()
      await server.stop()
    },
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

/** Creates a merchant with a wheel and players, and returns its token. The schema must exist. */
async function prepare(db: Database, setup: ScenarioSetup, database: string): Promise<string> {
  const now = new Date()
  const merchant = await createMerchant(db, { slug: 'bench', name: 'Bench', now })
  const { merchantId } = merchant
  if (setup.prizes.length > 0) {
    await saveDraft(db, { merchantId, slug: 'main', draft: wheelOf(setup.prizes), revision: undefined, now })
    await publishWheel(db, { merchantId, slug: 'main', now })
  }
  await setup.postgres.query(database, insertPlayers, [merchantId, setup.players, shardValues])
  // Only tables with rows: statistics of an empty table would lead to other query plans.
  await setup.postgres.query(database, 'vacuum analyze players')
  return issue(db, merchant)
}

function wheelOf(prizes: readonly PrizeSetup[]): WheelDocument {
  const segments = prizes.map(({ label, weight, stock }, index) => ({
    id: `prize-${index}`,
    label,
    color: '#e11d48',
    weight,
    stock,
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

const insertPlayers = `
insert into players (shard, merchant_id, player_id, created_at)
select
  ($3::int[])[(get_byte(sha256(convert_to($1::int || ':' || player_id, 'UTF8')), 0) & 63) + 1],
  $1,
  player_id,
  now()
from (select 'player-' || lpad(number::text, 7, '0') as player_id from generate_series(0, $2::int - 1) as number)`

type Acknowledged = { grants: number; spins: number; plays: number; wins: number }

const acknowledged = `
select
  (select count(*)::int from ledger_entries where kind = 'grant') as grants,
  (select coalesce(sum(amount), 0)::int from ledger_entries where kind = 'grant') as spins,
  (select count(*)::int from plays) as plays,
  (select coalesce(sum(given), 0)::int from prize_stocks) as wins`
