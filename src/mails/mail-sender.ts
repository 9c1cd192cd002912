import type { Logger } from 'pino'
import type { FairConcurrencyLimit } from '../concurrency/fair-concurrency-limit.ts'
import { type Database, type Transaction, untilDone } from '../db/database.ts'
import { type LoggedEvent, scanEvents } from '../events/event-log.ts'
import type { EventType } from '../events/event-types.ts'
import { firstCursor } from '../leases/first-cursor.ts'
import type { Mail, Mailer, SmtpReply } from '../mail.ts'
import { judgeReply, type MailVerdict, refusesUs } from './judge-reply.ts'
import { advanceMailCursor, isStoppedNow, type MailCursor, noteMailHour } from './mail-cursors.ts'
import {
  isForStaff,
  mailEventsReadMax,
  mailPauseMs,
  mailsAtOnceMax,
  mailsPerTurnMax,
  prizeShare,
  refusedRecipientsMax,
  sendingLeaseMs,
  sendingRenewMs,
} from './mail-kinds.ts'
import { isSenderPaused, pauseSender } from './mail-pauses.ts'
import {
  beginSending,
  type DueMail,
  insertMails,
  type NewMail,
  readDueMails,
  renewSending,
  settleMail,
} from './mail-rows.ts'
import { afterReply, type Outcome } from './settle-reply.ts'

/** What to send now, and what its row remembers of it; or why not, or when. */
export type Composed = { mail: Mail; remember?: object } | { dropped: string } | { postponedTo: Date }

export type MailSenderOptions = {
  db: Database
  log: Logger
  now: () => Date
  /** A number in [0, 1), to spread retries in time. */
  chance: () => number
  mailer: Mailer
  perHourMax: number
  /** The connections of this process, in fair turns between merchants. */
  connections: FairConcurrencyLimit
  /** Those whose mail the server refused as ours since it last took one; of all merchants of this process. */
  refusedRecipients: Set<string>
  eventTypes: readonly EventType[]
  /** The mails that events of a merchant lead to. */
  plan: (merchantId: number, events: readonly LoggedEvent[]) => Promise<NewMail[]>
  compose: (mail: DueMail, now: Date) => Promise<Composed>
  /** In the transaction that settles a mail: what else follows from it, such as events. */
  settled: (tx: Transaction, mail: DueMail, outcome: Outcome & { to: string | undefined }) => Promise<void>
  timeOf: (merchantId: number) => Promise<Date>
  onOutcome: (state: string) => void
}

/**
 * Plans and sends one merchant's mails, while this process holds the lease. The cursor only plans: rows are what is
 * sent, and every mail is marked before its connection is used.
 */
export class MailSender {
  readonly #options: MailSenderOptions
  readonly #cursor: MailCursor
  readonly #owner: string
  #leaseEndsAt: number
  readonly #aborted = Promise.withResolvers<void>()
  #isStopped = false
  #readTo: number
  #sent = 0

  constructor(
    options: MailSenderOptions,
    cursor: MailCursor,
    { owner, leaseEndsAt }: { owner: string; leaseEndsAt: number },
  ) {
    this.#options = options
    this.#cursor = cursor
    this.#owner = owner
    this.#leaseEndsAt = leaseEndsAt
    const { merchantId, cursorSeq, firstKeptSeq } = cursor
    this.#readTo = cursor.isPlanning
      ? firstCursor({ merchantId, cursorSeq, firstKeptSeq }, options.log)
      : cursorSeq
  }

  renewed(leaseEndsAt: number): void {
    this.#leaseEndsAt = leaseEndsAt
  }

  stop(): void {
    this.#isStopped = true
  }

  /** What is being sent can't be called back. If its reply comes too late, its row stays in `sending`: unknown. */
  async abort(): Promise<void> {
    this.stop()
    this.#aborted.resolve()
  }

