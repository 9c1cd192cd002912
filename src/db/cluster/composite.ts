/** The fields of a row that PostgreSQL has written as text, such as `(1,"a b",)`. A missing one is null. */
export function fieldsOf(text: string): (string | null)[] {
  const fields: (string | null)[] = []
  if (text === '()') return fields
  for (let at = 1; at < text.length;) {
    const { field, end } = text[at] === '"' ? quoted(text, at) : bare(text, at)
    fields.push(field)
    // Past the comma, or past the bracket at the end.
    at = end + 1
    if (text[end] === ')') break
  }
  return fields
}

function bare(text: string, start: number): { field: string | null; end: number } {
  let end = start
  while (text[end] !== ',' && text[end] !== ')') end++
  return { field: end === start ? null : text.slice(start, end), end }
}

function quoted(text: string, start: number): { field: string; end: number } {
  let field = ''
  let at = start + 1
  for (;;) {
    const next = text[at]
    if (next === '"' && text[at + 1] !== '"') return { field, end: at + 1 }
    // A quote is doubled, and a backslash too.
    if (next === '"' || next === '\\') at++
    field += text[at] as string
    at++
  }
}
