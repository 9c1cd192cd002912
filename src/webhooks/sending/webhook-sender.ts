import type { Database } from '../../db/database.ts'
import { scanEvents } from '../../events/event-log.ts'
import {
  webhookLingerMs,
  webhookPollMs,
  webhookRetriesReadMax,
  webhookTurnMs,
  webhookWaitingMax,
  webhookWindowMax,
} from '../../limits.ts'
import { firstCursor } from '../../leases/first-cursor.ts'
import { WakeableSleep } from './wakeable-sleep.ts'
import { askWhileLeased } from './ask-while-leased.ts'
import { type Answer, judgeAnswer } from './answers.ts'
import * as health from './health.ts'
import { bodyOf, deliveryAfterFailure, deliveryOf, type Job, jobOfDelivery, jobOfEvent } from './jobs.ts'
import { LeaseLost, recordResults } from './record-results.ts'
import { PendingResults } from './pending-results.ts'
import { type SenderLimits, senderLimits } from './sender-limits.ts'
import type { SenderOptions } from './sender-options.ts'
import { PlayerQueues } from './player-queues.ts'
import { latestTryAt } from './retry-schedule.ts'
import { SendingWindow } from './sending-window.ts'
import { liveSecrets, signWebhook } from './signature.ts'
import { tracedAttempt } from './traced-attempt.ts'
import { WebhookClient } from './webhook-client.ts'
import type { Cursor } from '../webhook-cursors.ts'
import { countDeliveries, readDueDeliveries } from '../webhook-deliveries.ts'
import { type DisabledReason, isActive, readWebhook, type Webhook } from '../webhooks.ts'

/** A webhook to serve. `leaseEndsAt` is a time of `performance.now()`, which does not jump when the clock is set. */
type Claim = { webhook: Webhook; cursor: Cursor; owner: string; leaseEndsAt: number }

/**
 * Sends one webhook's events, for as long as there are any and this process holds the lease. It reads the log in
 * ranges, keeps a limited number of requests in flight, at most one for each player, and records their results in
 * batches. A failed event is stored for a retry and does not block the events behind it. A receiver that fails again
 * and again is held (see health.ts), and the cursor stays where it is.
 */
export class WebhookSender {
  readonly #options: SenderOptions
  readonly #owner: string
  readonly #client: WebhookClient
  readonly #window: SendingWindow
  readonly #queues = new PlayerQueues<Job>()
  /** The requests in flight, oldest first, and when each was sent. */
  readonly #inFlight = new Map<Job, number>()
  readonly #pending = new PendingResults()
  readonly #sleep = new WakeableSleep()
  #webhook: Webhook
  #health: health.Health
  #leaseEndsAt: number
  #isEnding = false
  #isAborted = false
  /** After this time, events that were read ahead are not sent by this sender any more. */
  #turnEndsAt = Infinity
  #bug: unknown
  /** Events that failed without using up an attempt. */
  #unsent: Job[] = []
  #retriesLeft = 0
  /** How many events the receiver has accepted in this turn. */
  #takenCount = 0
  /** So many deliveries wait for a retry that no new events are sent. */
  #isBacklogged = false
  #idleSince = performance.now()
  // The next time of each query.
  #refreshAt = 0
  #countAt = 0
  #readDueAt = 0
  #readLogAt = 0

  constructor(options: SenderOptions, claim: Claim) {
    this.#options = options
    this.#owner = claim.owner
    this.#webhook = claim.webhook
    this.#health = claim.cursor
    this.#leaseEndsAt = claim.leaseEndsAt
    const { webhookNo, cursorSeq, firstKeptSeq } = claim.cursor
    this.#window = new SendingWindow(firstCursor({ webhookNo, cursorSeq, firstKeptSeq }, options.log))
    this.#client = new WebhookClient(claim.webhook.url, options.reach, options.concurrency)
  }

  get merchantId(): number {
    return this.#webhook.merchantId
  }

