import {
  webhookClaimMs,
  webhookDatabaseConcurrency,
  webhookResendMs,
  webhookResendStepsPerRoundMax,
  webhookTidyMs,
} from '../../limits.ts'
import { FairConcurrencyLimit } from '../../concurrency/fair-concurrency-limit.ts'
import { type Lease, LeasedWork } from '../../leases/leased-work.ts'
import { continueResend } from '../resend-events.ts'
import { freeSlots, type Slot, turnsToEnd } from './slots.ts'
import { type Backlog, readBacklog, tidyWebhooks } from '../tidy-webhooks.ts'
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

/** Sends webhooks. Every process has a worker; they share the webhooks by leases. */
export class WebhookWorker {
  readonly #options: WorkerOptions
  readonly #databaseLimit = new FairConcurrencyLimit(webhookDatabaseConcurrency)
  readonly #leased: LeasedWork<Cursor, WebhookSender>
  #merchantIds = new Set<number>()
  #stopListening: (() => void) | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    const { db, log } = options
    this.#leased = new LeasedWork({
      log,
      name: 'a webhook',
      keyOf: ({ webhookNo }) => webhookNo,
      claim: (lease) => this.#claim(lease),
      renew: (webhookNos, lease) => renewLeases(db, webhookNos, lease),
      release: (webhookNos, owner) => releaseCursors(db, webhookNos, owner),
      open: (cursor, lease) => this.#open(cursor, lease),
    })
  }

  /** The number of webhooks that this process serves now. */
  get servingCount(): number {
    return this.#leased.serving.size
  }

  start(): void {
    this.#leased.start()
    this.#leased.every(webhookClaimMs, () => this.#lookForWork())
    this.#leased.every(webhookResendMs, () => this.#resend())
    this.#leased.every(webhookTidyMs, () => this.#tidy())
  }

  /**
   * Waits for the requests in flight, at most for the given time, records their results, and releases every lease.
   */
  async close(graceMs: number): Promise<void> {
    this.#stopListening?.()
    await this.#leased.close(graceMs)
  }

  async #lookForWork(): Promise<void> {
    await this.#listen()
    if (this.#merchantIds.size === 0) return
    await this.#leased.claim()
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
    if (concerned.size === 0 || this.#leased.isClosed) return
    for (const { server } of this.#leased.serving.values())
      if (server !== undefined && concerned.has(server.merchantId)) server.nudge()
    this.#leased.claimSoon()
  }

  async #claim(lease: Lease): Promise<Cursor[]> {
    const free = freeSlots(this.#slots())
    if (free.quick + free.slow === 0) return []
    const claim = { ...this.#moment(), ...lease, ...free }
    return this.#databaseLimit.run(ownGroup, () => claimCursors(this.#options.db, claim))
  }

  /** Ends the turns of webhooks that have to make room for waiting ones. */
  async #endTurns(): Promise<void> {
    const { serving } = this.#leased
    if (serving.size === 0) return
    const waiting = await this.#databaseLimit.run(ownGroup, () =>
      countWaitingWebhooks(this.#options.db, this.#moment()),
    )
    for (const webhookNo of turnsToEnd(this.#slots(), waiting, performance.now()))
      serving.get(webhookNo)?.server?.endTurn()
  }

  #moment() {
    const now = this.#options.now()
    const { owner } = this.#leased
    return { owner, now, latestAt: latestTryAt(this.#options.retryPausesSeconds, now) }
  }

  #slots(): Slot[] {
    return [...this.#leased.serving.values()].map(({ item, since, server }) => ({
      webhookNo: item.webhookNo,
      merchantId: item.merchantId,
      since,
      isSlow: server?.isSlow ?? false,
      isLeaving: server?.isLeaving ?? false,
    }))
  }

  async #open(
    cursor: Cursor,
    lease: { owner: string; leaseEndsAt: number },
  ): Promise<WebhookSender | undefined> {
    const { db } = this.#options
    const webhook = await this.#databaseLimit.run(cursor.merchantId, () => readWebhook(db, cursor.webhookNo))
    if (webhook === undefined) return undefined
    const options = { ...this.#options, databaseLimit: this.#databaseLimit }
    return new WebhookSender(options, { webhook, cursor, ...lease })
  }

  /** Carries out resends: a few steps of each in turn. */
  async #resend(): Promise<void> {
    const { db, now } = this.#options
    for (let step = 0; step < webhookResendStepsPerRoundMax && !this.#leased.isClosed; step++)
      if ((await this.#databaseLimit.run(ownGroup, () => continueResend(db, now()))) === 'none') return
  }

  async #tidy(): Promise<void> {
    const { db, now, attemptDays, deadLetterDays, onBacklog } = this.#options
    await tidyWebhooks(db, { now: now(), attemptDays, deadLetterDays })
    onBacklog(await readBacklog(db))
  }
}
