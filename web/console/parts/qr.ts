/**
 * Draws a QR code (ISO/IEC 18004) of bytes, versions 1 to 10, error correction M: enough for the address of an
 * authenticator's secret. Pure.
 */
const blocksM: [perBlock: number, groups: [count: number, data: number][]][] = [
  [10, [[1, 16]]],
  [16, [[1, 28]]],
  [26, [[1, 44]]],
  [18, [[2, 32]]],
  [24, [[2, 43]]],
  [16, [[4, 27]]],
  [18, [[4, 31]]],
  [
    22,
    [
      [2, 38],
      [2, 39],
    ],
  ],
  [
    22,
    [
      [3, 36],
      [2, 37],
    ],
  ],
  [
    26,
    [
      [4, 43],
      [1, 44],
    ],
  ],
]
const alignments = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

/** True where it is dark, row by row. */
export function qrModules(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)]
  const version = blocksM.findIndex((_, index) => bytes.length + (index < 9 ? 2 : 3) <= dataBytes(index)) + 1
  if (version === 0) throw new Error('the text is too long for a QR code of version 10')
  const words = interleave(version, encode(bytes, version))
  const candidates = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => draw(version, words, mask))
  return candidates.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

function dataBytes(index: number): number {
  return (blocksM[index]?.[1] ?? []).reduce((sum, [count, data]) => sum + count * data, 0)
}

function encode(bytes: number[], version: number): number[] {
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  push(4, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  const capacity = dataBytes(version - 1) * 8
  push(0, Math.min(4, capacity - bits.length))
  while (bits.length % 8 !== 0) bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  )
  for (let pad = 0; words.length < capacity / 8; pad++) words.push(pad % 2 === 0 ? 0xec : 0x11)
  return words
}

function interleave(version: number, words: number[]): number[] {
  const [perBlock, groups] = blocksM[version - 1] as (typeof blocksM)[number]
  const blocks: number[][] = []
  let from = 0
  for (const [count, data] of groups) {
    for (let index = 0; index < count; index++) {
      blocks.push(words.slice(from, from + data))
      from += data
    }
  }
  const checks = blocks.map((block) => remainder(block, perBlock))
  const longest = Math.max(...blocks.map((block) => block.length))
  const take = (lists: number[][], length: number) =>
    Array.from({ length }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()
  return [...take(blocks, longest), ...take(checks, perBlock)]
}

const exponents: number[] = []
const logarithms: number[] = []
for (let index = 0, value = 1; index < 255; index++) {
  exponents[index] = value
  logarithms[value] = index
  value <<= 1
  if (value > 255) value ^= 0x11d
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (exponents[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0)
}

/** Reed-Solomon: what is left after dividing by the generator of this degree. */
function remainder(data: number[], degree: number): number[] {
  let generator = [1]
  for (let index = 0; index < degree; index++) {
    const root = exponents[index] ?? 0
    const next = Array<number>(generator.length + 1).fill(0)
    generator.forEach((value, at) => {
      next[at] = (next[at] ?? 0) ^ value
      next[at + 1] = (next[at + 1] ?? 0) ^ times(value, root)
    })
    generator = next
  }
  const rest = [...data, ...Array<number>(degree).fill(0)]
  data.forEach((_, at) => {
    const factor = rest[at] ?? 0
    generator.forEach(
      (value, offset) => (rest[at + offset] = (rest[at + offset] ?? 0) ^ times(value, factor)),
    )
  })
  return rest.slice(data.length)
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function draw(version: number, words: number[], mask: number): boolean[][] {
  const size = version * 4 + 17
  const grid: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined))
  const set = (x: number, y: number, dark: boolean) => {
    const row = grid[y]
    if (row !== undefined && x >= 0 && x < size) row[x] = dark
  }
  const ring = (cx: number, cy: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++)
        set(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (let index = 8; index < size - 8; index++) {
    set(index, 6, index % 2 === 0)
    set(6, index, index % 2 === 0)
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    ring(cx, cy, 4, (distance) => distance !== 2 && distance !== 4)
  const centres = alignments[version - 1] ?? []
  const last = centres.length - 1
  centres.forEach((cx, column) =>
    centres.forEach((cy, row) => {
      const isFinder =
        (column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0)
      if (!isFinder) ring(cx, cy, 2, (distance) => distance !== 1)
    }),
  )
  drawFormat(set, size, mask)
  if (version >= 7) drawVersion(set, size, version)
  drawWords(grid, words, mask)
  return grid as boolean[][]
}

type Set = (x: number, y: number, dark: boolean) => void

/** Error correction M is 00; then the mask, protected by a BCH code. */
function drawFormat(set: Set, size: number, mask: number): void {
  let rest = mask
  for (let index = 0; index < 10; index++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const bit = (index: number) => ((bits >> index) & 1) === 1
  for (let index = 0; index < 6; index++) set(8, index, bit(index))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let index = 9; index < 15; index++) set(14 - index, 8, bit(index))
  for (let index = 0; index < 8; index++) set(size - 1 - index, 8, bit(index))
  for (let index = 8; index < 15; index++) set(8, size - 15 + index, bit(index))
  set(8, size - 8, true)
}

function drawVersion(set: Set, size: number, version: number): void {
  let rest = version
  for (let index = 0; index < 12; index++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let index = 0; index < 18; index++) {
    const dark = ((bits >> index) & 1) === 1
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)]
    set(a, b, dark)
    set(b, a, dark)
  }
}

/** Upwards and downwards in columns of two, from the right, over what is still free. */
function drawWords(grid: (boolean | undefined)[][], words: number[], mask: number): void {
  const size = grid.length
  const isMasked = masks[mask] as (typeof masks)[number]
  let index = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const isUpward = ((right + 1) & 2) === 0
        const y = isUpward ? size - 1 - step : step
        const row = grid[y]
        if (row === undefined || row[x] !== undefined) continue
        const dark = (((words[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
        row[x] = dark !== isMasked(x, y)
        index++
      }
    }
  }
}

/** Rules 1 and 4 of the standard: long runs, and too much of one colour. */
function penalty(grid: boolean[][]): number {
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x] as boolean))]
  const runs = lines.reduce((sum, line) => {
    const lengths =
      line
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .match(/0+|1+/g) ?? []
    return sum + lengths.reduce((total, run) => total + (run.length >= 5 ? run.length - 2 : 0), 0)
  }, 0)
  const darkShare = grid.flat().filter(Boolean).length / grid.length ** 2
  return runs + Math.floor(Math.abs(darkShare - 0.5) * 20) * 10
}
