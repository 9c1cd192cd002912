import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Mistake } from '../../mistake.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'web', 'console', 'dist')

/** The console: one page for every path below `/console`, with client-side routing. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) throw new Mistake('The console is not built. Run `npm run build`.')
  const page = readFileSync(file, 'utf8')

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    cacheControl: false,
    preCompressed: true,
    schemaHide: true,
    decorateReply: false,
    setHeaders: (reply) => {
      // The file names of assets contain a hash of their content.
      reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    },
  })
  for (const url of ['/console', '/console/*']) {
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64url')
      return reply
        .header('Content-Security-Policy', policy(nonce))
        .type('text/html; charset=utf-8')
        .send(page.replaceAll('%NONCE%', nonce))
    })
  }
}

/** Scripts load only from files. The nonce is for the style sheet that the component library creates in the page. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // Previews of a wheel and of an embedded game.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
