import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { embedOriginsOfMerchant } from '../../links/embed-origins.ts'
import { readGamePage } from './game-page.ts'
import { limitAddress } from './game-routes.ts'

type Address = { Params: { merchant: string } }

/** The public address of a campaign: the game page, where visitors enter first. */
export const visitorPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { html, policyFor } = readGamePage()
  const onRequest = limitAddress(app)
  /** `root`: how the page gets to the root of the server, which a proxy may serve below a path. */
  const sendPage = (root: string) => {
    const page = compressedWhenAsked(pageAt(root, html))
    return async (request: FastifyRequest<Address>, reply: FastifyReply) => {
      const origins = await embedOriginsOfMerchant(app.ctx, request.params.merchant)
      const encoding = chooseEncoding(request.headers['accept-encoding'])
      if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
      return reply
        .header('Content-Security-Policy', policyFor(origins))
        .header('Vary', 'Accept-Encoding')
        .type('text/html; charset=utf-8')
        .send(await page(encoding))
    }
  }
  const options = { onRequest, schema: { hide: true } }
  app.get<Address>('/play/:merchant', options, sendPage('../'))
  app.get<Address>('/play/:merchant/:campaign', options, sendPage('../../'))
  const redirect = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query] = url.split('?', 2)
    const name = path.split('/').at(-2) ?? ''
    return reply.redirect(`../${name}${query === undefined ? '' : `?${query}`}`)
  }
  app.get('/play/:merchant/', options, redirect)
  app.get('/play/:merchant/:campaign/', options, redirect)
}

/** The same page at another depth. The page recognises visitors by `data-root`. */
function pageAt(root: string, html: string): Buffer {
  const moved = html
    .replace('<html ', `<html data-root="${root}" `)
    .replace(/(src|href)="\.\//g, `$1="${root}spinthewheel/`)
  return Buffer.from(moved)
}

type Encoding = 'br' | 'gzip' | 'identity'

const compress: Record<Encoding, (page: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: async (page) => page,
}

/** Once for each encoding: Brotli takes 20 ms of processor time, which the start of a server need not wait for. */
function compressedWhenAsked(page: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => made.getOrInsertComputed(encoding, () => compress[encoding](page))
}

function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? '').split(/\s*,\s*/)
  return (['br', 'gzip'] as const).find((one) => names.includes(one)) ?? 'identity'
}
