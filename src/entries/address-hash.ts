import { createHmac } from 'node:crypto'

/** How an address is found again without being stored. The merchant is in it, so that no two merchants can compare. */
export function addressHash(
  secret: string | Buffer,
  { merchant, fold }: { merchant: string; fold: string },
): Buffer {
  return createHmac('sha256', secret).update(`${merchant}\0${fold}`).digest()
}
