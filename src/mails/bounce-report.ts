import { judgeReply, type MailVerdict } from './judge-reply.ts'

/** A mail that was accepted at first did not arrive: to whom, and why, by the codes of RFC 3463 and of SMTP. */
export type BounceReport = { recipient: string; status: string; diagnostic: string | null }

/** The verdict on a failure that is reported later, by the table for replies to the recipient. */
export function judgeBounce({ status, diagnostic }: BounceReport): MailVerdict {
  const [, code, inText] = /\b([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3}))?\b/.exec(diagnostic ?? '') ?? []
  // `5.0.0` says no more than that it failed.
  const enhanced = /^\d\.0\.0$/.test(status) ? (inText ?? null) : status
  const verdict = judgeReply({ stage: 'recipient', code: Number(code ?? '554'), enhanced })
  // Whoever reported it has tried for days.
  return verdict === 'retry' ? 'mail_failed' : verdict
}

/**
 * What a report of undeliverable mail (RFC 3464) says about the one recipient that our mails have. Undefined if it is
 * none, or one of a delay or a success.
 */
export function readBounceReport(text: string): BounceReport | undefined {
  const lines = text.replaceAll('\r\n', '\n')
  const [, part = ''] = /^content-type:\s*message\/delivery-status\b([^]*)/im.exec(lines) ?? []
  const groups = part
    .split(/^--/m)[0]
    ?.split(/\n[ \t]*\n/)
    .map(fieldsOf)
  const failed = groups?.find((fields) => fields.get('action')?.toLowerCase() === 'failed')
  const status = statusPattern.exec(failed?.get('status') ?? '')?.[0]
  // The final recipient is another where mail is forwarded.
  const recipient = failed?.get('original-recipient') ?? failed?.get('final-recipient')
  if (failed === undefined || status === undefined || recipient === undefined) return undefined
  const diagnostic = failed.get('diagnostic-code') ?? null
  return { recipient: recipient.replace(/^[^;]*;\s*/, ''), status, diagnostic }
}

const statusPattern = /[245]\.\d{1,3}\.\d{1,3}/

function fieldsOf(group: string): Map<string, string> {
  const unfolded = group.replaceAll(/\n[ \t]+/g, ' ')
  const fields = unfolded.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)
  return new Map(Array.from(fields, ([, name = '', value = '']) => [name.toLowerCase(), value.trim()]))
}
