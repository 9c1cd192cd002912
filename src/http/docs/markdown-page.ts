import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../refusals.ts'
import { docsPage, html } from './docs-page.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

/** A Markdown file of the repository as a page. It is read when somebody first opens the page. */
export function markdownFile(file: string): () => string {
  let page: string | undefined
  return () => (page ??= markdownPage(readText(file)))
}

/** An image may leave the documentation out. */
function readText(file: string): string {
  try {
    return readFileSync(join(repository, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal('route_not_found', { detail: `This installation lacks the file ${file}.` })
  }
}

/** The part of Markdown that our own texts use: headings, paragraphs, lists, code, bold text and links. */
export function markdownPage(text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Wheelhouse'
  // A block ends at an empty line. Headings and list items also start one.
  const blocks = text.split(/\n\s*\n|\n(?=#|- |\d+\. )/).map((block) => block.trim())
  return docsPage({ title, body: joinLists(blocks.filter((block) => block !== '').map(blockHtml)) })
}

type Block = { list: 'ul' | 'ol' | undefined; content: string }

function blockHtml(block: string): Block {
  const [, marks, heading] = /^(#{1,3}) (.+)$/.exec(block) ?? []
  if (marks !== undefined && heading !== undefined)
    return {
      list: undefined,
      content: `<h${marks.length} id="${idOf(heading)}">${inline(heading)}</h${marks.length}>`,
    }
  const [, mark, item] = /^(-|\d+\.) ([^]+)$/.exec(block) ?? []
  if (mark !== undefined && item !== undefined)
    return { list: mark === '-' ? 'ul' : 'ol', content: `<li>${inline(item)}</li>` }
  return { list: undefined, content: `<p>${inline(block)}</p>` }
}

/** Puts neighbouring items into one list. */
function joinLists(blocks: readonly Block[]): string {
  return blocks
    .map(({ list, content }, index) => {
      const [before, after] = [blocks[index - 1]?.list, blocks[index + 1]?.list]
      const start = list !== undefined && list !== before ? `<${list}>\n` : ''
      const end = list !== undefined && list !== after ? `\n</${list}>` : ''
      return `${start}${content}${end}`
    })
    .join('\n')
}

/** `[0.2.0] - 2026-11-16` becomes `0.2.0`, and `What never changes` becomes `what-never-changes`. */
function idOf(heading: string): string {
  const name = /^\[([^\]]+)\]/.exec(heading)?.[1] ?? heading
  return name.toLowerCase().replaceAll(/[^\w.]+/g, '-')
}

function inline(text: string): string {
  return html(text.replaceAll(/\s+/g, ' '))
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, target: string) => link(label, target))
    .replaceAll(/^\[([^\]]+)\]/g, '$1')
}

/** The server has only some of the documents that a text may link to. */
function link(label: string, target: string): string {
  const address = target.endsWith('CHANGELOG.md') ? '/docs/changelog' : target
  return /^(https?:\/\/|\/)/.test(address)
    ? `<a href="${address.replaceAll('"', '&quot;')}">${label}</a>`
    : label
}
