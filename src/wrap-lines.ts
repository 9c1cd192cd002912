/** Breaks a text into lines of at most `lengthMax` characters, between words. */
export function wrapLines(text: string, lengthMax: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lengthMax)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
