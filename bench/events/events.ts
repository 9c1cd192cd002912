// `npm run bench:events`: measures the cost of events. Grants in batches without events, with pages of events, and with
// one row per event; then the rates of numbering and reading. It uses its own PostgreSQL, with durable commits.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mainCampaign } from '../../src/campaign-ref.ts'
import { Database, type Queryable, statement, type Transaction } from '../../src/db/database.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrate.ts'
import { insertEvents, type NewEvent } from '../../src/events/event-pages.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { spinsGranted } from '../../src/players/account-events.ts'
import { enter, insertPlayers, lockPlayers, type PlayerKey } from '../../src/players/ledger.ts'
import { writeEntries } from '../../src/players/write-entries.ts'
import { shardOf } from '../../src/players/shard.ts'

const merchantId = 1
const playerCount = 20_000
const roundsOf: Record<number, number> = { 1: 1_000, 10: 600, 100: 300, 1_000: 60 }

/** The three variants take turns, so that changes in the machine's load affect all of them. */
const variants: Record<string, (tx: Queryable, events: readonly NewEvent[]) => Promise<unknown>> = {
  without: async () => undefined,
  pages: insertEvents,
  rows: insertRows,
}

const createRows = statement(`
create table bench_events (
  event_no bigint generated always as identity primary key,
  at timestamptz not null,
  merchant_id int not null,
  event_id uuid not null default gen_random_uuid(),
  type text not null,
  data text not null
);
create index on bench_events (merchant_id, event_no)`)

const insertRow = statement(`
insert into bench_events (merchant_id, at, type, data)
select *
from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[])`)

async function insertRows(tx: Queryable, events: readonly NewEvent[]): Promise<unknown> {
  return tx.query(insertRow, [
    events.map((event) => event.merchantId),
    events.map((event) => event.at),
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.data)),
  ])
}

const sizes = statement<{ pages: string; rows: string }>(`
select
  pg_size_pretty(pg_total_relation_size('event_pages')) as pages,
  pg_size_pretty(pg_total_relation_size('bench_events')) as rows`)

const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
chmodSync(dataDir, 0o711)
const server = await EmbeddedPostgres.start({ dataDir, sharingAllowed: false, onTrouble: console.error })
const db = new Database({
  targets: [server.target],
  poolMax: 4,
  pooler: false,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 60_000,
  idleInTransactionTimeoutMs: 60_000,
  applicationName: 'wheelhouse-bench',
  onConnectionError: console.error,
})
try {
  await migrate(db)
  await db.query(createRows)
  await measureWriting()
  await measureNumbering()
  await measureReading()
} finally {
  await db.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measureWriting(): Promise<void> {
  const players = Array.from({ length: playerCount }, (_, index) => {
    const name = { merchantId, playerId: `player-${index}` }
    return { ...name, shard: shardOf(name) }
  })
  await insertPlayers(db, players, new Date())
  let keys = 0

  async function grant(tx: Transaction, size: number, writeEvents: (typeof variants)[string]): Promise<void> {
    const now = new Date()
    const start = Math.floor(Math.random() * (playerCount - size))
    const locked = await lockPlayers(tx, players.slice(start, start + size))
    const entries = locked.map((player) =>
      enter(player, {
        kind: 'grant',
        amount: 5,
        key: `order-${++keys}`,
        reason: null,
        campaign: mainCampaign,
      }),
    )
    const events = entries.map((entry, index) =>
      spinsGranted(entry, { ...(locked[index] as PlayerKey), campaign: mainCampaign }, now),
    )
    await tx.commitWith([
      writeEntries(tx, { entries, players: locked, events: [], now }),
      writeEvents(tx, events),
    ])
  }

  console.log(`grants/batch     ${Object.keys(variants).join('      ')}   (median ms)`)
  for (const [size, rounds] of Object.entries(roundsOf)) {
    const samples = Object.values(variants).map((): number[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const [index, writeEvents] of Object.values(variants).entries()) {
        const begin = performance.now()
        await db.transaction((tx) => grant(tx, Number(size), writeEvents))
        samples[index]?.push(performance.now() - begin)
      }
    }
    const medians = samples.map((times) => times.toSorted((a, b) => a - b)[times.length >> 1] as number)
    const [base = 1] = medians
    const shown = medians.map((ms) => `${ms.toFixed(2)} (${((ms / base - 1) * 100).toFixed(1)} %)`)
    console.log(size.padStart(14), shown.join('  '))
  }
  const [size] = await db.query(sizes)
  console.log(`on disk for the same events: pages ${size?.pages}, rows ${size?.rows}`)
}

async function measureNumbering(): Promise<void> {
  const since = performance.now()
  let [events, pages] = [0, 0]
  for (;;) {
    const numbered = await numberNextPages(db)
    if (numbered.pages === 0) break
    events += numbered.events
    pages += numbered.pages
  }
  rate('numbered', { pages, events }, since)
}

async function measureReading(): Promise<void> {
  for (const limit of [100, 1_000]) {
    const since = performance.now()
    let events = 0
    for (let after = 0; ;) {
      const read = await readEvents(db, { merchantId, after, limit })
      if (read.length === 0) break
      events += read.length
      after = read.at(-1)?.seq as number
    }
    rate(`read ${limit} at a time`, { events }, since)
  }
}

function rate(what: string, counts: Record<string, number>, since: number): void {
  const seconds = (performance.now() - since) / 1000
  const rates = Object.entries(counts).map(([name, count]) => `${Math.round(count / seconds)} ${name}/s`)
  console.log(`${what}: ${rates.join(', ')}`)
}
