// Fixtures for the concurrency tests of the group commit: commands, concurrent transactions, and waiting for the exact
// moment.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { SigningKey } from '../../src/crypto/signing-key.ts'
import { SigningKeys } from '../../src/crypto/signing-keys.ts'
import { type Database, type Queryable, statement } from '../../src/db/database.ts'
import { readBody, type WrittenEvent } from '../../src/events/page-body.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { type Grant, withHashes } from '../../src/grants/grant.ts'
import { enter, lockPlayers, type PlayerKey } from '../../src/players/ledger.ts'
import { writeEntries } from '../../src/players/write-entries.ts'
import { shardOf } from '../../src/players/shard.ts'
import type { PlayOrder } from '../../src/plays/play-types.ts'
import { commitment } from '../../src/plays/seeds.ts'
import { PublishedWheels } from '../../src/wheels/published-wheels.ts'
import { defaultWheel, type WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { asSuperuser, type Lifetime, makeDatabase, makeMerchant, openTestDatabase, until } from './scene.ts'

/** The events that a merchant's changes have written, all or those of one moment, in the order of their pages. */
export async function writtenEvents(db: Queryable, merchantId: number, at?: Date): Promise<WrittenEvent[]> {
  const pages = await db.query(readPages, [merchantId, at])
  return pages.flatMap(({ body, eventCount }) => {
    const events = readBody(body)
    assert.equal(events.length, eventCount)
    return events
  })
}

const readPages = statement<{ body: string; eventCount: number }>(`
select body, event_count as "eventCount"
from event_pages
where merchant_id = $1
and ($2::timestamptz is null or created_at = $2)
order by page_no`)

export type Scene = { db: Database; target: DatabaseTarget; merchantId: number }

/** Lock waits here are ended by the test; no timeout may come first, however slow the machine. */
export const longTimeouts = {
  lockTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  idleInTransactionTimeoutMs: 60_000,
}

export async function makeScene(t: Lifetime): Promise<Scene> {
  const { target, db: first } = await makeDatabase(t)
  const { merchant } = await makeMerchant(first)
  return { db: openTestDatabase(t, target, longTimeouts), target, merchantId: merchant.merchantId }
}

export function orderOf({ merchantId }: { merchantId: number }, changes: Partial<Grant>): Grant {
  const order = { merchantId, playerId: 'ann', kind: 'grant', amount: 5, key: 'order', reason: null } as const
  return { ...order, mayCreatePlayer: true, callMax: 1_000_000, dailyMax: null, ...changes }
}

export function keyOf({ merchantId, playerId }: { merchantId: number; playerId: string }): PlayerKey {
  return { shard: shardOf({ merchantId, playerId }), merchantId, playerId }
}

export function columnsOf(players: readonly PlayerKey[]): [number[], number[], string[]] {
  return [
    players.map((one) => one.shard),
    players.map((one) => one.merchantId),
    players.map((one) => one.playerId),
  ]
}

/** Waits until this many sessions of a database wait for a lock. */
export async function untilWaiting({ database }: DatabaseTarget, count: number): Promise<void> {
  await asSuperuser('postgres', (client) =>
    until(async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
        [database],
      )
      return rowCount === count
    }),
  )
}

/**
 * Runs an attempt while another server executes `order`: the other one has written but not committed when the attempt
 * starts, and commits as soon as the attempt waits for it.
 */
export async function whileAnotherCommits<T>(
  scene: Scene,
  order: Grant,
  attempt: () => Promise<T>,
): Promise<T> {
  const hasWritten = Promise.withResolvers<void>()
  const rival = scene.db.transaction(async (tx) => {
    const [player] = await lockPlayers(tx, [keyOf(order)])
    assert(player !== undefined)
    await writeEntries(tx, {
      entries: [enter(player, withHashes(order))],
      players: [player],
      events: [],
      now: new Date(),
    })
    hasWritten.resolve()
    await untilWaiting(scene.target, 1)
  })
  await Promise.race([hasWritten.promise, rival])
  const [result] = await Promise.all([attempt(), rival])
  return result
}

/** Locks a player's row while `work` runs. */
export async function whileLocked<T>(scene: Scene, player: PlayerKey, work: () => Promise<T>): Promise<T> {
  return scene.db.transaction(async (tx) => {
    assert.equal((await lockPlayers(tx, [player])).length, 1)
    return work()
  })
}

export async function readBalances(db: Database): Promise<Record<string, number>> {
  const rows = await db.query(
    statement<{ playerId: string; balance: number }>(`select player_id as "playerId", balance from players`),
  )
  return Object.fromEntries(rows.map(({ playerId, balance }) => [playerId, balance]))
}

/** A wheel that always draws the first segment, unless its prize is unavailable. */
export async function publishOnly(
  db: Database,
  merchantId: number,
  first: Partial<WheelSegment>,
): Promise<void> {
  const draft = {
    ...defaultWheel,
    fallback: 'nothing',
    segments: [
      {
        id: 'first',
        label: 'First',
        color: '#112233',
        weight: 1,
        prize: { kind: 'handover' as const },
        ...first,
      },
      { id: 'nothing', label: 'Nothing', color: '#445566', weight: 0, prize: { kind: 'none' as const } },
    ],
  }
  await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now: new Date() })
  await publishWheel(db, { merchantId, slug: 'main', now: new Date() })
}

/** The next play of each of these players, as the game page would send it. */
export async function playOrdersOf(
  { db, merchantId }: Scene,
  playerIds: readonly string[],
): Promise<{ orders: PlayOrder[]; seedKeys: readonly SigningKey[] }> {
  const seedKeys = await new SigningKeys(db, 'seeds').live()
  const wheel = await new PublishedWheels(db).current(merchantId)
  const keys = playerIds.map((playerId) => keyOf({ merchantId, playerId }))
  const players = await db.transaction((tx) => lockPlayers(tx, keys))
  const orders = players.map(({ shard, playerId, playerNo, playCount }) => ({
    shard,
    merchantId,
    playerId,
    link: { linkId: 'any', issuedAt: new Date() },
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: commitment(seedKeys[0] as SigningKey, { merchantId, playerNo, playNumber: playCount + 1 }),
    versionHash: wheel.sha256,
    wheel,
  }))
  return { orders, seedKeys }
}

/** Closes all sessions first: only then are all their deadlocks in PostgreSQL's statistics. */
export async function countDeadlocks(
  { database }: DatabaseTarget,
  pools: readonly Database[] = [],
): Promise<number> {
  return asSuperuser('postgres', async (client) => {
    await until(async () => {
      const ended = await client.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
        [database],
      )
      return ended.rowCount === 0 && pools.every((db) => db.connectionsOpen === 0)
    })
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = $1',
      [database],
    )
    return Number(rows[0]?.deadlocks)
  })
}
