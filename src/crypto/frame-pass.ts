import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'

/**
 * Names a merchant in the address of a game that is shown in a frame, where the link's token no longer stands: from it
 * alone the server can tell who may show the page when just the frame is reloaded. It opens nothing and may be seen by
 * anybody. It is signed, so that nobody can try out numbers to learn which shops there are and where they are.
 */
export function signFramePass(merchantId: number, key: SigningKey): string {
  return `${merchantId}.${key.keyId}.${signature(merchantId, key)}`
}

/** The id of the key that it says it was signed with; nothing in it is trusted yet. */
export function readPassKeyId(pass: string): string | undefined {
  return form.exec(pass)?.[2]
}

/** The merchant, if `key` signed it. */
export function verifyFramePass(pass: string, key: SigningKey): number | undefined {
  const [, merchant, keyId, given] = form.exec(pass) ?? []
  if (given === undefined || keyId !== key.keyId) return undefined
  const merchantId = Number(merchant)
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signature(merchantId, key)))
  return isOurs ? merchantId : undefined
}

const form = /^([1-9]\d{0,9})\.([0-9a-f]{12})\.([\w-]{22})$/

/** Half of the digest is enough against guessing. The space keeps it apart from everything else that the key signs. */
function signature(merchantId: number, { secret }: SigningKey): string {
  return createHmac('sha256', secret)
    .update(`wheelhouse frame ${merchantId}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
