const headings = new Set(['code', 'codes', 'coupon', 'voucher'])

export type CodeFile = {
  codes: string[]
  /** How many lines repeat a code of an earlier line. */
  repeats: number
}

/** The codes in a file: the first column, one per line, without duplicates and without a heading. */
export function readCodes(text: string): CodeFile {
  const cells = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(firstCell)
    .filter((cell) => cell !== '')
  const [first] = cells
  const isHeading = first !== undefined && headings.has(first.toLowerCase())
  const all = isHeading ? cells.slice(1) : cells
  const codes = [...new Set(all)]
  return { codes, repeats: all.length - codes.length }
}

function firstCell(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)
  if (quoted !== null) return (quoted[1] as string).replaceAll('""', '"').trim()
  return (line.split(/[,;\t]/, 1)[0] ?? '').trim()
}
