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
import { freeSlots, type Slot, turnsToEnd } from './slots.ts'
import { type Backlog, readBacklog, tidyWebhooks } from '../tidy-webhooks.ts'
import { FairConcurrencyLimit } from '../../concurrency/fair-concurrency-limit.ts'
import { latestTryAt } from './retry-schedule.ts'
import {
  claimCursors,
  countWaitingWebhooks,
  type Cursor,
  releaseCursors,
  renewLeases,
} from '../webhook-cursors.ts'
import type { SenderOptions } from './sender-options.ts'
import { WebhookSender } from './webhook-sender.ts'
import { listMerchantsWithWebhooks, readWebhook } from '../webhooks.ts'

export type WorkerOptions = Omit<SenderOptions, 'databaseLimit'> & {
  attemptDays: number
  deadLetterDays: number
  /** Calls `listener` with the merchants that have new events, until the returned function is called. */
  onNumbered: (listener: (merchantIds: readonly number[]) => void) => () => void
  onBacklog: (backlog: Backlog) => void
}

/** The group of the worker's own queries, beside one group for each merchant. */
const ownGroup = 0

type Served = { merchantId: number; since: number; sender: WebhookSender | undefined; done: Promise<void> }

/**
 * Sends webhooks. Every process has a worker; they share the webhooks by leases in the database. A lease is taken
 * only if there is something to send, and released soon after there is nothing left, so the load spreads evenly. The
 * lease of a process that was killed expires within seconds.
 */
export class WebhookWorker {
  readonly #options: WorkerOptions
  readonly #owner = randomUUID()
  readonly #databaseLimit = new FairConcurrencyLimit(webhookDatabaseConcurrency)
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

  /** The number of webhooks that this process serves now. */
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

  /**
   * Waits for the requests in flight, at most for the given time, records their results, and releases every lease.
   */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    this.#stopListening?.()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#rounds)
    for (const { sender } of this.#serving.values()) sender?.stop()
    const graceTimer = setTimeout(() => {
      for (const { sender } of this.#serving.values()) void sender?.abort()
    }, graceMs)
    await Promise.all([...this.#serving.values()].map(({ done }) => done))
    clearTimeout(graceTimer)
    await this.#release()
  }

  /** Repeats work with a pause, varied a little so that processes don't run in step. */
  #every(pauseMs: number, work: () => Promise<void>): void {
    const run = async () => {
      try {
        await work()
      } catch (error) {
        // Most likely the database is unavailable. The next run tries again.
        this.#options.log.warn({ error }, 'a recurring task of the webhook worker failed')
      }
      if (!this.#isClosed) this.#later(pauseMs * (0.9 + 0.2 * Math.random()), run)
    }
    this.#later(0, run)
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

  /** Ignores events of merchants without webhooks, and stops listening if there are no webhooks at all. */
  async #listen(): Promise<void> {
    const { db, onNumbered } = this.#options
    this.#merchantIds = new Set(await this.#databaseLimit.run(ownGroup, () => listMerchantsWithWebhooks(db)))
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
        this.#options.log.warn({ error }, 'claiming webhooks failed'),
      )
    })
  }

  async #claim(): Promise<void> {
    const free = freeSlots(this.#slots())
    if (free.quick + free.slow === 0 || this.#isClosed) return
    const leaseEndsAt = performance.now() + webhookLeaseMs
    const claim = { ...this.#moment(), milliseconds: webhookLeaseMs, ...free }
    const cursors = await this.#databaseLimit.run(ownGroup, () => claimCursors(this.#options.db, claim))
    for (const cursor of cursors) this.#serve(cursor, leaseEndsAt)
    if (cursors.length > 0) this.#claimSoon()
  }

  /** Ends the turns of webhooks that have to make room for waiting ones. */
  async #endTurns(): Promise<void> {
    if (this.#serving.size === 0) return
    const waiting = await this.#databaseLimit.run(ownGroup, () =>
      countWaitingWebhooks(this.#options.db, this.#moment()),
    )
    for (const webhookNo of turnsToEnd(this.#slots(), waiting, performance.now()))
      this.#serving.get(webhookNo)?.sender?.endTurn()
  }

  #moment() {
    const now = this.#options.now()
    return { owner: this.#owner, now, latestAt: latestTryAt(this.#options.retryPausesSeconds, now) }
  }

  #slots(): Slot[] {
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
      .catch((error: unknown) => log.error({ error, webhookNo }, 'serving a webhook failed'))
      .then(async () => {
        this.#serving.delete(webhookNo)
        this.#toRelease.add(webhookNo)
        return this.#release()
      })
      .then(() => this.#claimSoon())
      .catch((error: unknown) => log.warn({ error, webhookNo }, 'releasing a webhook lease failed'))
    const { merchantId } = cursor
    this.#serving.set(webhookNo, { merchantId, since: performance.now(), sender: undefined, done })
  }

  async #run(cursor: Cursor, leaseEndsAt: number): Promise<void> {
    const { db } = this.#options
    const webhook = await this.#databaseLimit.run(cursor.merchantId, () => readWebhook(db, cursor.webhookNo))
    const entry = this.#serving.get(cursor.webhookNo)
    if (webhook === undefined || entry === undefined || this.#isClosed) return
    const claim = { webhook, cursor, owner: this.#owner, leaseEndsAt }
    entry.sender = new WebhookSender({ ...this.#options, databaseLimit: this.#databaseLimit }, claim)
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
      else await sender?.abort()
    }
  }

  async #release(): Promise<void> {
    const webhookNos = [...this.#toRelease].filter((webhookNo) => !this.#serving.has(webhookNo))
    if (webhookNos.length === 0) return
    await releaseCursors(this.#options.db, webhookNos, this.#owner)
    for (const webhookNo of webhookNos) this.#toRelease.delete(webhookNo)
  }

  /** Carries out resends: a few steps of each in turn. */
  async #resend(): Promise<void> {
    const { db, now } = this.#options
    for (let step = 0; step < webhookResendStepsPerRoundMax && !this.#isClosed; step++)
      if ((await this.#databaseLimit.run(ownGroup, () => continueResend(db, now()))) === 'none') return
  }

  async #tidy(): Promise<void> {
    const { db, now, attemptDays, deadLetterDays, onBacklog } = this.#options
    await tidyWebhooks(db, { now: now(), attemptDays, deadLetterDays })
    onBacklog(await readBacklog(db))
  }
}
