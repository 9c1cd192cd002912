import { createHmac, hash } from 'node:crypto'

/** A seal in a merchant's chain. Hashes are hex. */
export type Seal = {
  merchantId: number
  sealNo: number
  sealedAt: Date
  /** How many entries and plays it covers. */
  entries: number
  plays: number
  partsSha256: string
  /** Null: made without a key, so anyone who can write to the database can make it too. */
  keyId: string | null
  hash: string
}

/** A secret that is not in the database. */
export type SealKey = { keyId: string; secret: Buffer }

/** The hash before the first seal. */
export const chainStart = '0'.repeat(64)

export function sealKeyOf(secretHex: string): SealKey {
  const secret = Buffer.from(secretHex, 'hex')
  return {
    keyId: createHmac('sha256', secret).update('wheelhouse seal key').digest('hex').slice(0, 16),
    secret,
  }
}

/** The hash of a seal, from its fields and the hash of the one before. */
export function sealHash(seal: Omit<Seal, 'hash'>, previous: string, key: SealKey | undefined): string {
  const { merchantId, sealNo, sealedAt, entries, plays, partsSha256, keyId } = seal
  const text = JSON.stringify([
    'wheelhouse-seal-1',
    merchantId,
    sealNo,
    sealedAt.toISOString(),
    entries,
    plays,
    partsSha256,
    keyId,
    previous,
  ])
  return key === undefined
    ? hash('sha256', text)
    : createHmac('sha256', key.secret).update(text).digest('hex')
}
