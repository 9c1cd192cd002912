import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { hashSecret, secretMatches } from '../crypto/service-token.ts'
import { type BounceReport, readBounceReport } from '../mails/bounce-report.ts'
import { takeBounce } from '../messages/bounces.ts'
import { Refusal } from '../refusals.ts'

/** A report holds the mail that it is about, or its head. */
const reportBytesMax = 256 * 1024
const mailIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const Failure = Type.Object({
  recipient: Type.String({ minLength: 3, maxLength: 320 }),
  status: Type.String({ pattern: '^[45]\\.[0-9]{1,3}\\.[0-9]{1,3}$' }),
  diagnostic: Type.Optional(Type.String({ maxLength: 2_000 })),
})

/** Where the operator's mail system tells which mail came back (docs/mail.md). */
export const mailReportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const token = ctx.config.mail?.reportsToken
  if (!token) return
  const stored = hashSecret(token)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: reportBytesMax }, (_request, body, done) =>
    done(null, body),
  )

  app.post<{ Params: { mailId: string }; Body: string }>(
    '/hooks/mail/:mailId',
    { schema: { hide: true } },
    async ({ headers, params: { mailId }, body }, reply) => {
      const [, given = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
      if (!secretMatches(given, stored)) throw new Refusal('token_invalid')
      const isJson = headers['content-type']?.startsWith('application/json') === true
      const report = isJson ? readFailure(body) : readBounceReport(body)
      if (isJson && report === undefined)
        throw new Refusal('validation_failed', {
          detail: 'The body must be {"recipient": "…", "status": "5.1.1", "diagnostic": "…"}.',
        })
      // Delays and successes change nothing.
      const isKnown =
        mailIdPattern.test(mailId) && (report === undefined || (await takeBounce(ctx, mailId, report)))
      if (!isKnown) throw new Refusal('route_not_found', { detail: 'No mail has this id.' })
      return reply.code(204).send()
    },
  )
}

function readFailure(body: string): BounceReport | undefined {
  try {
    const given: unknown = JSON.parse(body)
    return Check(Failure, given) ? { diagnostic: null, ...given } : undefined
  } catch {
    return undefined
  }
}
