import { createHmac, hash } from 'node:crypto'
import type { Hashing } from './draw.ts'

/** Node's hash functions, for the code that is shared with the page. */
export const hashing: Hashing = {
  sha256: (message) => hash('sha256', message, 'hex'),
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest('hex'),
}
