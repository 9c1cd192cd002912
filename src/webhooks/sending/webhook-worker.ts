import { randomUUID } from 'node:crypto'
import {
  webhookClaimMs,
  webhookDatabaseConcurrency,
  webhookLeaseMs,
  webhookNudgeMs,
  webhookRenewMs,
  webhookResendMs,
  webhookResendStepsPerRoundMax,
  webhookTidyMs,
} from '../../limits.ts'
import { continueResend } from '../resend-events.ts'
import { freePlaces, type Place, turnsToEnd } from './places.ts'
import { type Backlog, readBacklog, tidyWebhooks } from '../tidy-webhooks.ts'
import { Turnstile } from './concurrency-limit.ts'
import { latestTryAt } from './retry-schedule.ts'
import {
  claimCursors,
  countWaitingWebhooks,
  type Cursor,
  releaseCursors,
  renewLeases,
} from '../webhook-cursors.ts'
import { type SenderOptions, WebhookSender } from './webhook-sender.ts'
import { listMerchantsWithWebhooks, readWebhook } from '../webhooks.ts'

export type WorkerOptions = Omit<SenderOptions, 'turnstile'> & {
  attemptDays: number
  deadLetterDays: number
  /** Tells which merchants have new events in the log; the answer ends that. */
  onNumbered: (listener: (merchantIds: readonly number[]) => void) => () => void
  onBacklog: (backlog: Backlog) => void
}

/** Among those that wait for the database, the worker's own questions count as a merchant. */
const ownGroup = 0

type Served = { merchantId: number; since: number; sender: WebhookSender | undefined; done: Promise<void> }

/**
 * Sends webhooks. Every process has one; they share the webhooks by leases in the database. A lease is taken only where
 * there is something to send, and given back soon after there is not, so the work spreads by itself; the lease of a
 * process that was killed runs out within seconds.
 */
export class WebhookWorker {
  readonly #options: WorkerOptions
  readonly #owner = randomUUID()
  readonly #turnstile = new Turnstile(webhookDatabaseConcurrency)
  readonly #serving = new Map<number, Served>()
  readonly #toRelease = new Set<number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #rounds = new Set<Promise<void>>()
  #merchantIds = new Set<number>()
  #stopListening: (() => void) | undefined
  #isClaimDue = false
  #isClosed = true

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** How many webhooks this process serves at the moment. */
  get servingCount(): number {
    return this.#serving.size
  }

  start(): void {
    this.#isClosed = false
    this.#every(webhookClaimMs, () => this.#lookForWork())
    this.#every(webhookRenewMs, () => this.#renew())
    this.#every(webhookResendMs, () => this.#resend())
    this.#every(webhookTidyMs, () => this.#tidy())
  }

  /** Waits for what is under way, at most for the time given, notes it, and gives every lease back. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    this.#stopListening?.()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#rounds)
    for (const { sender } of this.#serving.values()) sender?.stop()
    const cutOff = setTimeout(() => {
      for (const { sender } of this.#serving.values()) void sender?.cut()
    }, graceMs)
    await Promise.all([...this.#serving.values()].map(({ done }) => done))
    clearTimeout(cutOff)
    await this.#release()
  }

  /** Again and again, with a pause between; each a little off, so that processes don't march in step. */
  #every(pauseMs: number, work: () => Promise<void>): void {
    const round = async () => {
      try {
        await work()
      } catch (error) {
        // The database does not answer, most likely. The next round will tell.
        this.#options.log.warn({ error }, 'a round of webhooks failed')
      }
      if (!this.#isClosed) this.#later(pauseMs * (0.9 + 0.2 * Math.random()), round)
    }
    this.#later(0, round)
  }

