import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Refusal } from '../../refusals.ts'
import { docsPage } from './docs-page.ts'
import { markdownHtml } from './markdown.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

/** A Markdown file of the repository as a page. It is read when somebody first opens the page. */
export function markdownFile(file: string): () => string {
  let page: string | undefined
  return () => (page ??= markdownPage(readText(file), file))
}

/** The guides and decisions that this installation has: `docs/webhooks.md` is at `/docs/webhooks`. */
export function guideFiles(): string[] {
  return globSync(['docs/*.md', 'docs/decisions/*.md'], { cwd: repository }).toSorted()
}

/** The images of the guides. An image of the container leaves them out. */
export function guideImages(): string[] {
  return globSync('docs/images/*.webp', { cwd: repository })
}

export function readImage(file: string): Buffer {
  return readFileSync(join(repository, file))
}

/** A list of all guides. */
export function guidesPage(): string {
  const guides = guideFiles().filter((file) => posix.dirname(file) === 'docs')
  const items = guides.map((file) => `- [${titleOf(readText(file))}](${posix.basename(file)})`)
  const text = `# Guides\n\n${items.join('\n')}\n`
  return markdownPage(text, 'docs/guides.md')
}

/** An image of the container may leave the documentation out. */
function readText(file: string): string {
  try {
    return readFileSync(join(repository, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal('route_not_found', { detail: `This installation lacks the file ${file}.` })
  }
}

export function markdownPage(text: string, file: string): string {
  return docsPage({ title: titleOf(text), body: markdownHtml(text, (target) => addressOf(target, file)) })
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Wheelhouse'
}

/** Where a link leads. The server has only some of the files that a text may link to. */
function addressOf(target: string, file: string): string | undefined {
  if (/^(https?:\/\/|\/|#)/.test(target)) return target
  const [path = '', fragment] = target.split('#')
  const place = posix.join(posix.dirname(file), path)
  const at = fragment === undefined ? '' : `#${fragment}`
  if (place === 'CHANGELOG.md') return `/docs/changelog${at}`
  const isServed = /^docs\/(decisions\/)?[\w-]+\.md$|^docs\/images\/[\w-]+\.webp$/.test(place)
  return isServed && existsSync(join(repository, place)) ? `/${place.replace(/\.md$/, '')}${at}` : undefined
}
