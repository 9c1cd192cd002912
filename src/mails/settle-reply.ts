import { retryPauseMs } from '../leases/retry-pause.ts'
import type { MailVerdict } from './judge-reply.ts'
import {
  isForStaff,
  isMarketing,
  mailPauseMs,
  mailRetryPausesSeconds,
  mailRetrySpread,
} from './mail-kinds.ts'
import type { DueMail, Settlement } from './mail-rows.ts'

/** How a mail goes on. `verdict` is undefined for one that was not offered. */
export type Outcome = Settlement & { verdict: MailVerdict | undefined }

/** Where a mail goes from here: sent, given up, or tried again as long as it is of use. */
export function afterReply(
  mail: Pick<DueMail, 'kind' | 'tries' | 'unknowns' | 'expiresAt'>,
  verdict: MailVerdict | 'dropped' | 'postponed',
  by: { reason?: string; dueAt?: Date; reply?: string | null; now: Date; chance: number },
): Outcome {
  const { tries, unknowns, expiresAt } = mail
  const reply = by.reply ?? null
  const end = { dueAt: null, settledAt: by.now, tries: tries + 1, unknowns, reply }
  if (verdict === 'postponed')
    return {
      ...end,
      verdict: undefined,
      state: 'planned',
      dueAt: by.dueAt ?? by.now,
      settledAt: null,
      tries,
      reason: null,
    }
  if (verdict === 'dropped')
    return { ...end, verdict: undefined, state: 'dropped', tries, reason: by.reason ?? null }
  if (verdict === 'sent')
    return { ...end, verdict, state: 'sent', reason: unknowns > 0 ? 'unknown_before' : null }
  // A server that always loses the connection would get the same mail again and again; nobody waits for marketing; and
  // staff are promised one message a day about a cause.
  const isSentOnce = isMarketing(mail.kind) || isForStaff(mail.kind)
  if (verdict === 'unknown' && (unknowns > 0 || isSentOnce))
    return { ...end, verdict, state: 'unknown', unknowns: unknowns + 1, reason: verdict }
  const again = { ...end, verdict, state: 'planned' as const, settledAt: null, reason: verdict }
  // No attempt is counted: the mail was not offered.
  if (verdict === 'login_failed') return { ...again, dueAt: new Date(by.now.getTime() + mailPauseMs), tries }
  const isPassing = ['retry', 'unknown', 'mailbox_full', 'sender_refused'].includes(verdict)
  const spread = mailRetrySpread
  const pauseMs = retryPauseMs(mailRetryPausesSeconds, { tries: tries + 1, spread, chance: by.chance })
  const dueAt = new Date(by.now.getTime() + (pauseMs ?? 0))
  const isOver = !isPassing || pauseMs === undefined || dueAt >= expiresAt
  const counted = verdict === 'unknown' ? unknowns + 1 : unknowns
  if (!isOver) return { ...again, dueAt, unknowns: counted }
  const state = verdict === 'unknown' ? 'unknown' : 'refused'
  return { ...end, verdict, state, unknowns: counted, reason: verdict }
}
