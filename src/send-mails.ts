import type { Config } from './config.ts'
import type { Mailer } from './mail.ts'
import { isForStaff } from './mails/mail-kinds.ts'
import { MailWorker, type MailWorkerOptions } from './mails/mail-worker.ts'
import { timeOfMerchant } from './merchants/test-clocks.ts'
import { afterMail, composeMail, type ComposeNeeds } from './messages/compose-message.ts'
import { plannedFrom, planMessages } from './messages/plan-messages.ts'
import type { Metrics } from './metrics.ts'
import { afterAlert, composeAlert } from './staff-alerts/compose-alert.ts'

export type MailNeeds = Omit<ComposeNeeds, 'gameUrl'> &
  Pick<MailWorkerOptions, 'log'> & { config: Config; metrics: Metrics; mail: Mailer | undefined }

/** The worker that sends mail to players and staff; undefined on a server without mail. */
export function sendMails({ config, metrics, mail: mailer, ...needs }: MailNeeds): MailWorker | undefined {
  if (mailer === undefined) return undefined
  const { db, log, now } = needs
  const { gameUrl, publicUrl } = config
  const composing = { ...needs, gameUrl, publicUrl }
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
    compose: (mail, at) => {
      const { kind } = mail
      return isForStaff(kind) ? composeAlert(composing, mail) : composeMail(composing, { ...mail, kind }, at)
    },
    settled: (tx, mail, outcome) =>
      isForStaff(mail.kind) ? afterAlert(tx, mail, outcome) : afterMail(composing, tx, { mail, outcome }),
  })
}
