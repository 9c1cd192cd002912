import type { Logger } from 'pino'
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
import { Alarm } from './wakeable-sleep.ts'
import { askWhileLeased } from './ask-while-leased.ts'
import { type Answer, judgeAnswer } from './answers.ts'
import * as health from './health.ts'
import { bodyOf, deliveryAfterFailure, deliveryOf, type Job, jobOfDelivery, jobOfEvent } from './jobs.ts'
import { LeaseLost, noteResults } from './record-results.ts'
import { Notebook } from './pending-results.ts'
import { type Pace, paceOf } from './pace.ts'
import { PlayerLanes } from './player-order.ts'
import { latestTryAt } from './retry-schedule.ts'
import { SendingWindow } from './sending-window.ts'
import { liveSecrets, signWebhook } from './signature.ts'
import type { Turnstile } from './concurrency-limit.ts'
import { type Reach, WebhookClient } from './webhook-client.ts'
import { type Cursor, firstCursor } from '../webhook-cursors.ts'
import { countDeliveries, readDueDeliveries } from '../webhook-deliveries.ts'
import { type DisabledReason, isActive, readWebhook, type Webhook } from '../webhooks.ts'

export type SenderOptions = {
  db: Database
  log: Logger
  now: () => Date
  /** A number in [0, 1), to spread what would come at once. */
  chance: () => number
  reach: Reach
  concurrency: number
  retryPausesSeconds: readonly number[]
  /** Bounds what all senders of a process ask of the database at once. */
  turnstile: Turnstile
  onSent: (outcome: 'delivered' | 'failed') => void
}

/** A webhook to serve. `leaseEndsAt` is a time of `performance.now()`, which nobody can set. */
type Claim = { webhook: Webhook; cursor: Cursor; owner: string; leaseEndsAt: number }

/**
 * Sends one webhook's events, for as long as there are any and this process holds the lease. It reads the log in
 * stretches, keeps a bounded number of requests under way, at most one for each player, and notes what became of them
 * in batches. What fails is written down for another try and does not hold up what is behind it; a receiver that fails
 * again and again is held (see health.ts), and the cursor stays.
 */
export class WebhookSender {
  readonly #options: SenderOptions
  readonly #owner: string
  readonly #client: WebhookClient
  readonly #window: SendingWindow
  readonly #lanes = new PlayerLanes<Job>()
  /** What is under way, the oldest first, and since when. */
  readonly #flying = new Map<Job, number>()
  readonly #notebook = new Notebook()
  readonly #alarm = new Alarm()
  #webhook: Webhook
  #health: health.Health
  #leaseEndsAt: number
  #isEnding = false
  #isCut = false
  /** From then on what was read ahead is not sent here any more. */
  #turnEndsAt = Infinity
  #mistake: unknown
  /** Tried, but neither taken nor counted as a try. */
  #unsent: Job[] = []
  #retriesLeft = 0
  /** How many the receiver has taken in this turn. */
  #takenCount = 0
  /** So many wait for another try that no new ones are begun. */
  #isClogged = false
  #idleSince = performance.now()
  // When to ask the database next.
  #lookAt = 0
  #countAt = 0
  #readDueAt = 0
  #readLogAt = 0

