// `npm run bench:events`: what events cost. Grants in batches with and without events in the same transaction, then the
// rates of numbering and of reading. On a PostgreSQL of its own, with durable commits.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allInOrder, Database, type Transaction } from '../../src/db/database.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrate.ts'
import { insertEvents, type NewEvent } from '../../src/events/event-pages.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { enter, insertPlayers, lockPlayers, writeEntries } from '../../src/players/ledger.ts'
import { shardOf } from '../../src/players/shard.ts'

const merchantId = 1
const playerCount = 20_000
const roundsOf: Record<number, number> = { 1: 1_500, 10: 1_000, 100: 400, 1_000: 80 }

const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
chmodSync(dataDir, 0o711)
const server = await EmbeddedPostgres.start({ dataDir, guestAllowed: false, onTrouble: console.error })
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
  await bench()
} finally {
  await db.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function bench(): Promise<void> {
  const players = Array.from({ length: playerCount }, (_, index) => {
    const name = { merchantId, playerId: `player-${index}` }
    return { ...name, shard: shardOf(name) }
  })
  await insertPlayers(db, players, new Date())

  let key = 0
  const grant = async (tx: Transaction, size: number, withEvents: boolean) => {
    const now = new Date()
    const start = Math.floor(Math.random() * (playerCount - size))
    const locked = await lockPlayers(tx, players.slice(start, start + size))
    const events: NewEvent[] = []
    const entries = locked.map((player) => {
      const idempotencyKey = `order-${++key}`
      const entry = enter(player, { kind: 'grant', amount: 5, key: idempotencyKey, reason: null })
      if (withEvents) {
        const { playerId, shard, balance: newBalance } = player
        const kind = 'grant'
        const data = {
          playerId,
          amount: 5,
          kind,
          oldBalance: newBalance - 5,
          newBalance,
          idempotencyKey,
        } as const
        events.push({ merchantId, shard, type: 'spins.granted', at: now, data: { ...data, reason: null } })
      }
      return entry
    })
    await allInOrder([writeEntries(tx, entries, locked, now), insertEvents(tx, events), tx.commit()])
  }

  console.log('batch   without   with events   more')
  for (const size of [1, 10, 100, 1_000]) {
    const samples: [number[], number[]] = [[], []]
    for (let round = 0; round < (roundsOf[size] as number) * 2; round++) {
      const which = round % 2
      const begin = performance.now()
      await db.transaction((tx) => grant(tx, size, which === 1))
      samples[which]?.push(performance.now() - begin)
    }
    const [without, withEvents] = samples.map(median) as [number, number]
    const more = (withEvents / without - 1) * 100
    console.log(`${size}`.padStart(5), ms(without), ms(withEvents), `  ${more.toFixed(1)} %`)
  }

  const numbering = performance.now()
  let events = 0
  let pages = 0
  for (;;) {
    const numbered = await numberNextPages(db)
    if (numbered.pages === 0) break
    events += numbered.events
    pages += numbered.pages
  }
  rate('numbered', { pages, events }, numbering)

  for (const limit of [100, 1_000]) {
    const reading = performance.now()
    let after = 0
    let count = 0
    for (;;) {
      const read = await readEvents(db, { merchantId, after, limit })
      if (read.length === 0) break
      count += read.length
      after = read.at(-1)?.seq as number
    }
    rate(`read ${limit} at a time`, { events: count }, reading)
  }
}

function median(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] as number
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`.padStart(12)
}

function rate(what: string, counts: Record<string, number>, since: number): void {
  const seconds = (performance.now() - since) / 1000
  const rates = Object.entries(counts).map(([name, count]) => `${Math.round(count / seconds)} ${name}/s`)
  console.log(`${what}: ${rates.join(', ')}`)
}