  #later(pauseMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const round = work().finally(() => this.#rounds.delete(round))
      this.#rounds.add(round)
    }, pauseMs)
    this.#timers.add(timer)
  }

  async #lookForWork(): Promise<void> {
    await this.#listen()
    if (this.#merchantIds.size === 0) return
    await this.#claim()
    await this.#endTurns()
  }

  /** Nobody is woken for the events of merchants without webhooks, and nobody listens where there are none. */
  async #listen(): Promise<void> {
    const { db, onNumbered } = this.#options
    this.#merchantIds = new Set(await this.#turnstile.run(ownGroup, () => listMerchantsWithWebhooks(db)))
    if (this.#merchantIds.size === 0) {
      this.#stopListening?.()
      this.#stopListening = undefined
    } else this.#stopListening ??= onNumbered((merchantIds) => this.#nudge(merchantIds))
  }

  #nudge(merchantIds: readonly number[]): void {
    const concerned = new Set(merchantIds.filter((merchantId) => this.#merchantIds.has(merchantId)))
    if (concerned.size === 0 || this.#isClosed) return
    for (const { sender } of this.#serving.values())
      if (sender !== undefined && concerned.has(sender.merchantId)) sender.nudge()
    this.#claimSoon()
  }

  #claimSoon(): void {
    if (this.#isClaimDue || this.#isClosed) return
    this.#isClaimDue = true
    this.#later(webhookNudgeMs, async () => {
      this.#isClaimDue = false
      await this.#claim().catch((error: unknown) =>
        this.#options.log.warn({ error }, 'no webhook was claimed'),
      )
    })
  }

  async #claim(): Promise<void> {
    const free = freePlaces(this.#places())
    if (free.quick + free.slow === 0 || this.#isClosed) return
    const leaseEndsAt = performance.now() + webhookLeaseMs
    const claim = { ...this.#moment(), milliseconds: webhookLeaseMs, ...free }
    const cursors = await this.#turnstile.run(ownGroup, () => claimCursors(this.#options.db, claim))
    for (const cursor of cursors) this.#serve(cursor, leaseEndsAt)
    if (cursors.length > 0) this.#claimSoon()
  }

  /** Webhooks that have had their turn make room for those that wait. */
  async #endTurns(): Promise<void> {
    if (this.#serving.size === 0) return
    const waiting = await this.#turnstile.run(ownGroup, () =>
      countWaitingWebhooks(this.#options.db, this.#moment()),
    )
    for (const webhookNo of turnsToEnd(this.#places(), waiting, performance.now()))
      this.#serving.get(webhookNo)?.sender?.endTurn()
  }

  #moment() {
    const now = this.#options.now()
    return { owner: this.#owner, now, latestAt: latestTryAt(this.#options.retryPausesSeconds, now) }
  }

  #places(): Place[] {
    return [...this.#serving].map(([webhookNo, { merchantId, since, sender }]) => ({
      webhookNo,
      merchantId,
      since,
      isSlow: sender?.isSlow ?? false,
      isLeaving: sender?.isLeaving ?? false,
    }))
  }

  #serve(cursor: Cursor, leaseEndsAt: number): void {
    const { webhookNo } = cursor
    const { log } = this.#options
    const done = this.#run(cursor, leaseEndsAt)
      .catch((error: unknown) => log.error({ error, webhookNo }, 'a webhook could not be served'))
      .then(async () => {
        this.#serving.delete(webhookNo)
        this.#toRelease.add(webhookNo)
        return this.#release()
      })
      .then(() => this.#claimSoon())
      .catch((error: unknown) => log.warn({ error, webhookNo }, 'a lease was not given back'))
    const { merchantId } = cursor
    this.#serving.set(webhookNo, { merchantId, since: performance.now(), sender: undefined, done })
  }

  async #run(cursor: Cursor, leaseEndsAt: number): Promise<void> {
    const { db } = this.#options
    const webhook = await this.#turnstile.run(cursor.merchantId, () => readWebhook(db, cursor.webhookNo))
    const entry = this.#serving.get(cursor.webhookNo)
    if (webhook === undefined || entry === undefined || this.#isClosed) return
    const claim = { webhook, cursor, owner: this.#owner, leaseEndsAt }
    entry.sender = new WebhookSender({ ...this.#options, turnstile: this.#turnstile }, claim)
    await entry.sender.run()
  }

  async #renew(): Promise<void> {
    await this.#release()
    if (this.#serving.size === 0) return
    const leaseEndsAt = performance.now() + webhookLeaseMs
    const lease = { owner: this.#owner, milliseconds: webhookLeaseMs }
    const renewed = new Set(await renewLeases(this.#options.db, [...this.#serving.keys()], lease))
    for (const [webhookNo, { sender }] of this.#serving) {
      if (renewed.has(webhookNo)) sender?.renewed(leaseEndsAt)
      else await sender?.cut()
    }
  }

  async #release(): Promise<void> {
    const webhookNos = [...this.#toRelease].filter((webhookNo) => !this.#serving.has(webhookNo))
    if (webhookNos.length === 0) return
    await releaseCursors(this.#options.db, webhookNos, this.#owner)
    for (const webhookNo of webhookNos) this.#toRelease.delete(webhookNo)
  }

  /** Carries out orders to send events again: a few steps of each in turn. */
  async #resend(): Promise<void> {
    const { db, now } = this.#options
    for (let step = 0; step < webhookResendStepsPerRoundMax && !this.#isClosed; step++)
      if ((await this.#turnstile.run(ownGroup, () => continueResend(db, now()))) === 'none') return
  }

  async #tidy(): Promise<void> {
    const { db, now, attemptDays, deadLetterDays, onBacklog } = this.#options
    await tidyWebhooks(db, { now: now(), attemptDays, deadLetterDays })
    onBacklog(await readBacklog(db))
  }
}
