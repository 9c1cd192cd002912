/**
 * Reads parts of a zip archive in the browser. What a part unpacks to is limited, because a small archive can unpack to
 * terabytes. Archives with a password and those above 4 GB are not read.
 */
type Part = { start: number; packedSize: number; isDeflated: boolean }
export type Zip = { bytes: Uint8Array<ArrayBuffer>; parts: ReadonlyMap<string, Part> }

const unpackedSizeMax = 64 * 1024 * 1024
const endSize = 22
const commentSizeMax = 65_535

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
}

/** Undefined if the archive can't be read. */
export function openZip(bytes: Uint8Array<ArrayBuffer>): Zip | undefined {
  try {
    const parts = partsOf(bytes)
    return parts && { bytes, parts }
  } catch (error) {
    // An offset that points behind the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The text of a part. Undefined if there is none, or if it is damaged or too large. */
export async function readPart(
  { bytes, parts }: Zip,
  name: string,
  sizeMax = unpackedSizeMax,
): Promise<string | undefined> {
  const part = parts.get(name)
  if (part === undefined) return undefined
  const packed = bytes.subarray(part.start, part.start + part.packedSize)
  if (!part.isDeflated) return new TextDecoder().decode(packed)
  const unpacked = await inflate(packed, sizeMax)
  return unpacked && new TextDecoder().decode(unpacked)
}

/** From the directory at the end of the archive: what stands before each part may lack its size. */
function partsOf(bytes: Uint8Array): Map<string, Part> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end === undefined) return undefined
  const parts = new Map<string, Part>()
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const hasPassword = (view.getUint16(at + 8, true) & 1) === 1
    const method = view.getUint16(at + 10, true)
    if (view.getUint32(at, true) !== 0x02014b50 || hasPassword || (method !== 0 && method !== 8))
      return undefined
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    parts.set(name, { start, packedSize: view.getUint32(at + 20, true), isDeflated: method === 8 })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return parts
}

function endOf(view: DataView): number | undefined {
  const last = view.byteLength - endSize
  for (let at = last; at >= Math.max(0, last - commentSizeMax); at--)
    if (view.getUint32(at, true) === 0x06054b50) return at
  return undefined
}

/** Stops as soon as there is more than fits. */
async function inflate(packed: Uint8Array<ArrayBuffer>, sizeMax: number): Promise<Uint8Array | undefined> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
      chunks.push(next.value)
      size += next.value.length
      if (size > sizeMax) {
        await reader.cancel()
        return undefined
      }
    }
  } catch (error) {
    // Damaged data.
    if (error instanceof TypeError) return undefined
    throw error
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
