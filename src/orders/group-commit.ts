import assert from 'node:assert/strict'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { sharedForMs } from '../limits.ts'
import { overloaded, Refusal } from '../refusals.ts'
import type { Trace } from '../tracing/trace.ts'
import { traceCommit, traceWait } from './batch-traces.ts'
import { CommitRate } from './commit-rate.ts'
import { enough, firstOutside, type Lane, newLane, type Waiting } from './lane.ts'
import { Pipelines, hasRoom, type Pipeline, newPipeline } from './pipelines.ts'
import { DatabaseFailure } from '../db/database-fault.ts'

export type GroupCommitOptions<Item, Verdict> = {
  /**
   * Carries out items in one transaction, with a verdict for each in the order given. Safe to call again. It may open
   * the pipeline to one more batch, which it then carries out on the same connection.
   */
  run: (items: readonly Item[], pipeline: Pipeline) => Promise<Verdict[]>
  /** Only items of one lane share batches. The same player is always in the same lane. */
  laneOf: (item: Item) => number
  laneCount: number
  /** The most batches of a lane in flight at once. */
  batchesMax: number
  /** Merchants take turns. */
  merchantOf: (item: Item) => number
  /** Two batches in flight never share a player: one would only wait for the other's lock. */
  playerOf: (item: Item) => string
  /**
   * Names a row that many items change, such as the stock of a prize. Batches with the same name are of one pipeline,
   * and are carried out one after another: on two connections, the second would hold its players' locks while it waits.
   */
  contendedOf?: (item: Item) => number | undefined
  batchMax: number
  /** The same while several merchants send work, and none is refused. */
  sharedBatchMax: number
  queueMax: number
  queueMaxPerMerchant: number
  /** A merchant may always queue this many items; more only if they are not expected to wait for longer than this. */
  queueMinPerMerchant: number
  expectedWaitMaxMs: number
  /** The next batch does not wait for one that has been in flight for longer. */
  batchWaitMaxMs: number
  /** An item that has waited longer is refused. */
  waitMaxMs: number
  /** How long a lane rests after a batch, to leave the machine to other work. Missing: not at all. */
  restMsAfter?: (batch: { size: number; tookMs: number }) => number
  /** Called at the end of a batch. `waitedMs` is the wait of its oldest item, `tookMs` the time in the database. */
  onBatch?: (batch: { size: number; waitedMs: number; tookMs: number }) => void
}

/**
 * Lets concurrent work share transactions. There is no timer: all items that are queued at the end of an event-loop
 * turn leave in one batch, so a single caller never waits for another. A batch costs about as much as seven of its
 * items, so while one is in flight the next one waits until that one has ended or takes long, or until it is itself as
 * large as the last ones. Then it leaves even within a turn. Otherwise every caller lands in the same batch, and server
 * and database take turns idling.
 */
export class GroupCommit<Item, Verdict> {
  readonly #options: GroupCommitOptions<Item, Verdict>
  readonly #lanes: Lane<Item, Verdict>[]
  readonly #waitingOf = new Map<number, number>()
  readonly #sending = new Set<Promise<void>>()
  readonly #pipelines: Pipelines<Item>
  readonly #sweeper: NodeJS.Timeout
  readonly #rate: CommitRate
  #waiting = 0
  #refusedAt = -Infinity
  #latestMerchant: number | undefined
  #sharedUntil = -Infinity
  #isClosed = false

  constructor(options: GroupCommitOptions<Item, Verdict>) {
    this.#options = options
    this.#pipelines = new Pipelines(options.contendedOf)
    this.#rate = new CommitRate(options.queueMinPerMerchant)
    this.#lanes = Array.from({ length: options.laneCount }, newLane<Item, Verdict>)
    this.#sweeper = setInterval(() => this.#refuseLate(), sweepMs).unref()
  }

  get queueLength(): number {
    return this.#waiting
  }

  /** How long the oldest batch in flight has been there; 0 if there is none. */
  get oldestInFlightMs(): number {
    const times = this.#lanes.flatMap(({ inFlight }) => [...inFlight].map(({ time }) => time))
    return times.length === 0 ? 0 : performance.now() - Math.min(...times)
  }

  /** Whether an item of this merchant would be refused now. The caller refuses it then. */
  isFullFor(merchant: number): boolean {
    const { queueMax, queueMaxPerMerchant, queueMinPerMerchant } = this.#options
    const own = this.#waitingOf.get(merchant) ?? 0
    const isOverLimit = own >= queueMaxPerMerchant || this.#waiting >= queueMax
    if (!isOverLimit && own < queueMinPerMerchant) return false
    const now = performance.now()
    const isFull = isOverLimit || this.#wouldWait(own, now)
    if (isFull) this.#refusedAt = now
    return isFull
  }

