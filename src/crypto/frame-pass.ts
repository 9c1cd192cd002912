import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'

/**
 * Names the merchant in the address of a framed game, after the page has removed the link's token. When only the frame
 * is reloaded, the server knows from it which origins may show the page. It gives no access and is no secret. It is
 * signed, so that nobody can try merchant numbers to learn which merchants exist and where they embed the game.
 */
export function signFramePass(merchantId: number, key: SigningKey): string {
  return `${merchantId}.${key.keyId}.${signature(merchantId, key)}`
}

/** The id of the key that the pass claims. Nothing in the pass is trusted yet. */
export function readPassKeyId(pass: string): string | undefined {
  return form.exec(pass)?.[2]
}

/** The merchant, if `key` signed the pass. */
export function verifyFramePass(pass: string, key: SigningKey): number | undefined {
  const [, merchant, keyId, given] = form.exec(pass) ?? []
  if (given === undefined || keyId !== key.keyId) return undefined
  const merchantId = Number(merchant)
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signature(merchantId, key)))
  return isOurs ? merchantId : undefined
}

const form = /^([1-9]\d{0,9})\.([0-9a-f]{12})\.([\w-]{22})$/

/** Half of the digest is enough against guessing. The space separates it from everything else that the key signs. */
function signature(merchantId: number, { secret }: SigningKey): string {
  return createHmac('sha256', secret)
    .update(`wheelhouse frame ${merchantId}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
