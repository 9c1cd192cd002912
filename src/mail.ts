import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { MailSettings } from './config.ts'
import { mailConnectionsMax, mailSocketMs, mailTimeoutMs } from './limits.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** Without the brackets: the same at every attempt. */
  messageId?: string
  /** The display name, beside the operator's address. */
  fromName?: string
  replyTo?: string | undefined
  headers?: Record<string, string>
  /** Sent with the mail. The HTML names them as `cid:` and their id. */
  pictures?: readonly Picture[]
}

export type Picture = { id: string; png: Buffer }

/** What came of one attempt. Without a code, there was no reply. */
export type SmtpReply = {
  /** `local`: the mail was never offered. `end`: the final dot may have been sent. */
  stage: 'local' | 'connection' | 'login' | 'from' | 'recipient' | 'data' | 'end'
  code: number | null
  /** As in RFC 3463, such as `5.1.1`. */
  enhanced: string | null
}

/**
 * Sends mail by the configured SMTP server. Somebody waits for invitations, resets and codes: each has a connection of
 * its own, which is given up soon. Queued mail shares a pool, and waits as long as RFC 5321 wants (4.5.3.2.6), because
 * a reply that is given up may mean a mail that arrives twice.
 */
export class Mailer {
  readonly #settings: MailSettings
  readonly #log: Logger
  #direct: Promise<Transporter> | undefined
  #pool: Promise<Transporter> | undefined
  readonly #inFlight = new Set<Promise<SmtpReply>>()

  constructor(settings: MailSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
  }

  /** The sender of all mail. */
  get from(): string {
    return this.#settings.from
  }

  /** The domain of its address. */
  get domain(): string {
    return addressIn(this.#settings.from).split('@').at(-1) ?? ''
  }

  /** Resolves to whether the SMTP server accepted the mail. */
  async send(mail: Mail): Promise<boolean> {
    return (await this.sendNow(mail)).code === 250
  }

  async sendNow(mail: Mail): Promise<SmtpReply> {
    this.#direct ??= open(this.#settings, brief)
    const sending = this.#try(this.#direct, mail)
    this.#inFlight.add(sending)
    try {
      return await sending
    } finally {
      this.#inFlight.delete(sending)
    }
  }

  /** One attempt of a queued mail. */
  async deliver(mail: Mail): Promise<SmtpReply> {
    this.#pool ??= open(this.#settings, pooled)
    return this.#try(this.#pool, mail)
  }

  /** Connects, with TLS and login as set. Returns what is wrong, without the password. */
  async connect(): Promise<string | undefined> {
    this.#direct ??= open(this.#settings, brief)
    try {
      await (await this.#direct).verify()
      return undefined
    } catch (error) {
      const { code, message } = error as Error & SmtpError
      return `${message} (${code ?? 'no code'})`
    }
  }

  /** Does not wait for queued mail: its worker does, as long as it may, and what it gave up is cut off. */
  async close(): Promise<void> {
    await Promise.all(this.#inFlight)
    ;(await this.#direct)?.close()
    const pool = (await this.#pool) as { close: (options: { force: boolean }) => void } | undefined
    pool?.close({ force: true })
  }

  /** Failures are logged, without the content of the mail. */
  async #try(
    opened: Promise<Transporter>,
    { to, fromName, replyTo, messageId, pictures = [], ...mail }: Mail,
  ): Promise<SmtpReply> {
    if (!isPlainAddress(to)) return { stage: 'local', code: null, enhanced: null }
    const { from } = this.#settings
    const progress = { hasEnded: false }
    try {
      const transport = await opened
      const info = (await transport.sendMail({
        ...mail,
        from: fromName === undefined ? from : { name: fromName, address: addressIn(from) },
        // As an object the address is used as it is; in a string, a comma would split it into two.
        to: { name: '', address: to },
        envelope: { from: this.#returnPath(messageId) ?? addressIn(from), to: [to] },
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
        ...(messageId === undefined ? {} : { messageId: `<${messageId}>` }),
        attachments: pictures.map(({ id, png }) => ({
          cid: id,
          filename: `${id}.png`,
          content: png,
          contentDisposition: 'inline',
        })),
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
        progress,
      } as object)) as { response: string }
      return { stage: 'end', code: 250, enhanced: enhancedIn(info.response) }
    } catch (error) {
      const reply = replyOf(error as SmtpError, progress)
      this.#log.error({ reply, code: (error as SmtpError).code }, 'a mail was not sent')
      return reply
    }
  }

  /** Reports of the relay name the mail by it. */
  #returnPath(messageId: string | undefined): string | undefined {
    const [local, domain] = this.#settings.bounceAddress.split('@')
    if (messageId === undefined || !local || !domain) return undefined
    return `${local}+${messageId.split('@')[0]}@${domain}`
  }
}

/**
 * One mailbox, and nothing that a mail program or nodemailer could read as another: no quotes, comments, lists or
 * control characters.
 */
export function isPlainAddress(address: string): boolean {
  return (
    address.length <= 254 && /^[^\s\p{Cc}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u.test(address)
  )
}

type SmtpError = {
  code?: string
  /** Behind `code`: that of Node. */
  originalCode?: string
  command?: string
  responseCode?: number
  response?: string
}

function replyOf(error: SmtpError, progress: { hasEnded: boolean }): SmtpReply {
  const code = typeof error.responseCode === 'number' ? error.responseCode : null
  return { stage: stageOf(error, progress), code, enhanced: enhancedIn(error.response ?? '') }
}

function stageOf(
  { code = '', originalCode = code, command }: SmtpError,
  { hasEnded }: { hasEnded: boolean },
): SmtpReply['stage'] {
  if (['EAUTH', 'ETLS', 'EREQUIRETLS', 'ENOAUTH'].includes(code)) return 'login'
  if (/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_)/.test(originalCode)) return 'login'
  if (command === 'MAIL FROM') return 'from'
  if (command === 'RCPT TO') return 'recipient'
  if (hasEnded) return 'end'
  return command === 'DATA' ? 'data' : 'connection'
}

function enhancedIn(response: string): string | null {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null
}

function addressIn(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender
}

const brief = { socketTimeout: mailTimeoutMs }
// Our rows are the truth about what was sent, not the pool's queue: nothing goes back into it.
const pooled = { pool: true, maxConnections: mailConnectionsMax, maxRequeues: 0, socketTimeout: mailSocketMs }

/** Loaded with the first mail, because most processes never send one. */
async function open({ smtpUrl, dkim }: MailSettings, kind: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    ...kind,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim.privateKey === '' ? {} : { dkim: signedBy(dkim) }),
  } as object) as Transporter
  // Says when the whole mail was handed to the connection: from then on, a lost reply means that nobody knows.
  transport.use('stream', (mail, done) => {
    const { progress } = mail.data as { progress?: { hasEnded: boolean } }
    const { message } = mail
    const create = message.createReadStream.bind(message)
    // The outermost stream: a signature reads those within it to their end before anything is sent.
    if (progress !== undefined)
      message.createReadStream = (options) => create(options).once('end', () => (progress.hasEnded = true))
    done()
  })
  return transport
}

/** RFC 8058 wants both unsubscribe headers under the signature; nodemailer signs only one by default. */
function signedBy({ domain, selector, privateKey }: MailSettings['dkim']) {
  const headers = 'from:to:subject:date:message-id:reply-to:mime-version:content-type:list-id'
  const headerFieldNames = `${headers}:list-unsubscribe:list-unsubscribe-post:auto-submitted`
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames }
}
