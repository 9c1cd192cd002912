import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unsubscribePage, unsubscribeStyle } from '../../messages/unsubscribe-page.ts'
import { findSubscription, unsubscribe } from '../../messages/unsubscribe.ts'
import { Refusal } from '../../refusals.ts'

type Address = { Params: { token: string } }

const style = createHash('sha256').update(unsubscribeStyle).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${style}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

/**
 * The address that ends marketing (RFC 8058). A GET changes nothing, because mail scanners open every link. A POST
 * needs no cookie, login or particular body, and answers alike when it is repeated. Callers have no limit by address:
 * mail providers send the requests of many people.
 */
export const unsubscribeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const options = { schema: { hide: true } }
  // Forms in any encoding. What they say is known already.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4_096 }, (_request, _body, done) =>
    done(null),
  )

  const find = async ({ params }: FastifyRequest<Address>) => {
    const found = await findSubscription(ctx.db, params.token)
    if (found === undefined) throw new Refusal('route_not_found')
    return found
  }
  const send = (reply: FastifyReply, html: string) =>
    reply
      .header('Content-Security-Policy', policy)
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Robots-Tag', 'noindex')
      .type('text/html; charset=utf-8')
      .send(html)

  app.get<Address>('/u/:token', options, async (request, reply) => {
    const { merchant, language } = await find(request)
    return send(reply, unsubscribePage({ merchant: merchant.name, language, isDone: false }))
  })

  app.post<Address>('/u/:token', options, async (request, reply) => {
    const found = await find(request)
    await unsubscribe(ctx, found, request.id)
    const { merchant, language } = found
    return send(reply, unsubscribePage({ merchant: merchant.name, language, isDone: true }))
  })
}
