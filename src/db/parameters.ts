import pg from 'pg'

/**
 * Encodes a value for PostgreSQL. The driver's own encoder quotes every number of an array like a string and builds
 * every date piece by piece, which took a third of its time for a batch.
 */
export function toParameter(value: unknown): unknown {
  if (Array.isArray(value)) return arrayLiteral(value)
  return value instanceof Date ? value.toISOString() : value
}

/** Encodes hex strings as bytea values. Hex needs no quoting, so `toParameter` passes the result through. */
export function bytesArray(hex: readonly string[]): string {
  return hex.length === 0 ? '{}' : `{"\\\\x${hex.join('","\\\\x')}"}`
}

function arrayLiteral(items: readonly unknown[]): string {
  let text = '{'
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    text += element(items[index])
  }
  return `${text}}`
}

function element(item: unknown): string {
  if (item === null || item === undefined) return 'NULL'
  if (typeof item === 'string') return quote(item)
  if (typeof item === 'number' || typeof item === 'boolean') return String(item)
  if (item instanceof Date) return quote(item.toISOString())
  if (Buffer.isBuffer(item)) return `"\\\\x${item.toString('hex')}"`
  throw new TypeError(`no array holds a ${typeof item}`)
}

function quote(text: string): string {
  return needsEscape.test(text) ? `"${text.replace(escaped, '\\$&')}"` : `"${text}"`
}

const needsEscape = /["\\]/
const escaped = /["\\]/g

/** Reads bigint as a JavaScript number. Our counts stay far below 2^53; a greater one must fail, not be rounded. */
const int8 = 20
export const types = {
  getTypeParser(oid: number, format?: never) {
    if (oid === int8) return parseBigint
    return pg.types.getTypeParser(oid, format)
  },
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}