  get isSlow(): boolean {
    return health.isSlow(this.#health, this.#options.now())
  }

  get isLeaving(): boolean {
    return this.#isEnding || this.#turnEndsAt < Infinity
  }

  /**
   * Runs until there is nothing to send for now, or the turn is over. By then every result is recorded, unless the
   * lease was lost.
   */
  async run(): Promise<void> {
    try {
      while (await this.#step()) await this.#sleep.until(this.#nextTime())
      await this.#finish()
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    } finally {
      this.#isAborted = true
      await this.#client.close()
    }
  }

  /** There may be new events in the log. */
  nudge(): void {
    this.#readLogAt = 0
    this.#sleep.wake()
  }

  renewed(leaseEndsAt: number): void {
    this.#leaseEndsAt = leaseEndsAt
  }

  /** Another webhook waits for this slot. A slow one gives it up at once, the others at the end of their batch. */
  endTurn(): void {
    this.#turnEndsAt = Math.min(this.#turnEndsAt, performance.now() + (this.isSlow ? 0 : webhookTurnMs))
    this.#sleep.wake()
  }

  /** Sends nothing new, but waits for the requests in flight. */
  stop(): void {
    this.#isEnding = true
    this.#sleep.wake()
  }

  /** Aborts the requests in flight. Their events will be sent again with the same ids. */
  async abort(): Promise<void> {
    this.#isAborted = true
    this.stop()
    await this.#client.close()
  }

  /** Does everything that is due. Returns false if there is nothing left to do here. */
  async #step(): Promise<boolean> {
    if (this.#bug !== undefined) throw this.#bug
    if (performance.now() > this.#leaseEndsAt) throw new LeaseLost()
    const isQuiet = this.#inFlight.size === 0 && !this.#pending.isEmpty
    this.#watchAnswers()
    if (isQuiet || this.#pending.isFull || performance.now() >= this.#pending.dueAt)
      await this.#recordPending()
    if (this.#isTurnOver) this.#isEnding = true
    const isHeld = health.modeOf(this.#health, this.#options.now()) === 'held'
    if (this.#isEnding || isHeld) return this.#inFlight.size > 0 && !this.#isAborted
    await this.#refreshWebhook()
    await this.#readDueDeliveries()
    await this.#countWaiting()
    await this.#readLog()
    this.#dispatch()
    if (this.#inFlight.size > 0 || !this.#pending.isEmpty) this.#idleSince = performance.now()
    return performance.now() - this.#idleSince < webhookLingerMs
  }

  /** A receiver can count as slow before it has answered. */
  #watchAnswers(): void {
    const [oldest = Infinity] = this.#inFlight.values()
    const wasSlow = this.isSlow
    const waitedMs = performance.now() - oldest
    this.#health = health.afterWaiting(this.#health, { waitedMs, now: this.#options.now() })
    if (this.isSlow && !wasSlow) this.#pending.mark()
  }

  get #isTurnOver(): boolean {
    if (this.#turnEndsAt === Infinity) return false
    return this.isSlow || this.#queues.size === 0 || performance.now() >= this.#turnEndsAt
  }

  #nextTime(): number {
    const readLogAt = this.#wantsLog ? this.#readLogAt : Infinity
    return Math.min(this.#pending.dueAt, readLogAt, performance.now() + webhookPollMs)
  }

  /**
   * Sends as many events as the limits allow. It stops while results can't be recorded, so that they don't pile up.
   */
  #dispatch(): void {
    while (!this.#isEnding && !this.#pending.isOverfull && performance.now() < this.#leaseEndsAt) {
      const mode = health.modeOf(this.#health, this.#options.now())
      const inFlightMax = { flowing: this.#limits.concurrency, probing: 1, held: 0 }[mode]
      const job = this.#inFlight.size < inFlightMax ? this.#queues.take() : undefined
      if (job === undefined) return
      this.#inFlight.set(job, performance.now())
      this.#send(job, mode).catch((error: unknown) => {
        this.#bug = error
        this.#sleep.wake()
      })
    }
  }

  async #send(job: Job, mode: health.Mode): Promise<void> {
    const at = this.#options.now()
    const body = bodyOf(job, this.#webhook)
    const headers = signWebhook({ id: job.eventId, sentAt: at, body }, liveSecrets(this.#webhook, at))
    const answer = await tracedAttempt(this.#options, { job, webhook: this.#webhook }, (more) =>
      this.#client.send(body, { ...headers, ...more }),
    )
    // An aborted request stays in `#inFlight`, and its event is left to the next process.
    if (this.#isAborted) return
    this.#inFlight.delete(job)
    this.#settle(job, { answer, mode, at })
    this.#queues.finish(job)
    this.#dispatch()
    const mayRead = this.#wantsLog && this.#readLogAt < performance.now()
    if (this.#inFlight.size === 0 || mayRead || this.#pending.isFull) this.#sleep.wake()
  }

  #settle(job: Job, { answer, mode, at }: { answer: Answer; mode: health.Mode; at: Date }): void {
    const { seq, eventId, eventType } = job
    const { webhookNo } = this.#webhook
    const now = this.#options.now()
    const verdict = judgeAnswer(answer, now)
    this.#health = health.afterWaiting(this.#health, { waitedMs: answer.tookMs, now })
    this.#pending.addAttempt({ webhookNo, seq, eventId, eventType, at, ...answer })
    this.#options.onSent(verdict.outcome === 'delivered' ? 'delivered' : 'failed')
    if (job.delivery !== undefined) this.#retriesLeft--
    if (verdict.outcome === 'delivered') {
      this.#takenCount++
      this.#health = health.afterSuccess(this.#health, now)
      if (job.delivery === undefined) this.#window.settle(seq)
      else this.#pending.addTaken(seq)
      return
    }
    const holdSeconds = verdict.outcome === 'failed' ? verdict.holdSeconds : undefined
    const chance = this.#options.chance()
    this.#health = health.afterFailure(this.#health, { mode, holdSeconds, now, chance })
    if (verdict.outcome === 'gone') this.#disable('gone')
    else if (health.isHopeless(this.#health, now)) this.#disable('failing')
    // A probe tests the receiver, so it uses up no attempt of its event.
    if (verdict.outcome === 'gone' || mode === 'probing') this.#unsent.push(job)
    else this.#tryLater(job, { holdSeconds: holdSeconds ?? 0, now })
  }

  #tryLater(job: Job, { holdSeconds, now }: { holdSeconds: number; now: Date }): void {
    const { retryPausesSeconds, chance } = this.#options
    const delivery = deliveryOf(job, this.#webhook, now)
    const pauses = { retryPausesSeconds, chance: chance(), holdSeconds, now }
    const after = deliveryAfterFailure(delivery, pauses)
    if (after.deadAt !== null) this.#options.onDead?.()
    this.#pending.addDelivery(after)
    if (job.delivery === undefined) this.#window.settle(job.seq)
  }

  #disable(reason: DisabledReason): void {
    this.#options.onDisabled?.(reason)
    this.#pending.addDisabling(reason)
    this.#isEnding = true
  }

  /** Records the pending results. Results that arrive meanwhile are recorded the next time. */
  async #recordPending(): Promise<void> {
    const { webhookNo } = this.#webhook
    const cursor = { ...this.#health, webhookNo, cursorSeq: this.#window.cursorSeq }
    const results = { ...this.#pending.takeAll(), cursor }
    const order = { owner: this.#owner, now: this.#options.now() }
    this.#applyWebhook(await this.#ask((db) => recordResults(db, results, order)))
  }

  async #refreshWebhook(): Promise<void> {
    if (performance.now() < this.#refreshAt) return
    this.#applyWebhook(await this.#ask((db) => readWebhook(db, this.#webhook.webhookNo)))
  }

  /**
   * The webhook may have been changed. URL and types are fixed for one run; the next run starts with the new ones.
   */
  #applyWebhook(webhook: Webhook | undefined): void {
    this.#refreshAt = performance.now() + this.#limits.pollMs
    const { url, types } = this.#webhook
    const isSame = webhook?.url === url && String(webhook.types) === String(types)
    if (webhook === undefined || !isSame || !isActive(webhook)) this.#isEnding = true
    if (webhook !== undefined) this.#webhook = webhook
  }

  async #readDueDeliveries(): Promise<void> {
    if (this.#retriesLeft > 0 || this.isLeaving || performance.now() < this.#readDueAt) return
    // Deliveries that were just sent are due until their result is recorded.
    if (!this.#pending.isEmpty) await this.#recordPending()
    const { webhookNo } = this.#webhook
    const now = this.#options.now()
    const latestAt = latestTryAt(this.#options.retryPausesSeconds, now)
    // Read everything that the last turn left over at once: new events of the same players must not overtake it.
    const query = { webhookNo, now, latestAt, limit: webhookRetriesReadMax }
    const due = await this.#ask((db) => readDueDeliveries(db, query))
    this.#readDueAt = due.length < webhookRetriesReadMax ? performance.now() + this.#limits.pollMs : 0
    this.#retriesLeft = due.length
    for (const delivery of due) this.#queues.add(jobOfDelivery(delivery))
  }

  async #countWaiting(): Promise<void> {
    if (performance.now() < this.#countAt) return
    this.#countAt = performance.now() + 10 * webhookPollMs
    const { webhookNo } = this.#webhook
    const { waiting } = await this.#ask((db) => countDeliveries(db, webhookNo, webhookWaitingMax))
    this.#isBacklogged = waiting >= webhookWaitingMax
  }

  get #limits(): SenderLimits {
    return senderLimits({ ...this.#options, isSlow: this.isSlow, takenCount: this.#takenCount })
  }

  get #wantsLog(): boolean {
    const isShort = this.#queues.size < this.#limits.readMax / 2 && this.#window.span < webhookWindowMax
    return isShort && !this.isLeaving && !this.#isBacklogged
  }

  async #readLog(): Promise<void> {
    if (!this.#wantsLog || performance.now() < this.#readLogAt) return
    const after = this.#window.readTo
    const { merchantId, types } = this.#webhook
    const query = { merchantId, after, types: types ?? undefined, limit: this.#limits.readMax }
    // Set before the query, because a nudge during the query resets it.
    this.#readLogAt = performance.now() + this.#limits.pollMs
    const { events, next } = await this.#ask((db) => scanEvents(db, query))
    if (next === after) return
    // Check the webhook again: an event from after a pause or a change of URL must not be sent with the old settings.
    this.#refreshAt = 0
    await this.#refreshWebhook()
    if (this.#isEnding) return
    this.#readLogAt = 0
    const seqs = events.map((event) => event.seq)
    this.#window.add(seqs, next)
    this.#pending.mark()
    for (const event of events) this.#queues.add(jobOfEvent(event))
  }

  /**
   * Events that were read but not sent, although later ones were, are stored as deliveries that are due now. So the
   * cursor can pass them, and no accepted event is sent twice.
   */
  async #finish(): Promise<void> {
    const left = [...this.#queues.rest(), ...this.#unsent, ...this.#inFlight.keys()]
    const passed = left.filter((job) => job.delivery === undefined && job.seq < this.#window.settledTo)
    for (const job of passed) {
      this.#pending.addDelivery(deliveryOf(job, this.#webhook, this.#options.now()))
      this.#window.settle(job.seq)
    }
    await this.#recordPending()
  }

  #ask<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const lease = { merchantId: this.merchantId, leaseEndsAt: () => this.#leaseEndsAt }
    return askWhileLeased(this.#options, lease, work)
  }
}
