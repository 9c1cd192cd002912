// Small pictures and sounds for tests, made byte by byte so that each can be broken in its own way.
import { crc32, deflateSync } from 'node:zlib'

/** A white picture. */
export function makePng({ width = 2, height = 2, isAnimated = false } = {}): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (width + 1), 255))
  const chunks = [
    chunk('IHDR', header),
    ...(isAnimated ? [chunk('acTL', Buffer.alloc(8))] : []),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return dataUrl('image/png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Only the header: it passes the checks of the server, and no browser can decode it. */
export function makeWebp({ width = 2, height = 2, isAnimated = false } = {}): string {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(22, 4)
  bytes.write('WEBPVP8X', 8)
  bytes.writeUInt32LE(10, 16)
  bytes.writeUInt8(isAnimated ? 2 : 0, 20)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return dataUrl('image/webp', bytes)
}

export function makeJpeg({ width = 2, height = 2, isWhole = true } = {}): string {
  const frame = [0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 17, 0]
  const end = isWhole ? [0xff, 0xd9] : []
  return dataUrl('image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, ...frame, ...end]))
}

/** A tone of 8 bit and 8 kHz. */
export function makeWav({ seconds = 0.1, isWhole = true } = {}): string {
  const length = Math.round(seconds * 8_000)
  const bytes = Buffer.alloc(44 + length, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + length, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8_000, 24)
  bytes.writeUInt32LE(8_000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(length, 40)
  for (let at = 44; at < bytes.length; at++) bytes[at] = 128 + Math.round(60 * Math.sin(at / 3))
  return dataUrl('audio/wav', isWhole ? bytes : bytes.subarray(0, 44 + length / 2))
}

/** Silent frames of 32 kbit/s at 48 kHz, which have 96 bytes and last 24 ms, between two tags. */
export function makeMp3({ frames = 10, isWhole = true } = {}): string {
  const frame = Buffer.alloc(96)
  frame.writeUInt32BE(0xfffb1400)
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05'), Buffer.alloc(5)])
  const all = [tag, ...Array.from({ length: frames }, () => frame), Buffer.from('TAG'.padEnd(128, ' '))]
  const bytes = Buffer.concat(all)
  return dataUrl('audio/mpeg', isWhole ? bytes : bytes.subarray(0, 15 + 96 * frames - 40))
}

function dataUrl(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}
