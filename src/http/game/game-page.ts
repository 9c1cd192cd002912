import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { embedOriginsOf } from '../../links/embed-origins.ts'
import { Mistake } from '../../mistake.ts'

const gameFolder = join(import.meta.dirname, '..', '..', '..', 'web', 'game')
const folders = { spinthewheel: join(gameFolder, 'dist'), wallet: join(gameFolder, 'wallet', 'dist') }

/** Serves a page for players, with its files, at a path of this name. */
export async function servePage(app: FastifyInstance, name: keyof typeof folders): Promise<void> {
  const { policyFor } = readGamePage(name)
  await app.register(async (page) => {
    page.addHook('onRequest', async (request, reply) => {
      const origins = await embedOriginsOf(app.ctx, request.query as Record<string, unknown>)
      reply.header('Content-Security-Policy', policyFor(origins))
    })
    // Relative, because a proxy may serve the page below a path.
    page.get(`/${name}`, { schema: { hide: true } }, async ({ url }, reply) =>
      reply.redirect(url.replace(/^[^?]*/, `${name}/`)),
    )
    await page.register(fastifyStatic, {
      root: folders[name],
      prefix: `/${name}/`,
      cacheControl: false,
      preCompressed: true,
      schemaHide: true,
      decorateReply: false,
      setHeaders: (reply, path) => {
        // The file names of assets contain a hash of their content.
        if (path.includes('/assets/')) reply.header('Cache-Control', 'public, max-age=31536000, immutable')
      },
    })
  })
}

/** The HTML of a page, and its content security policy for the origins that may show it in a frame. */
export function readGamePage(name: keyof typeof folders = 'spinthewheel'): {
  html: string
  policyFor: (origins: readonly string[]) => string
} {
  const index = join(folders[name], 'index.html')
  if (!existsSync(index)) throw new Mistake('The pages of the game are not built. Run `npm run build`.')
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