  async run(): Promise<void> {
    await Promise.race([this.#work(), this.#aborted.promise])
  }

  async #work(): Promise<void> {
    while (this.#mayGoOn && (await this.#planMore()));
    while (this.#mayGoOn && (await this.#sendSome()));
  }

  get #mayGoOn(): boolean {
    return !this.#isStopped && performance.now() < this.#leaseEndsAt && this.#sent < mailsPerTurnMax
  }

  /** One range of the log, its mails and the new position in one transaction. */
  async #planMore(): Promise<boolean> {
    const { db, plan, eventTypes } = this.#options
    const { merchantId, isPlanning } = this.#cursor
    if (!isPlanning) return false
    const query = { merchantId, after: this.#readTo, types: eventTypes, limit: mailEventsReadMax }
    const { events, next, last } = await scanEvents(db, query)
    if (next === this.#readTo) return false
    const mails = await plan(merchantId, events)
    const isOwn = await db.transaction(async (tx) => {
      if (!(await advanceMailCursor(tx, { merchantId, cursorSeq: next }, this.#owner))) return false
      await insertMails(tx, mails)
      return true
    })
    if (!isOwn) this.stop()
    this.#readTo = next
    return next < last
  }

  /** A batch of what is due. Returns false if there is no more. */
  async #sendSome(): Promise<boolean> {
    const { db, now, timeOf, mailer } = this.#options
    const { merchantId } = this.#cursor
    if (await isSenderPaused(db, mailer.from, now())) return false
    const time = await timeOf(merchantId)
    const due = await readDueMails(db, {
      merchantId,
      now: time,
      limit: mailsAtOnceMax,
      players: this.#cursor.isStopped ? 0 : this.#left(time),
      marketing: this.#marketingLeft(time),
    })
    if (due.length === 0) return false
    const ofRecipients = Map.groupBy(due, ({ playerNo, mailId }) => playerNo || mailId).values()
    const handled = await Promise.allSettled(ofRecipients.map((mails) => this.#handleInTurn(mails)))
    this.#sent += due.length
    const nextHour = new Date((this.#cursor.hourStartedAt ?? time).getTime() + hourMs)
    const hour = {
      ...this.#cursor,
      heldUntil: this.#left(time) <= 0 ? nextHour : null,
      marketingHeldUntil: this.#marketingLeft(time) <= 0 ? nextHour : null,
    }
    await noteMailHour(db, hour, this.#owner)
    const failed = handled.find(({ status }) => status === 'rejected')
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason
    return true
  }

  /** The mails of one player, one after another: whether one is sent depends on those before it. */
  async #handleInTurn(mails: readonly DueMail[]): Promise<void> {
    const { connections } = this.#options
    for (const mail of mails) await connections.run(mail.merchantId, () => this.#handle(mail))
  }

  #marketingLeft(time: Date): number {
    return this.#left(time) - Math.floor(this.#options.perHourMax * prizeShare)
  }

  /** How many mails the merchant may still send in this hour. */
  #left(time: Date): number {
    const { hourStartedAt } = this.#cursor
    if (hourStartedAt === null || time.getTime() - hourStartedAt.getTime() >= hourMs) {
      this.#cursor.hourStartedAt = time
      this.#cursor.hourCount = 0
    }
    return this.#options.perHourMax - this.#cursor.hourCount
  }

  async #handle(mail: DueMail): Promise<void> {
    if (!this.#mayGoOn) return
    const { db, compose, timeOf, mailer } = this.#options
    const now = await timeOf(mail.merchantId)
    // The process that sent it has died, or waits for longer than any server takes.
    if (mail.state === 'sending') return this.#settle(mail, 'unknown', {})
    if (mail.expiresAt <= now) return this.#settle(mail, 'dropped', { reason: 'too_late' })
    const composed = await compose(mail, now)
    if ('dropped' in composed) return this.#settle(mail, 'dropped', { reason: composed.dropped })
    if ('postponedTo' in composed) return this.#settle(mail, 'postponed', { dueAt: composed.postponedTo })
    const aheadMs = now.getTime() - this.#options.now().getTime()
    const lease = () => new Date(this.#options.now().getTime() + aheadMs + sendingLeaseMs)
    const isToStaff = isForStaff(mail.kind)
    if (await isStoppedNow(db, mail.merchantId, isToStaff ? 'staff' : 'players')) return this.stop()
    if (!(await beginSending(db, mail, lease(), composed.remember))) return
    if (!isToStaff) this.#cursor.hourCount++
    const renewal = setInterval(() => {
      renewSending(db, mail, lease()).catch((error: unknown) =>
        this.#options.log.warn({ error }, 'renewing a mail that is being sent failed'),
      )
    }, sendingRenewMs)
    try {
      const messageId = `${mail.mailId}@${mailer.domain}`
      const reply = await mailer.deliver({ ...composed.mail, messageId })
      const verdict = judgeReply(reply)
      if (this.#isAboutUs(verdict, reply, composed.mail)) await this.#pause(verdict)
      const text = [reply.code, reply.enhanced].filter((part) => part !== null).join(' ')
      await this.#settle({ ...mail, state: 'sending' }, verdict, {
        reply: text || null,
        to: composed.mail.to,
      })
    } finally {
      clearInterval(renewal)
    }
  }

  async #settle(
    mail: DueMail,
    verdict: MailVerdict | 'dropped' | 'postponed',
    { to, ...more }: { reason?: string; dueAt?: Date; reply?: string | null; to?: string },
  ): Promise<void> {
    const { db, chance, settled, timeOf, onOutcome } = this.#options
    const now = await timeOf(mail.merchantId)
    const outcome = afterReply(mail, verdict, { ...more, now, chance: chance() })
    await untilDone(() =>
      db.transaction(async (tx) => {
        if (!(await settleMail(tx, mail, outcome))) return
        await settled(tx, mail, { ...outcome, to })
      }),
    )
    onOutcome(outcome.state)
  }

  /** Whether the server takes nothing more from us, rather than this mail to this recipient. */
  #isAboutUs(verdict: MailVerdict, { stage }: SmtpReply, { to }: Mail): boolean {
    const { refusedRecipients } = this.#options
    if (verdict === 'sent') refusedRecipients.clear()
    if (verdict === 'sender_refused') refusedRecipients.add(to)
    const isRefused = verdict === 'sender_refused' && refusedRecipients.size >= refusedRecipientsMax
    return isRefused || refusesUs(verdict, stage)
  }

  async #pause(reason: MailVerdict): Promise<void> {
    const { db, log, now, mailer } = this.#options
    const pausedAt = now()
    const pausedUntil = new Date(pausedAt.getTime() + mailPauseMs)
    await pauseSender(db, { sender: mailer.from, pausedAt, pausedUntil, reason })
    log.error({ reason, pausedUntil }, 'the SMTP server refuses our mail: sending is paused')
  }
}

const hourMs = 60 * 60_000
