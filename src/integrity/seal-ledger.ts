import { type Database, statement } from '../db/database.ts'
import { movePosition, takePosition } from '../db/work-positions.ts'
import { sealPlayersMax, sealRestFactor } from '../limits.ts'
import {
  firstPosition,
  insertSealParts,
  insertSeals,
  type Place,
  readNewestSeals,
  readPlace,
} from './ledger-seals.ts'
import { chainStart, type Seal, sealHash, type SealKey } from './seal-hash.ts'

type SealerOptions = {
  db: Database
  now: () => Date
  key: SealKey | undefined
  onSealed?: (seal: Seal) => void
  intervalMs: number
}

/**
 * Seals new entries and plays, off the write path. A round walks through all players in steps. It is due every
 * `intervalMs`, if something has happened. If several processes try, one does it.
 *
 * A round can't skip a running transaction: a player's entries and plays are numbered without gaps under the lock on
 * its row, so a reader that sees the count sees everything up to it, whatever the order of commits and clocks.
 */
export class LedgerSealer {
  readonly #options: SealerOptions
  #place: Place | undefined
  #dueAt = -Infinity
  /** The number of events when the last round began. */
  #eventsSeen: number | undefined
  #eventsAtStart = 0

  constructor(options: SealerOptions) {
    this.#options = options
  }

  /** One step, if it is due. It rests many times as long as it worked, so it takes only a share of a core. */
  async step(): Promise<void> {
    if (performance.now() < this.#dueAt) return
    const begunAt = performance.now()
    const isOver = await this.#work()
    const workedMs = performance.now() - begunAt
    const intervalMs = isOver ? this.#options.intervalMs : 0
    this.#dueAt = performance.now() + Math.max(intervalMs, workedMs * sealRestFactor)
  }

  async #work(): Promise<boolean> {
    const { db, now, key, onSealed } = this.#options
    const from = this.#place ?? (await this.#beginRound())
    if (from === undefined) return true
    const { seals, next } = await sealPlayers(db, { from, now: now(), key })
    for (const seal of seals) onSealed?.(seal)
    this.#place = next
    if (next === undefined) this.#eventsSeen = this.#eventsAtStart
    return next === undefined
  }

  /** Undefined if nothing has happened since the last round, or if another process has taken this one. */
  async #beginRound(): Promise<Place | undefined> {
    const { db, now, intervalMs } = this.#options
    const [events] = await db.query(countEvents)
    this.#eventsAtStart = events?.count ?? 0
    if (this.#eventsAtStart === this.#eventsSeen) return undefined
    const isMine = await db.transaction(async (tx) => {
      const begun = await takePosition(tx, 'seals', new Date(0))
      if (begun === undefined) return false
      // A clock that was set back must not stop the sealing.
      const passedMs = Math.abs(now().getTime() - begun.getTime())
      if (passedMs < intervalMs) return false
      await movePosition(tx, 'seals', now())
      return true
    })
    return isMine ? firstPosition : undefined
  }
}

/** Seals everything that is not sealed yet, at once. */
export async function sealAll(db: Database, { now, key }: { now: Date; key?: SealKey }): Promise<Seal[]> {
  const all: Seal[] = []
  for (let from: Place | undefined = firstPosition; from !== undefined;) {
    const { seals, next } = await sealPlayers(db, { from, now, key })
    all.push(...seals)
    from = next
  }
  return all
}

type Step = { from: Place; now: Date; key: SealKey | undefined }

/** One step: a seal for each merchant with new rows. `next` is the position to continue from, if there is more. */
async function sealPlayers(
  db: Database,
  { from, now, key }: Step,
): Promise<{ seals: Seal[]; next: Place | undefined }> {
  return db.longTransaction(async (tx) => {
    await tx.query(lockChains)
    const to = await readPlace(tx, from, sealPlayersMax)
    const parts = await insertSealParts(tx, from, to)
    const newest = await readNewestSeals(
      tx,
      parts.map((part) => part.merchantId),
    )
    const hashes = new Map(newest.map((seal) => [seal.merchantId, seal.hash]))
    const seals = parts.map((part) => {
      const seal = { ...part, sealedAt: now, keyId: key?.keyId ?? null }
      return { ...seal, hash: sealHash(seal, hashes.get(part.merchantId) ?? chainStart, key) }
    })
    await insertSeals(tx, seals)
    return { seals, next: to }
  })
}

const countEvents = statement<{ count: number }>(`
select coalesce(sum(next_seq), 0)::bigint as count
from event_streams`)

// Two steps must not continue from the same seal. The write path never takes this lock.
const lockChains = statement(`
select pg_advisory_xact_lock(7437002)`)
