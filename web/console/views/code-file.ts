const headings = new Set(['code', 'codes', 'coupon', 'voucher'])

/** The codes in a file: the first column, one per line, without duplicates and without a heading. */
export function readCodes(text: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(firstCell)
    .filter((cell) => cell !== '')
  const [first] = cells
  const isHeading = first !== undefined && headings.has(first.toLowerCase())
  return [...new Set(isHeading ? cells.slice(1) : cells)]
}

function firstCell(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)
  if (quoted !== null) return (quoted[1] as string).replaceAll('""', '"').trim()
  return (line.split(/[,;\t]/, 1)[0] ?? '').trim()
}
