import { allInOrder, type Database, type Queryable } from '../db/database.ts'
import { sequencerIntervalMs, sequencerNudgeMs, sequencerPagesMax, sequencerRestFactor } from '../limits.ts'
import {
  numberPages,
  readMerchantsToNumber,
  readUnnumberedPages,
  type UnnumberedPage,
} from './event-pages.ts'
import { advanceStreams, type EventStream, insertStreams, lockFreeStreams } from './event-streams.ts'

/** The result of one round. `oldestAt` is the time of the oldest page that it found without a number. */
export type Numbered = { merchantIds: number[]; pages: number; events: number; oldestAt?: Date }

type SequencerOptions = {
  db: Database
  onTrouble: (error: unknown) => void
  onRound?: (numbered: Numbered) => void
}

/**
 * Numbers committed pages. Every process has a sequencer; locks on the streams divide the work. It looks once a second,
 * and at once when this process has committed events and a reader waits. Other processes can't nudge it: a NOTIFY would
 * take a lock that all commits of the instance share.
 */
export class EventSequencer {
  readonly #options: SequencerOptions
  readonly #listeners = new Set<(merchantIds: readonly number[]) => void>()
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  /** The earliest time of the next round, even if nudged. */
  #restedAt = -Infinity
  #working = Promise.resolve()
  #isWorking = false
  #isNudged = false
  #isClosed = true

  constructor(options: SequencerOptions) {
    this.#options = options
  }

  start(): void {
    this.#isClosed = false
    this.#wakeAt(performance.now())
  }

  /** Call this after a commit that wrote events. */
  nudge(): void {
    if (this.#listeners.size === 0 || this.#isClosed) return
    this.#isNudged = true
    if (!this.#isWorking) this.#wakeAt(this.#restedAt)
  }

  /** Calls `listener` with the merchants whose events this process numbered, until the returned function is called. */
  onNumbered(listener: (merchantIds: readonly number[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits for the current round. Pages that it leaves are numbered by another process or at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#working
  }

  #wakeAt(time: number): void {
    if (this.#isClosed || time >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = time
    this.#timer = setTimeout(
      () => {
        this.#working = this.#work()
      },
      Math.max(0, time - performance.now()),
    )
  }

  async #work(): Promise<void> {
    const begunAt = performance.now()
    this.#isWorking = true
    this.#dueAt = Infinity
    this.#isNudged = false
    try {
      await this.#numberAll()
    } catch (error) {
      // The pages are unchanged; the next round finds them.
      this.#options.onTrouble(error)
    }
    this.#isWorking = false
    const now = performance.now()
    // While a transaction stays open for hours (a backup, for example), the index keeps an entry of every page numbered
    // since. Skipping 100,000 of them took 80 ms. The rest grows with it, so that the sequencer never takes a core.
    this.#restedAt = now + Math.max(sequencerNudgeMs, (now - begunAt) * sequencerRestFactor)
    this.#wakeAt(this.#isNudged ? this.#restedAt : Math.max(this.#restedAt, now + sequencerIntervalMs))
  }

  async #numberAll(): Promise<void> {
    while (!this.#isClosed) {
      const numbered = await numberNextPages(this.#options.db)
      this.#options.onRound?.(numbered)
      if (numbered.pages === 0) return
      for (const listener of this.#listeners) listener(numbered.merchantIds)
      if (numbered.pages < sequencerPagesMax) return
    }
  }
}

/** One round. If there is nothing to do, it is one small query. */
export async function numberNextPages(db: Database, pagesMax = sequencerPagesMax): Promise<Numbered> {
  const waiting = await readMerchantsToNumber(db, pagesMax)
  if (waiting.length === 0) return { merchantIds: [], pages: 0, events: 0 }
  const merchantIds = waiting.map((one) => one.merchantId)
  const numbered = await db.transaction((tx) => numberInTransaction(tx, merchantIds, pagesMax))
  return { ...numbered, oldestAt: new Date(Math.min(...waiting.map((one) => one.oldestAt.getTime()))) }
}

/** Numbers pages of the given merchants in one transaction. */
export async function numberInTransaction(
  tx: Queryable,
  merchantIds: readonly number[],
  pagesMax = sequencerPagesMax,
): Promise<Numbered> {
  // A separate statement after the locks reads the pages, so it sees everything that other processes have numbered.
  const [, streams, pages] = await allInOrder([
    insertStreams(tx, merchantIds),
    lockFreeStreams(tx, merchantIds),
    readUnnumberedPages(tx, merchantIds, pagesMax),
  ])
  const { numbered, advanced } = giveNumbers(streams, pages)
  if (numbered.length > 0) await allInOrder([numberPages(tx, numbered), advanceStreams(tx, advanced)])
  return {
    merchantIds: advanced.map((stream) => stream.merchantId),
    pages: numbered.length,
    events: numbered.reduce((sum, page) => sum + page.eventCount, 0),
  }
}

/** The first number of each page, and the next number of each stream. Pages of streams locked elsewhere are omitted. */
function giveNumbers(
  streams: readonly EventStream[],
  pages: readonly UnnumberedPage[],
): { numbered: (UnnumberedPage & { firstSeq: number })[]; advanced: EventStream[] } {
  const byMerchant = new Map(streams.map((stream) => [stream.merchantId, { ...stream }]))
  const advanced = new Set<EventStream>()
  const numbered = pages.flatMap((page) => {
    const stream = byMerchant.get(page.merchantId)
    if (stream === undefined) return []
    const firstSeq = stream.nextSeq
    stream.nextSeq += page.eventCount
    advanced.add(stream)
    return [{ ...page, firstSeq }]
  })
  return { numbered, advanced: [...advanced] }
}
