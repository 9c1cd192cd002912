import { resolveTxt } from 'node:dns/promises'
import type { Logger } from 'pino'
import type { MailSettings } from '../../config.ts'
import { Mailer, type SmtpReply } from '../../mail.ts'

type MailFinding = { state: 'ok' | 'warning' | 'wrong'; finding: string }

/** Whether the SMTP server takes mail from us, and whether DNS tells others to trust it. */
export async function checkMail(
  settings: MailSettings,
  { to, log }: { to: string | undefined; log: Logger },
): Promise<MailFinding[]> {
  const mailer = new Mailer(settings, log)
  try {
    const connected = await mailer.connect()
    if (connected !== undefined) return [{ state: 'wrong', finding: `the SMTP server: ${connected}` }]
    const sent = to === undefined ? [] : [await sendTest(mailer, to)]
    return [{ state: 'ok', finding: 'the SMTP server lets us in' }, ...sent, ...(await askDns(mailer.domain))]
  } finally {
    await mailer.close()
  }
}

async function sendTest(mailer: Mailer, to: string): Promise<MailFinding> {
  const text = 'This is the test message of `wheelhouse doctor`. It arrived.\n'
  const reply = await mailer.sendNow({ to, subject: 'Wheelhouse can send mail', text })
  if (reply.code === 250)
    return { state: 'ok', finding: `the test message to ${to} was accepted; look whether it arrives` }
  return { state: 'wrong', finding: `the test message to ${to} was not accepted: ${inWords(reply)}` }
}

function inWords({ stage, code, enhanced }: SmtpReply): string {
  const answer = [code, enhanced].filter((part) => part !== null).join(' ')
  return `${answer === '' ? 'no answer' : answer} at the stage "${stage}" (docs/mail.md has the meaning)`
}

async function askDns(domain: string): Promise<MailFinding[]> {
  const [own, policy] = [await textsOf(domain), await textsOf(`_dmarc.${domain}`)]
  const missing = [
    own.some((text) => text.startsWith('v=spf1')) ? '' : `an SPF record at ${domain}`,
    policy.some((text) => text.startsWith('v=DMARC1')) ? '' : `a DMARC record at _dmarc.${domain}`,
  ].filter((part) => part !== '')
  if (missing.length === 0) return [{ state: 'ok', finding: `SPF and DMARC records of ${domain}` }]
  return [{ state: 'warning', finding: `DNS shows us no ${missing.join(' and no ')}: mail may land in spam` }]
}

/** None, also if DNS does not answer. */
async function textsOf(name: string): Promise<string[]> {
  return (await resolveTxt(name).catch(() => [])).map((parts) => parts.join(''))
}
