import type { SmtpReply } from '../mail.ts'

/** The meaning of a reply of the SMTP server. */
export type MailVerdict =
  | 'sent'
  /** No reply to the final dot: nobody knows. */
  | 'unknown'
  | 'retry'
  /** Tried again; a mailbox that stays full counts as dead. */
  | 'mailbox_full'
  | 'address_dead'
  /** Refused without a code that says why: dead at the second time on another day. */
  | 'address_doubtful'
  | 'mail_failed'
  /** The mail itself is at fault: its size or its form. */
  | 'content_refused'
  /** The server does not take mail from us. No address suffers for that. */
  | 'sender_refused'
  /** Login or TLS failed, before the mail was offered. */
  | 'login_failed'

/** Nothing more can be sent for a while: the server refuses us before it knows for whom the mail is. */
export function refusesUs(verdict: MailVerdict, stage: SmtpReply['stage']): boolean {
  return (
    verdict === 'login_failed' || (verdict === 'sender_refused' && ['connection', 'from'].includes(stage))
  )
}

/** The table of replies in docs/mail.md. */
export function judgeReply({ stage, code, enhanced }: SmtpReply): MailVerdict {
  if (stage === 'login') return 'login_failed'
  if (code === null) return stage === 'end' ? 'unknown' : stage === 'local' ? 'mail_failed' : 'retry'
  if (code < 400) return stage === 'end' ? 'sent' : 'retry'
  const subject = enhanced?.slice(2) ?? ''
  if (subject === '2.2') return 'mailbox_full'
  if (code < 500) return 'retry'
  if (stage === 'connection' || stage === 'from' || subject.startsWith('7.')) return 'sender_refused'
  if (stage === 'recipient') {
    if (['1.1', '1.2', '1.3', '1.10', '2.1'].includes(subject)) return 'address_dead'
    return enhanced === null && code === 550 ? 'address_doubtful' : 'mail_failed'
  }
  return subject === '3.4' || subject.startsWith('6.') ? 'content_refused' : 'mail_failed'
}
