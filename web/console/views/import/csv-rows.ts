/** Splits the text of a CSV file into lines and cells, and writes lines. Pure. */

export type CsvRow = { line: number; text: string; cells: readonly string[] }

/** Empty lines are left out. The first line tells the separator: semicolon, tab or comma. */
export function readRows(text: string): CsvRow[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const first = lines[0] ?? ''
  const separator = first.includes(';') ? ';' : first.includes('\t') ? '\t' : ','
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ line: index + 1, text: line, cells: cellsOf(line, separator) }],
  )
}

function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim())
  const found: string[] = []
  let rest = line
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const cell =
      quoted === null
        ? rest.slice(0, end === -1 ? undefined : end).trim()
        : (quoted[1] as string).replaceAll('""', '"')
    found.push(cell)
    const next = end === -1 ? '' : rest.slice(end)
    if (!next.startsWith(separator)) return found
    rest = next.slice(1)
  }
}

export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(csvCell).join(',')
}

/** Keeps a spreadsheet from reading a cell as a formula. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
