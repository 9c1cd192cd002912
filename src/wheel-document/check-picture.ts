import { crc32 } from 'node:zlib'

/** Pixels on the longer side. A file of 36 kB can claim thousands of times more, which a phone would have to unpack. */
const sideMax = 2_048

type Picture = { width: number; height: number; isAnimated: boolean }

const notThatKind = 'is not the kind of picture that it says'
const damaged = 'is a damaged picture'

/** Why a picture can't be published, or null. Its bytes decide, not its media type. No picture is fine. */
export function pictureProblem(dataUrl: string | undefined): string | null {
  if (dataUrl === undefined) return null
  const match = /^data:image\/(png|jpeg|webp);base64,(.+)$/.exec(dataUrl)
  if (match === null) return notThatKind
  const bytes = Buffer.from(match[2] as string, 'base64')
  const { signature, read } = readers[match[1] as keyof typeof readers]
  if (!bytes.toString('latin1').startsWith(signature)) return notThatKind
  const picture = readSafely(read, bytes)
  if (picture === null || picture.width === 0 || picture.height === 0) return damaged
  if (picture.isAnimated) return 'is an animated picture; only still ones are shown'
  const { width, height } = picture
  return Math.max(width, height) > sideMax
    ? `is ${width} × ${height} pixels large; the longer side may have ${sideMax}`
    : null
}

const readers = {
  png: { signature: '\x89PNG\r\n\x1a\n', read: readPng },
  jpeg: { signature: '\xff\xd8\xff', read: readJpeg },
  webp: { signature: 'RIFF', read: readWebp },
}

/** A field beyond the end of the file is a RangeError of the buffer. */
function readSafely(read: (bytes: Buffer) => Picture | null, bytes: Buffer): Picture | null {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Each chunk has a checksum, and the last one is IEND. */
function readPng(bytes: Buffer): Picture | null {
  let isAnimated = false
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') isAnimated = true
    if (type === 'IEND') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isAnimated }
    at = end + 4
  }
}

/** The size is in a frame header (C0 to CF, with three exceptions). The pixels end with an end marker. */
function readJpeg(bytes: Buffer): Picture | null {
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      return bytes.includes(Buffer.from([0xff, 0xd9]), at) ? { width, height, isAnimated: false } : null
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
}

/** Simple files have one chunk, extended ones begin with a header that says whether they are animated. */
function readWebp(bytes: Buffer): Picture | null {
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || bytes.readUInt32LE(4) + 8 > bytes.length) return null
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') {
    const [width, height] = [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    return { width, height, isAnimated: (bytes.readUInt8(20) & 2) !== 0 }
  }
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false }
  }
  if (chunk !== 'VP8 ' || bytes.readUIntBE(23, 3) !== 0x9d012a) return null
  const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  return { width, height, isAnimated: false }
}
