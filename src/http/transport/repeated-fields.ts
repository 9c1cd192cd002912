/**
 * The name of a field that an object has twice in a JSON text, or undefined. `parsed` is the value of the text, which
 * has each field once: if the text has as many colons outside of strings as the value has fields, none is repeated.
 * Only a text that fails this is looked at closely.
 */
export function repeatedField(text: string, parsed: unknown): string | undefined {
  if (isSimple(text, parsed)) return undefined
  return countColons(text) === countFields(parsed) ? undefined : findRepeated(text)
}

/** Whether an object has one colon for each of its own fields: it has no others, and no colon is in a string. */
function isSimple(text: string, parsed: unknown): boolean {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return false
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) colons++
  return colons === Object.keys(parsed).length
}

function countColons(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === colon) count++
    else if (code === quote) at = endOfString(text, at)
  }
  return count
}

const [colon, quote, backslash] = [0x3a, 0x22, 0x5c]

/** The place of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/** The fields of all objects in a value. A deep value would overflow the stack of a recursive function. */
function countFields(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (inner !== next) count += inner.length
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return count
}

const colonNext = /\s*:/y

function findRepeated(text: string): string {
  const seen: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') seen.push(new Set())
    else if (character === '}') seen.pop()
    if (character !== '"') continue
    const start = at
    at = endOfString(text, start)
    colonNext.lastIndex = at + 1
    if (!colonNext.test(text)) continue
    const name = JSON.parse(text.slice(start, at + 1)) as string
    if (seen.at(-1)?.has(name) === true) return name
    seen.at(-1)?.add(name)
  }
  return ''
}
