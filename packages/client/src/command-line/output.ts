/** Prints JSON for scripts, or text for people. */
export function print(value: unknown, isJson: unknown, text: string): void {
  process.stdout.write(isJson === true ? `${JSON.stringify(value)}\n` : `${plain(text)}\n`)
}

/**
 * Prints a text as it is, and everything else as JSON. In a file it is exact; a terminal gets no control characters.
 */
export function printAnswer(value: unknown, isJson: unknown): void {
  const isText = typeof value === 'string' && isJson !== true
  const text = isText ? value : JSON.stringify(value, null, isJson === true ? 0 : 2)
  process.stdout.write(`${process.stdout.isTTY ? plain(text) : text}\n`)
}

/** For people only, so that the output stays clean for scripts. */
export function note(text: string): void {
  process.stderr.write(`${plain(text)}\n`)
}

/** Aligns the rows in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/**
 * Control characters in names and labels must not reach the terminal. Invisible characters and direction marks are
 * written with their code points, so that two ids don't look the same.
 */
function plain(text: string): string {
  return text
    .replaceAll(/(?!\n)\p{Cc}/gu, '\uFFFD')
    .replaceAll(
      /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}⟨]/gu,
      (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
}