  constructor(options: SenderOptions, claim: Claim) {
    this.#options = options
    this.#owner = claim.owner
    this.#webhook = claim.webhook
    this.#health = claim.cursor
    this.#leaseEndsAt = claim.leaseEndsAt
    this.#window = new SendingWindow(firstCursor(claim.cursor, options.log))
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

  /** Until there is nothing to send for now, or its turn is over. Everything is noted by then, unless the lease was lost. */
  async run(): Promise<void> {
    try {
      while (await this.#goOn()) await this.#alarm.sleepUntil(this.#nextTime())
      await this.#leave()
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    } finally {
      this.#isCut = true
      await this.#client.close()
    }
  }

  /** There may be something new in the log. */
  nudge(): void {
    this.#readLogAt = 0
    this.#alarm.call()
  }

  renewed(leaseEndsAt: number): void {
    this.#leaseEndsAt = leaseEndsAt
  }

  /** Another webhook waits for this place. A slow one leaves it at once, the others with the end of their batch. */
  endTurn(): void {
    this.#turnEndsAt = Math.min(this.#turnEndsAt, performance.now() + (this.isSlow ? 0 : webhookTurnMs))
    this.#alarm.call()
  }

  /** Begins nothing new; what is under way is waited for. */
  stop(): void {
    this.#isEnding = true
    this.#alarm.call()
  }

  /** What is under way is dropped, and will be sent again under the same ids. */
  async cut(): Promise<void> {
    this.#isCut = true
    this.stop()
    await this.#client.close()
  }

  /** One look at everything that may be due. False when there is no more to do here. */
  async #goOn(): Promise<boolean> {
    if (this.#mistake !== undefined) throw this.#mistake
    if (performance.now() > this.#leaseEndsAt) throw new LeaseLost()
    const isQuiet = this.#flying.size === 0 && !this.#notebook.isEmpty
    this.#watchAnswers()
    if (isQuiet || this.#notebook.isFull || performance.now() >= this.#notebook.dueAt) await this.#writeNote()
    if (this.#isTurnOver) this.#isEnding = true
    const isHeld = health.modeOf(this.#health, this.#options.now()) === 'held'
    if (this.#isEnding || isHeld) return this.#flying.size > 0 && !this.#isCut
    await this.#look()
    await this.#readDue()
    await this.#countWaiting()
    await this.#readLog()
    this.#dispatch()
    if (this.#flying.size > 0 || !this.#notebook.isEmpty) this.#idleSince = performance.now()
    return performance.now() - this.#idleSince < webhookLingerMs
  }

  /** A receiver is slow before it has answered, too. */
  #watchAnswers(): void {
    const [oldest = Infinity] = this.#flying.values()
    const wasSlow = this.isSlow
    const waitedMs = performance.now() - oldest
    this.#health = health.afterWaiting(this.#health, { waitedMs, now: this.#options.now() })
    if (this.isSlow && !wasSlow) this.#notebook.mark()
  }

  get #isTurnOver(): boolean {
    if (this.#turnEndsAt === Infinity) return false
    return this.isSlow || this.#lanes.size === 0 || performance.now() >= this.#turnEndsAt
  }

  #nextTime(): number {
    const readLogAt = this.#wantsLog ? this.#readLogAt : Infinity
    return Math.min(this.#notebook.dueAt, readLogAt, performance.now() + webhookPollMs)
  }

  /** Starts as many as may be under way. Notes that can't be written for a while must not pile up. */
  #dispatch(): void {
    while (!this.#isEnding && !this.#notebook.isOverfull && performance.now() < this.#leaseEndsAt) {
      const mode = health.modeOf(this.#health, this.#options.now())
      const flyingMax = { flowing: this.#pace.concurrency, probing: 1, held: 0 }[mode]
      const job = this.#flying.size < flyingMax ? this.#lanes.take() : undefined
      if (job === undefined) return
      this.#flying.set(job, performance.now())
      this.#send(job, mode).catch((error: unknown) => {
        this.#mistake = error
        this.#alarm.call()
      })
    }
  }

  async #send(job: Job, mode: health.Mode): Promise<void> {
    const at = this.#options.now()
    const body = bodyOf(job, this.#webhook)
    const headers = signWebhook({ id: job.eventId, sentAt: at, body }, liveSecrets(this.#webhook, at))
    const answer = await this.#client.send(body, headers)
    // What was cut off stays among the flying, and is left for whoever comes next.
    if (this.#isCut) return
    this.#flying.delete(job)
    this.#settle(job, { answer, mode, at })
    this.#lanes.finish(job)
    this.#dispatch()
    const mayRead = this.#wantsLog && this.#readLogAt < performance.now()
    if (this.#flying.size === 0 || mayRead || this.#notebook.isFull) this.#alarm.call()
  }

  #settle(job: Job, { answer, mode, at }: { answer: Answer; mode: health.Mode; at: Date }): void {
    const { seq, eventId, eventType } = job
    const { webhookNo } = this.#webhook
    const now = this.#options.now()
    const verdict = judgeAnswer(answer, now)
    this.#health = health.afterWaiting(this.#health, { waitedMs: answer.tookMs, now })
    this.#notebook.addAttempt({ webhookNo, seq, eventId, eventType, at, ...answer })
    this.#options.onSent(verdict.outcome === 'delivered' ? 'delivered' : 'failed')
    if (job.delivery !== undefined) this.#retriesLeft--
    if (verdict.outcome === 'delivered') {
      this.#takenCount++
      this.#health = health.afterSuccess(this.#health, now)
      if (job.delivery === undefined) this.#window.settle(seq)
      else this.#notebook.addTaken(seq)
      return
    }
    const holdSeconds = verdict.outcome === 'failed' ? verdict.holdSeconds : undefined
    const chance = this.#options.chance()
    this.#health = health.afterFailure(this.#health, { mode, holdSeconds, now, chance })
    if (verdict.outcome === 'gone') this.#disable('gone')
    else if (health.isHopeless(this.#health, now)) this.#disable('failing')
    // A probe asks after the receiver, so it uses up no try of its event.
    if (verdict.outcome === 'gone' || mode === 'probing') this.#unsent.push(job)
    else this.#tryLater(job, { holdSeconds: holdSeconds ?? 0, now })
  }

  #tryLater(job: Job, { holdSeconds, now }: { holdSeconds: number; now: Date }): void {
    const { retryPausesSeconds, chance } = this.#options
    const delivery = deliveryOf(job, this.#webhook, now)
    const pauses = { retryPausesSeconds, chance: chance(), holdSeconds, now }
    this.#notebook.addDelivery(deliveryAfterFailure(delivery, pauses))
    if (job.delivery === undefined) this.#window.settle(job.seq)
  }

  #disable(reason: DisabledReason): void {
    this.#notebook.addDisabling(reason)
    this.#isEnding = true
  }

  /** Writes what there is to note. What comes meanwhile goes into the next note. */
  async #writeNote(): Promise<void> {
    const { webhookNo } = this.#webhook
    const cursor = { ...this.#health, webhookNo, cursorSeq: this.#window.cursorSeq }
    const note = { ...this.#notebook.tearOut(), cursor }
    const order = { owner: this.#owner, now: this.#options.now() }
    this.#see(await this.#ask((db) => noteResults(db, note, order)))
  }

  async #look(): Promise<void> {
    if (performance.now() < this.#lookAt) return
    this.#see(await this.#ask((db) => readWebhook(db, this.#webhook.webhookNo)))
  }

  /** People may have changed the webhook. Where and what to send is fixed for one run; the next begins with the new. */
  #see(webhook: Webhook | undefined): void {
    this.#lookAt = performance.now() + this.#pace.pollMs
    const { url, types } = this.#webhook
    const isSame = webhook?.url === url && String(webhook.types) === String(types)
    if (webhook === undefined || !isSame || !isActive(webhook)) this.#isEnding = true
    if (webhook !== undefined) this.#webhook = webhook
  }

  async #readDue(): Promise<void> {
    if (this.#retriesLeft > 0 || this.isLeaving || performance.now() < this.#readDueAt) return
    // Those that were just sent stand among the due until that is noted.
    if (!this.#notebook.isEmpty) await this.#writeNote()
    const { webhookNo } = this.#webhook
    const now = this.#options.now()
    const latestAt = latestTryAt(this.#options.retryPausesSeconds, now)
    // All that the last turn left over at once: fresh events of the same players must not overtake them.
    const query = { webhookNo, now, latestAt, limit: webhookRetriesReadMax }
    const due = await this.#ask((db) => readDueDeliveries(db, query))
    this.#readDueAt = due.length < webhookRetriesReadMax ? performance.now() + this.#pace.pollMs : 0
    this.#retriesLeft = due.length
    for (const delivery of due) this.#lanes.add(jobOfDelivery(delivery))
  }

  async #countWaiting(): Promise<void> {
    if (performance.now() < this.#countAt) return
    this.#countAt = performance.now() + 10 * webhookPollMs
    const { webhookNo } = this.#webhook
    const { waiting } = await this.#ask((db) => countDeliveries(db, webhookNo, webhookWaitingMax))
    this.#isClogged = waiting >= webhookWaitingMax
  }

  get #pace(): Pace {
    return paceOf({ ...this.#options, isSlow: this.isSlow, takenCount: this.#takenCount })
  }

  get #wantsLog(): boolean {
    const isShort = this.#lanes.size < this.#pace.readMax / 2 && this.#window.span < webhookWindowMax
    return isShort && !this.isLeaving && !this.#isClogged
  }

  async #readLog(): Promise<void> {
    if (!this.#wantsLog || performance.now() < this.#readLogAt) return
    const after = this.#window.readTo
    const { merchantId, types } = this.#webhook
    const query = { merchantId, after, types: types ?? undefined, limit: this.#pace.readMax }
    // Set beforehand: a nudge that comes meanwhile sets it back.
    this.#readLogAt = performance.now() + this.#pace.pollMs
    const { events, next } = await this.#ask((db) => scanEvents(db, query))
    if (next === after) return
    // So that an event from after a pause, or a change of address, is never sent as if there had been none.
    this.#lookAt = 0
    await this.#look()
    if (this.#isEnding) return
    this.#readLogAt = 0
    const seqs = events.map((event) => event.seq)
    this.#window.add(seqs, next)
    this.#notebook.mark()
    for (const event of events) this.#lanes.add(jobOfEvent(event))
  }

  /**
   * Events that were read and not sent, though later ones were, are written down as deliveries that are due: so the
   * cursor can pass, and nothing that was taken is sent twice.
   */
  async #leave(): Promise<void> {
    const left = [...this.#lanes.rest(), ...this.#unsent, ...this.#flying.keys()]
    const passed = left.filter((job) => job.delivery === undefined && job.seq < this.#window.settledTo)
    for (const job of passed) {
      this.#notebook.addDelivery(deliveryOf(job, this.#webhook, this.#options.now()))
      this.#window.settle(job.seq)
    }
    await this.#writeNote()
  }

  #ask<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const lease = { merchantId: this.merchantId, leaseEndsAt: () => this.#leaseEndsAt }
    return askWhileLeased(this.#options, lease, work)
  }
}
