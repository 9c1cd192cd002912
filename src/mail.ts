import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { MailSettings } from './config.ts'
import { mailTimeoutMs } from './limits.ts'

export type Mail = { to: string; subject: string; text: string }

/** Sends mail by the configured SMTP server. Failures are logged, without the content of the mail. */
export class Mailer {
  readonly #settings: MailSettings
  readonly #log: Logger
  #transport: Promise<Transporter> | undefined
  readonly #inFlight = new Set<Promise<boolean>>()

  constructor(settings: MailSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
  }

  /** Resolves to whether the SMTP server accepted the mail. */
  async send(mail: Mail): Promise<boolean> {
    const sending = this.#try(mail)
    this.#inFlight.add(sending)
    try {
      return await sending
    } finally {
      this.#inFlight.delete(sending)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#inFlight)
    ;(await this.#transport)?.close()
  }

  async #try({ to, subject, text }: Mail): Promise<boolean> {
    this.#transport ??= open(this.#settings.smtpUrl)
    try {
      const transport = await this.#transport
      // As an object the address is used as it is; in a string, a comma would split it into two.
      await transport.sendMail({ from: this.#settings.from, to: { name: '', address: to }, subject, text })
      return true
    } catch (error) {
      this.#log.error({ error }, 'a mail was not sent')
      return false
    }
  }
}

/** Loaded with the first mail, because most processes never send one. */
async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
