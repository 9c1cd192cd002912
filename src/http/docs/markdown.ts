/**
 * The part of Markdown that our own texts use: headings, paragraphs, nested lists, tables, code, images, links, bold
 * and italic text. It renders our own files only, and escapes all HTML in them.
 */
import { escapeHtml } from '../../escape-html.ts'

/** Returns the address for a link or image, or undefined if only its text is to be shown. */
type Resolve = (target: string) => string | undefined

export function markdownHtml(text: string, resolve: Resolve): string {
  return blocksHtml(text.split('\n'), resolve)
}

/** The id of a heading, as on GitHub. In the changelog, `[0.2.0] - 2026-11-16` becomes `0.2.0`. */
function headingId(heading: string): string {
  const name = /^\[([^\]]+)\]/.exec(heading)?.[1]
  if (name !== undefined) return name.toLowerCase()
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

const fence = /^( *)```/
const heading = /^(#{1,6}) (.+)$/
const item = /^( *)(-|\d+\.) +(.*)$/
const rule = /^\|[\s:|-]+\|$/

function blocksHtml(lines: readonly string[], resolve: Resolve): string {
  const blocks: string[] = []
  for (let start = 0; start < lines.length;) {
    const end = blockEnd(lines, start)
    const html = blockHtml(lines.slice(start, end), resolve)
    if (html !== '') blocks.push(html)
    start = end
  }
  return blocks.join('\n')
}

/** The index of the first line after the block that begins here. */
function blockEnd(lines: readonly string[], start: number): number {
  const first = lines[start] ?? ''
  const after = (isPart: (line: string) => boolean) => {
    const length = lines.slice(start + 1).findIndex((line) => !isPart(line))
    return length === -1 ? lines.length : start + 1 + length
  }
  if (fence.test(first)) return Math.min(after((line) => !fence.test(line)) + 1, lines.length)
  if (first.trim() === '' || heading.test(first)) return start + 1
  if (first.startsWith('|')) return after((line) => line.startsWith('|'))
  // An item goes on with indented lines. Items that follow each other are one list.
  if (item.test(first)) return listEnd(lines, start)
  return after((line) => line.trim() !== '' && ![fence, heading, item].some((one) => one.test(line)))
}

function listEnd(lines: readonly string[], start: number): number {
  const isOrdered = /^ *\d/.test(lines[start] ?? '')
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const isPart = line.startsWith(' ') || (item.test(line) && /^\d/.test(line) === isOrdered)
    const isGap = line.trim() === '' && /^( +\S|- |\d+\. )/.test(lines[index + 1] ?? '')
    if (!isPart && !isGap) return index
  }
  return lines.length
}

function blockHtml(lines: readonly string[], resolve: Resolve): string {
  const [first = ''] = lines
  if (first.trim() === '') return ''
  if (fence.test(first)) return `<pre><code>${escapeHtml(codeOf(lines))}</code></pre>`
  const [, marks, title = ''] = heading.exec(first) ?? []
  if (marks !== undefined)
    return `<h${marks.length} id="${escapeHtml(headingId(title))}">${inline(title, resolve)}</h${marks.length}>`
  if (first.startsWith('|')) return tableHtml(lines, resolve)
  if (item.test(first)) return listHtml(lines, resolve)
  return `<p>${inline(lines.join(' '), resolve)}</p>`
}

/** The lines between the fences, without the indentation of the first. */
function codeOf(lines: readonly string[]): string {
  const indent = fence.exec(lines[0] ?? '')?.[1]?.length ?? 0
  return lines
    .slice(1, -1)
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join('\n')
}

function tableHtml(lines: readonly string[], resolve: Resolve): string {
  const cells = (line: string) =>
    line
      .replaceAll(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|'), resolve))
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join('')}</tr>`
  const [head = '', ...rest] = lines
  const rows = rest.filter((line) => !rule.test(line)).map((line) => row(line, 'td'))
  return `<div class="table"><table><thead>${row(head, 'th')}</thead><tbody>${rows.join('')}</tbody></table></div>`
}

function listHtml(lines: readonly string[], resolve: Resolve): string {
  const tag = /^ *\d/.test(lines[0] ?? '') ? 'ol' : 'ul'
  const indent = item.exec(lines[0] ?? '')?.[1]?.length ?? 0
  const starts = lines.flatMap((line, index) => (item.exec(line)?.[1]?.length === indent ? [index] : []))
  const items = starts.map((start, index) => {
    const [, , mark = '', text = ''] = item.exec(lines[start] ?? '') ?? []
    const inner = lines
      .slice(start + 1, starts[index + 1])
      .map((line) => outdented(line, indent + mark.length + 1))
    const html = blocksHtml([text, ...inner], resolve)
    // An item of one paragraph needs none of its own.
    return `<li>${/^<p>(?:(?!<p>)[^])*<\/p>$/.test(html) ? html.slice(3, -4) : html}</li>`
  })
  return `<${tag}>\n${items.join('\n')}\n</${tag}>`
}

function outdented(line: string, by: number): string {
  return line.slice(Math.min(by, line.length - line.trimStart().length))
}

/** Code first: what it contains is shown as it is. */
function inline(text: string, resolve: Resolve): string {
  const codes: string[] = []
  const withoutCode = text.replaceAll(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escapeHtml(code)}</code>`)
    return `${placeholder}${codes.length - 1}${placeholder}`
  })
  return escapeHtml(withoutCode)
    .replaceAll(/!\[([^\]]*)\]\(([^)]+)\)/g, (_, label: string, target: string) =>
      image(label, resolve(target)),
    )
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, target: string) =>
      link(label, resolve(target)),
    )
    .replaceAll(/^\[([^\]]+)\]/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<!\w)_([^_]+)_(?!\w)/g, '<em>$1</em>')
    .replaceAll(codePlace, (_, index: string) => codes[Number(index)] ?? '')
}

/** A character that no text has. */
const placeholder = '\u{E000}'
const codePlace = new RegExp(`${placeholder}(\\d+)${placeholder}`, 'gu')

function link(label: string, address: string | undefined): string {
  return address === undefined ? label : `<a href="${address}">${label}</a>`
}

function image(label: string, address: string | undefined): string {
  return address === undefined ? `<em>${label}</em>` : `<img src="${address}" alt="${label}" loading="lazy">`
}
