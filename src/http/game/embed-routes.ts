import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Mistake } from '../../mistake.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'web', 'embed')
const pinned = join(folder, 'dist', 'v1') + sep

/** The script of `<wheelhouse-game>`: the newest build, and every released build under its hash. */
export async function embedRoutes(app: FastifyInstance): Promise<void> {
  const file = join(folder, 'dist', 'build.json')
  if (!existsSync(file)) throw new Mistake('The embedding script is not built. Run `npm run build`.')
  const newest = JSON.parse(readFileSync(file, 'utf8')) as { hash: string; integrity: string }
  const address = `${app.ctx.config.publicUrl}/embed/v1`

  await app.register(fastifyStatic, {
    root: join(folder, 'dist'),
    prefix: '/embed/',
    cacheControl: false,
    preCompressed: true,
    schemaHide: true,
    decorateReply: false,
    setHeaders: (reply, path) => {
      reply.header('Access-Control-Allow-Origin', '*')
      reply.header('Cache-Control', path.startsWith(pinned) ? forEver : forAnHour)
    },
  })

  // A route of its own: by its ending, the file would be a video.
  const types = readFileSync(join(folder, 'dist', 'v1.d.ts'), 'utf8')
  app.get('/embed/v1.d.ts', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Cache-Control', forAnHour).type('text/plain; charset=utf-8').send(types),
  )

  app.get('/embed/v1.json', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Access-Control-Allow-Origin', '*')
      .header('Cache-Control', forAnHour)
      // The first address has the hash, so that it stays what `integrity` says after an upgrade of the server.
      .send({ script: `${address}/${newest.hash}.js`, integrity: newest.integrity, newest: `${address}.js` }),
  )

  await app.register(async (preview) => {
    preview.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', previewPolicy)
    })
    await preview.register(fastifyStatic, {
      root: join(folder, 'preview', 'dist'),
      prefix: '/embed/preview/',
      cacheControl: false,
      preCompressed: true,
      schemaHide: true,
      decorateReply: false,
    })
  })
}

// The address of the newest build does not change, so a browser must ask again for a newer one. Meanwhile it uses the
// old.
const forAnHour = 'public, max-age=3600, stale-while-revalidate=604800'
const forEver = 'public, max-age=31536000, immutable'

const previewPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
