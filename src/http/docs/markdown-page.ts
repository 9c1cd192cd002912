import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Refusal } from '../../refusals.ts'
import { docsPage } from './docs-page.ts'
import { markdownHtml } from './markdown.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

const pages = new Map<string, string>()

/**
 * The page at a path below `/docs`, made when somebody first opens it. `docs/webhooks.md` is at `/docs/webhooks`.
 * Undefined if this installation has no such file.
 */
export function pageAt(path: string): string | undefined {
  const file =
    path === '/docs/changelog' ? 'CHANGELOG.md' : fileAt(path, /^docs\/(decisions\/)?[\w-]+$/, '.md')
  if (file === undefined) return undefined
  const page = pages.get(file) ?? markdownPage(readText(file), file)
  pages.set(file, page)
  return page
}

/** An image of the guides. An image of the container leaves them out. */
export function imageAt(path: string): Buffer | undefined {
  const file = fileAt(path, /^docs\/images\/[\w-]+\.webp$/)
  return file === undefined ? undefined : readFileSync(join(repository, file))
}

function fileAt(path: string, pattern: RegExp, ending = ''): string | undefined {
  const file = `${path.slice(1)}${ending}`
  return pattern.test(path.slice(1)) && existsSync(join(repository, file)) ? file : undefined
}

/** A list of all guides. */
export function guidesPage(): string {
  const guides = globSync('docs/*.md', { cwd: repository }).toSorted()
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
