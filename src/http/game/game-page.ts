import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../../mistake.ts'

export const gameFolder = join(import.meta.dirname, '..', '..', '..', 'web', 'game', 'dist')

/** The HTML of the game page, and its content security policy for the origins that may show it in a frame. */
export function readGamePage(): { html: string; policyFor: (origins: readonly string[]) => string } {
  const index = join(gameFolder, 'index.html')
  if (!existsSync(index)) throw new Mistake('The game page is not built. Run `npm run build`.')
  const html = readFileSync(index, 'utf8')
  const policy = policyOf(html)
  return { html, policyFor: (origins) => `${policy}; frame-ancestors ${["'self'", ...origins].join(' ')}` }
}

/** Of inline scripts, only those of the page itself are allowed, by their hashes. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const scripts = ["'self'", ...hashes].join(' ')
  return `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'`
}
