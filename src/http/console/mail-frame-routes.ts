import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * An empty page that shows the mail which the console sends it. A mail has its styles in attributes, which the policy
 * of the console forbids, also in a frame without an address. Scripts of a mail never run, because it is only parsed.
 */
const script = `addEventListener('message', ({ origin, data }) => {
  if (origin !== location.origin || typeof data?.html !== 'string') return
  const page = new DOMParser().parseFromString(data.html, 'text/html')
  document.documentElement.replaceWith(document.adoptNode(page.documentElement))
})
parent.postMessage({ type: 'mail-frame' }, location.origin)`

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  // The picture of a code.
  'img-src data:',
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

export async function mailFrameRoutes(app: FastifyInstance): Promise<void> {
  app.get('/console/mail-frame', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Security-Policy', policy)
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><title>Mail</title><script>${script}</script></html>`),
  )
}
