import { encode } from 'uqr'

/** A QR code as rows of dark and light squares, with the margin of four that scanners need. */
export function squares(text: string): { data: boolean[][]; size: number } {
  return encode(text, { ecc: 'M', border: 4 })
}

/** The dark squares as the path of an SVG that is `size` squares wide. */
export function drawn(text: string): { size: number; path: string } {
  const { data, size } = squares(text)
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
