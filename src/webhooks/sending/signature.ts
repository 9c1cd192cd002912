import { createHmac, randomBytes } from 'node:crypto'

/** Signatures as the Standard Webhooks specification has them: HMAC-SHA256 over id, time and body. */

const secretPrefix = 'whsec_'
const secretBytes = 32

export function makeWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

type SignedHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** The headers of one attempt. Each secret adds a signature; a receiver is content with any one that it knows. */
export function signWebhook(
  message: { id: string; sentAt: Date; body: string },
  secrets: readonly string[],
): SignedHeaders {
  const seconds = String(Math.floor(message.sentAt.getTime() / 1000))
  const signed = `${message.id}.${seconds}.${message.body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}

export type Secrets = { secret: string; previousSecret: string | null; previousSecretUntil: Date | null }

/** The secrets to sign with at a time: for a while after a rotation, the one before it too. */
export function liveSecrets(secrets: Secrets, now: Date): string[] {
  const { secret, previousSecret, previousSecretUntil } = secrets
  const both = previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil
  return both ? [secret, previousSecret] : [secret]
}