  /** Whether a merchant with `own` items in the queue has to expect a long wait. Merchants take turns. */
  #wouldWait(own: number, now: number): boolean {
    const ahead = Math.min(this.#waiting, own * this.#waitingOf.size)
    return this.#rate.waitMs(ahead, now) > this.#options.expectedWaitMaxMs
  }

  /** Resolves when it is committed. Rejects at once if the queue is full. `trace` gets spans of wait and commit. */
  submit(item: Item, trace?: Trace): Promise<Verdict> {
    const { laneOf, laneCount, merchantOf, playerOf } = this.#options
    const merchant = merchantOf(item)
    if (this.#isClosed) return Promise.reject(overloaded('stop'))
    if (this.isFullFor(merchant)) return Promise.reject(overloaded('queue'))
    const lane = this.#lanes[laneOf(item) % laneCount] as Lane<Item, Verdict>
    const player = playerOf(item)
    const since = performance.now()
    if (merchant !== this.#latestMerchant) {
      if (this.#latestMerchant !== undefined) this.#sharedUntil = since + sharedForMs
      this.#latestMerchant = merchant
    }
    return new Promise((resolve, reject) => {
      let players = lane.turns.get(merchant)
      if (players === undefined) lane.turns.set(merchant, (players = new Map()))
      const waiting = { item, player, resolve, reject, since, trace }
      const ofPlayer = players.get(player)
      if (ofPlayer === undefined) players.set(player, [waiting])
      else ofPlayer.push(waiting)
      this.#count(lane, merchant, 1)
      if (lane.waiting >= enough(lane) && lane.inFlight.size < this.#options.batchesMax) this.#look(lane)
      else this.#lookAtEndOfTurn(lane)
    })
  }

  /** Waits until everything that was submitted is answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#waiting > 0 || this.#sending.size > 0) {
      await Promise.all(this.#sending)
      await endOfTurn()
    }
    clearInterval(this.#sweeper)
  }

  #lookAtEndOfTurn(lane: Lane<Item, Verdict>): void {
    if (lane.isLooking || lane.waiting === 0 || lane.inFlight.size >= this.#options.batchesMax) return
    lane.isLooking = true
    setImmediate(() => {
      lane.isLooking = false
      this.#look(lane)
    })
  }

  /** Sends the next batch, if it is time for it. */
  #look(lane: Lane<Item, Verdict>): void {
    if (lane.inFlight.size >= this.#options.batchesMax || lane.isResting) return
    const slowSince = performance.now() - this.#options.batchWaitMaxMs
    const isExpected = lane.inFlight.values().some(({ time }) => time > slowSince)
    if (isExpected && lane.waiting < enough(lane)) return
    const { batch, pipeline } = this.#takeBatch(lane)
    // Every queued item is for a player or a row in flight; this runs again when that batch ends.
    if (batch.length === 0) return
    const sending = this.#send(lane, batch, pipeline).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
    this.#lookAtEndOfTurn(lane)
  }

  /**
   * Takes one item of each merchant in turn, and of each of its players in turn, so that a flood of one merchant gets
   * no more than its share of every batch.
   */
  #takeBatch(lane: Lane<Item, Verdict>): { batch: Waiting<Item, Verdict>[]; pipeline: Pipeline } {
    const sizeMax = this.#batchMax()
    const batch: Waiting<Item, Verdict>[] = []
    let pipeline: Pipeline | undefined
    for (const [merchant, players] of lane.turns) {
      const player = firstOutside(lane.players, players.keys())
      if (player === undefined) continue
      const items = players.get(player) as Waiting<Item, Verdict>[]
      const held = this.#pipelines.pipelineOf((items[0] as Waiting<Item, Verdict>).item)
      // The merchant's other items are nearly always for the same row.
      if (held !== undefined && (!hasRoom(held) || (pipeline ?? held) !== held)) continue
      pipeline ??= held
      batch.push(items.shift() as Waiting<Item, Verdict>)
      this.#count(lane, merchant, -1)
      // To the end of the map, where this loop arrives again; the next batch begins with another merchant.
      players.delete(player)
      if (items.length > 0) players.set(player, items)
      lane.turns.delete(merchant)
      if (players.size > 0) lane.turns.set(merchant, players)
      if (batch.length >= sizeMax) break
    }
    return { batch, pipeline: pipeline ?? newPipeline(performance.now()) }
  }

  /**
   * Small batches shorten the wait of a merchant beside a busy one. They don't while requests are refused: then a turn
   * of the event loop is long, and starts only a batch or two.
   */
  #batchMax(): number {
    const { batchMax, sharedBatchMax } = this.#options
    const now = performance.now()
    const isShared = now < this.#sharedUntil && now - this.#refusedAt > refusingForMs
    return isShared ? sharedBatchMax : batchMax
  }

  async #send(
    lane: Lane<Item, Verdict>,
    batch: readonly Waiting<Item, Verdict>[],
    pipeline: Pipeline,
  ): Promise<void> {
    const sent = { time: performance.now() }
    this.#pipelines.join(
      pipeline,
      batch.map(({ item }) => item),
    )
    lane.inFlight.add(sent)
    this.#rate.begin(sent.time)
    lane.recent = [batch.length, lane.recent[0]]
    for (const one of batch) {
      lane.players.add(one.player)
      if (one.trace !== undefined) traceWait(one)
    }
    const outcomes = await this.#carryOut(batch, pipeline)
    const now = performance.now()
    lane.inFlight.delete(sent)
    this.#rate.end(batch.length, now)
    this.#rest(lane, { size: batch.length, tookMs: now - sent.time })
    for (const { player } of batch) lane.players.delete(player)
    if (this.#pipelines.leave(pipeline, now)) for (const other of this.#lanes) this.#lookAtEndOfTurn(other)
    // Send the next batch before these answers, so that the database does not idle meanwhile.
    this.#look(lane)
    for (const [index, outcome] of outcomes.entries()) {
      const { resolve, reject } = batch[index] as Waiting<Item, Verdict>
      if (outcome.status === 'fulfilled') resolve(outcome.value)
      else reject(outcome.reason)
    }
  }

