import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
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
import { type Contestant, type Entrant, expectEqual, type Stage, type StagePrize } from './contestant.ts'

export const program = join(import.meta.dirname, '..', '..', 'bin', 'wheelhouse')

export const wheelhouse: Contestant = {
  name: 'wheelhouse',
  start: (stage) => startWheelhouse(stage, { name: 'wheelhouse', entriesPerPlayer: 0 }),
}

/** Wheelhouse as its users start it; only the rate limits are raised, and it believes the driver about addresses. */
export async function startWheelhouse(
  stage: Stage,
  { name, entriesPerPlayer }: { name: string; entriesPerPlayer: number },
): Promise<Entrant> {
  const { postgres } = stage
  const target = await postgres.createDatabase(`wheelhouse_${stage.scenario}`)
  const { database } = target
  const inspectPort = stage.profileFolder === undefined ? undefined : await freePort()
  const environment = {
    DATABASE_URL: databaseUrl(target),
    METRICS_ADDRESS: 'off',
    RATE_LIMIT_PER_SECOND: '1000000',
    TRUST_PROXY: '127.0.0.1',
    ...stage.settings,
  }
  // The first start makes the schema; the one that is measured finds the players there, and plans accordingly.
  await (await startServer([program, 'serve'], environment)).stop()
  const db = openDatabase(target)
  const token = await prepare(db, stage, database)
  if (entriesPerPlayer > 0) await fillLedger(postgres, database, entriesPerPlayer)
  const [before] = await postgres.query<Acknowledged>(database, acknowledged)
  const server = await startServer([program, 'serve'], {
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

/** Another merchant on the same server; its token. */
export async function addMerchant({ postgres, scenario }: Stage, slug: string): Promise<string> {
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

/** A merchant with its token, its wheel, and its players. The server has made the schema. */
async function prepare(db: Database, stage: Stage, database: string): Promise<string> {
  const now = new Date()
  const merchant = await createMerchant(db, { slug: 'bench', name: 'Bench', now })
  const { merchantId } = merchant
  if (stage.prizes.length > 0) {
    await saveDraft(db, { merchantId, slug: 'main', draft: wheelOf(stage.prizes), revision: undefined, now })
    await publishWheel(db, { merchantId, slug: 'main', now })
  }
  await stage.postgres.query(database, insertPlayers, [merchantId, stage.players, shardValues])
  // Only what is filled: a plan made on a table that is known to be empty would be another one.
  await stage.postgres.query(database, 'vacuum analyze players')
  return issue(db, merchant)
}

function wheelOf(prizes: readonly StagePrize[]): WheelDocument {
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
