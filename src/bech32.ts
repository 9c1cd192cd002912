const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const checksumLength = 6

/** Text for a key, by BIP 173: a name, `1`, the bytes five bits at a time, and a checksum that finds typos. */
export function encodeBech32(name: string, bytes: Uint8Array): string {
  const values = regroup(bytes, { from: 8, to: 5 })
  const sum = checksum([...expand(name), ...values, ...Array<number>(checksumLength).fill(0)]) ^ 1
  const sumValues = Array.from({ length: checksumLength }, (_, index) => (sum >> (5 * (5 - index))) & 31)
  return `${name}1${[...values, ...sumValues].map((value) => alphabet[value]).join('')}`
}

/** The bytes behind a name, or undefined if the text has another name, a typo, or upper and lower case. */
export function decodeBech32(name: string, text: string): Buffer | undefined {
  const lower = text.toLowerCase()
  if ((text !== lower && text !== text.toUpperCase()) || !lower.startsWith(`${name}1`)) return undefined
  const values = lower
    .slice(name.length + 1)
    .split('')
    .map((letter) => alphabet.indexOf(letter))
  if (values.length < checksumLength || values.includes(-1)) return undefined
  if (checksum([...expand(name), ...values]) !== 1) return undefined
  const bytes = regroup(values.slice(0, -checksumLength), { from: 5, to: 8 })
  // The same bytes must have one text only, so the bits that fill up the last letter are zero.
  return encodeBech32(name, bytes) === lower ? bytes : undefined
}

function expand(name: string): number[] {
  const codes = [...Buffer.from(name)]
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function checksum(values: readonly number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  let sum = 1
  for (const value of values) {
    const top = sum >> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, factor] of generator.entries()) if ((top >> bit) & 1) sum ^= factor
  }
  return sum
}

/** Bytes become groups of five bits, the last one filled up with zeros; back, those bits are left out. */
function regroup(values: Iterable<number>, { from, to }: { from: number; to: number }): Buffer {
  const groups: number[] = []
  let bits = 0
  let count = 0
  for (const value of values) {
    bits = (bits << from) | value
    for (count += from; count >= to;) {
      count -= to
      groups.push(bits >> count)
      bits &= (1 << count) - 1
    }
  }
  if (to < from && count > 0) groups.push(bits << (to - count))
  return Buffer.from(groups)
}
