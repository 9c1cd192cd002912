import { FairConcurrencyLimit } from '../concurrency/fair-concurrency-limit.ts'
import { LeasedWork } from '../leases/leased-work.ts'
import { mailConnectionsMax } from '../limits.ts'
import {
  claimMailCursors,
  listFreeMailCursors,
  type MailCursor,
  releaseMailCursors,
  renewMailLeases,
} from './mail-cursors.ts'
import {
  droppedMailsKeptDays,
  mailClaimMs,
  mailsKeptDays,
  mailTidyMs,
  merchantsMailingMax,
} from './mail-kinds.ts'
import { isSenderPaused } from './mail-pauses.ts'
import { deleteOldMails, listMerchantsDue } from './mail-rows.ts'
import { MailSender, type MailSenderOptions } from './mail-sender.ts'

export type MailWorkerOptions = Omit<MailSenderOptions, 'connections' | 'refusedRecipients'> & {
  onLooked: () => void
}

/** Plans and sends mail. Every process has a worker; they share the merchants by leases. */
export class MailWorker {
  readonly #options: MailWorkerOptions
  readonly #connections = new FairConcurrencyLimit(mailConnectionsMax)
  readonly #refusedRecipients = new Set<string>()
  readonly #leased: LeasedWork<MailCursor, MailSender>

  constructor(options: MailWorkerOptions) {
    this.#options = options
    const { db, log } = options
    this.#leased = new LeasedWork({
      log,
      name: 'the mail of a merchant',
      keyOf: ({ merchantId }) => merchantId,
      claim: async (lease) => {
        const limit = merchantsMailingMax - this.#leased.serving.size
        if (limit <= 0) return []
        return claimMailCursors(db, { ...lease, limit, due: await this.#due(lease.owner) })
      },
      renew: (merchantIds, lease) => renewMailLeases(db, merchantIds, lease),
      release: (merchantIds, owner) => releaseMailCursors(db, merchantIds, owner),
      open: async (cursor, lease) =>
        new MailSender(
          { ...this.#options, connections: this.#connections, refusedRecipients: this.#refusedRecipients },
          cursor,
          lease,
        ),
    })
  }

  start(): void {
    this.#leased.start()
    this.#leased.every(mailClaimMs, async () => {
      await this.#leased.claim()
      this.#options.onLooked()
    })
    const daysAgo = (days: number) => new Date(this.#options.now().getTime() - days * 86_400_000)
    this.#leased.every(mailTidyMs, () =>
      deleteOldMails(this.#options.db, {
        plannedBefore: daysAgo(mailsKeptDays),
        droppedBefore: daysAgo(droppedMailsKeptDays),
      }),
    )
  }

  async close(graceMs: number): Promise<void> {
    await this.#leased.close(graceMs)
  }

  /** Merchants with mail to send now. While the sender is paused there is none, so nobody looks again and again. */
  async #due(owner: string): Promise<number[]> {
    const { db, mailer, now } = this.#options
    if (await isSenderPaused(db, mailer.from, now())) return []
    const free = await listFreeMailCursors(db, owner, now())
    const numbers = (some: typeof free) => some.map(({ merchantId }) => merchantId)
    const toPlayers = free.filter(({ isHeld }) => !isHeld)
    const marketing = toPlayers.filter(({ isMarketingHeld }) => !isMarketingHeld)
    const may = { staff: numbers(free), prizes: numbers(toPlayers), marketing: numbers(marketing) }
    return listMerchantsDue(db, may, now())
  }
}
