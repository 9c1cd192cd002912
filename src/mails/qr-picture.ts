import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

const pixelsPerSquare = 4
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * A QR code as PNG, dark on white with the margin of four squares that scanners need. Mail programs show no SVG, and
 * load nothing from elsewhere without asking.
 */
export function qrPicture(text: string): Buffer {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const width = size * pixelsPerSquare
  const rows = data.flatMap((row) => {
    const line = rowOf(row.flatMap((dark) => Array<boolean>(pixelsPerSquare).fill(dark)))
    return Array<Buffer>(pixelsPerSquare).fill(line)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  // One bit a pixel, in grey.
  header[8] = 1
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND')]
  return Buffer.concat([signature, ...parts])
}

/** A row without a filter: a bit for each pixel, 1 for white, filled up to whole bytes. */
function rowOf(pixels: readonly boolean[]): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(pixels.length / 8))
  for (const [x, dark] of pixels.entries()) if (!dark) row[1 + (x >> 3)]! |= 0x80 >> (x & 7)
  return row
}

function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
