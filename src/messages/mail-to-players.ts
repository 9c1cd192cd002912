import type { Config } from '../config.ts'
import type { Mailer } from '../mail.ts'
import { MailWorker, type MailWorkerOptions } from '../mails/mail-worker.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import type { Metrics } from '../metrics.ts'
import { afterMail, composeMail, type ComposeNeeds } from './compose-message.ts'
import { plannedFrom, planMessages } from './plan-messages.ts'

export type MailNeeds = Omit<ComposeNeeds, 'gameUrl'> &
  Pick<MailWorkerOptions, 'log'> & { config: Config; metrics: Metrics; mail: Mailer | undefined }

/** The worker that plans and sends messages to players; undefined on a server without mail. */
export function mailToPlayers({
  config,
  metrics,
  mail: mailer,
  ...needs
}: MailNeeds): MailWorker | undefined {
  if (mailer === undefined) return undefined
  const { db, log, now } = needs
  const composing = { ...needs, gameUrl: config.gameUrl }
  const onLooked = () => metrics.workDone('send_mail')
  onLooked()
  return new MailWorker({
    db,
    log,
    now,
    mailer,
    perHourMax: config.mail?.perHourMax ?? 1,
    onOutcome: (outcome) => metrics.mails.inc({ outcome }),
    onLooked,
    chance: Math.random,
    eventTypes: plannedFrom,
    timeOf: (merchantId) => timeOfMerchant({ db, now }, merchantId),
    plan: (merchantId, events) => planMessages(db, merchantId, events),
    compose: (mail, at) => composeMail(composing, mail, at),
    settled: (tx, mail, outcome) => afterMail(composing, tx, { mail, outcome }),
  })
}