  #rest(lane: Lane<Item, Verdict>, batch: { size: number; tookMs: number }): void {
    const restMs = this.#options.restMsAfter?.(batch) ?? 0
    if (restMs === 0) return
    lane.isResting = true
    setTimeout(() => {
      lane.isResting = false
      this.#look(lane)
    }, restMs)
  }

  /** Splits a failed batch in halves until the item that breaks it is found; the other items are carried out. */
  async #carryOut(
    batch: readonly Waiting<Item, Verdict>[],
    pipeline: Pipeline,
  ): Promise<PromiseSettledResult<Verdict>[]> {
    const begunAt = performance.now()
    try {
      const verdicts = await this.#options.run(
        batch.map(({ item }) => item),
        pipeline,
      )
      assert.equal(verdicts.length, batch.length)
      this.#record(batch, begunAt)
      return verdicts.map((value) => ({ status: 'fulfilled', value }))
    } catch (error) {
      this.#record(batch, begunAt, error instanceof Refusal ? error.code : 'failed')
      const isOurMistake =
        !(error instanceof Refusal) && !(error instanceof DatabaseFailure && error.isPassing)
      if (batch.length === 1 || !isOurMistake) return batch.map(() => ({ status: 'rejected', reason: error }))
      const middle = Math.ceil(batch.length / 2)
      return [
        ...(await this.#carryOut(batch.slice(0, middle), pipeline)),
        ...(await this.#carryOut(batch.slice(middle), pipeline)),
      ]
    }
  }

  #record(batch: readonly Waiting<Item, Verdict>[], begunAt: number, error?: string): void {
    const waitedMs = begunAt - Math.min(...batch.map(({ since }) => since))
    const tookMs = performance.now() - begunAt
    this.#options.onBatch?.({ size: batch.length, waitedMs, tookMs })
    traceCommit(batch, begunAt, error)
  }

  /** Refuses items that have waited too long, so that their callers can retry elsewhere. */
  #refuseLate(): void {
    const since = performance.now() - this.#options.waitMaxMs
    for (const lane of this.#lanes) {
      // The batch in flight may have become slow while no new item arrived.
      this.#lookAtEndOfTurn(lane)
      for (const [merchant, players] of lane.turns) {
        for (const [player, items] of players) {
          while (items[0] !== undefined && items[0].since < since) {
            const late = items.shift() as Waiting<Item, Verdict>
            traceWait(late, 'overloaded')
            late.reject(overloaded('wait'))
            this.#count(lane, merchant, -1)
          }
          if (items.length === 0) players.delete(player)
        }
        if (players.size === 0) lane.turns.delete(merchant)
      }
    }
  }

  #count(lane: Lane<Item, Verdict>, merchant: number, change: 1 | -1): void {
    lane.waiting += change
    this.#waiting += change
    const waiting = (this.#waitingOf.get(merchant) ?? 0) + change
    if (waiting === 0) this.#waitingOf.delete(merchant)
    else this.#waitingOf.set(merchant, waiting)
  }
}

const sweepMs = 100
/** For this long after a refusal, requests count as being refused. */
const refusingForMs = 100
