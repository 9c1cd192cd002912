import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { Refusal, type RefusalCode } from '../../../refusals.ts'
import { slugPattern } from '../../../slug.ts'
import { isTest } from '../../../test-clock.ts'
import { promote } from '../../../test-mode/promote.ts'
import { readPromotion } from '../../../test-mode/promotion.ts'
import { PromotedAnswer, PromotionAnswer, shownPromotion } from '../../answers/promotions.ts'
import { TestQuery } from '../../answers/test-mode.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { seesCodes } from '../../console/staff-session.ts'
import { managementRoutes } from '../../route-groups.ts'

const refusals = {
  wheel: ['live_merchant_needed', 'merchant_not_found', 'wheel_not_found', 'wheel_not_tested'],
  campaign: [
    'live_merchant_needed',
    'merchant_not_found',
    'campaign_not_found',
    'campaign_archived',
    'wheel_not_tested',
  ],
} satisfies Record<string, RefusalCode[]>

/** Wheels and campaigns of the test merchant, promoted to the live merchant: by the live merchant's own credentials. */
export const promotionRoutes = managementRoutes({ tag: 'Test mode' }, async (app) => {
  const { ctx } = app
  for (const kind of ['wheel', 'campaign'] as const) {
    const url = `/api/v1/test-merchant/${kind}s/:id/promotion`
    const params = Type.Object({ id: Type.String({ pattern: slugPattern }) })
    const what = kind === 'wheel' ? 'a wheel' : 'a campaign and its wheel'
    const name = kind === 'wheel' ? 'Wheel' : 'Campaign'

    app.get(
      url,
      {
        config: { refusals: refusals[kind] },
        schema: {
          operationId: `read${name}Promotion`,
          summary: `Show what the promotion of ${what} would change`,
          description:
            'Compares the version that is published at the test merchant with the live merchant. Live stock stays, and new prizes begin with the stock of the document. Codes are never copied.',
          params,
          querystring: Type.Object({
            ...TestQuery.properties,
            publish: Type.Optional(Type.Boolean({ description: 'True if it is to be published at once.' })),
          }),
          response: { 200: PromotionAnswer },
        },
      },
      async (request, reply) => {
        const live = liveMerchantOf(request)
        const { publish: publishes = false, test: testName = null } = request.query
        const order = { kind, slug: request.params.id, publishes, testName }
        const now = nowOf(request)
        const promotion = await untilDone(() => readPromotion(ctx.db, live, { ...order, now }))
        reply.header('ETag', `"${promotion.revision}"`)
        return shownPromotion(promotion, { now, seesCodes: seesCodes(request) })
      },
    )

    app.post(
      url,
      {
        config: {
          refusals: [
            ...refusals[kind],
            'promotion_changed',
            'wheel_not_publishable',
            'merchant_limit_reached',
            ...(kind === 'campaign' ? (['campaign_limit_reached', 'free_spins_over_limit'] as const) : []),
          ],
        },
        schema: {
          operationId: `promote${name}`,
          summary: `Promote ${what} to the live merchant`,
          description:
            'Makes exactly the changes that were shown, which `If-Match` names. The live wheel gets a new draft, or is published with `publish`. Refused if either merchant has changed since.',
          params,
          querystring: TestQuery,
          headers: Type.Object({
            'if-match': Type.String({
              pattern: '^"[0-9a-f]{16}"$',
              description: 'The ETag of the promotion.',
            }),
          }),
          body: Type.Object({
            publish: Type.Optional(Type.Boolean({ description: 'As in the promotion that was shown.' })),
          }),
          response: { 200: PromotedAnswer },
        },
      },
      async (request) => {
        const live = liveMerchantOf(request)
        const publishes = request.body.publish ?? false
        const revision = request.headers['if-match'].slice(1, -1)
        const { test: testName = null } = request.query
        const order = { kind, slug: request.params.id, publishes, testName, revision }
        // Not retried: the repeat of a promotion that succeeded would find the live merchant changed.
        const { wheel, campaign, changes, version } = await promote(ctx.db, live, order, causeOf(request))
        ctx.tokens.forget(live)
        return { wheel: wheel.slug, campaign: campaign?.slug ?? null, changes: changes.length, version }
      },
    )
  }
})

function liveMerchantOf(request: FastifyRequest) {
  const live = callingMerchant(request)
  if (isTest(live)) throw new Refusal('live_merchant_needed')
  return live
}
