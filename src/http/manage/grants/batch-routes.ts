import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { mainCampaign } from '../../../campaign-ref.ts'
import {
  grantBatchBytesMax,
  grantBatchesAtOnce,
  grantsInBatchesMax,
  grantsPerBatchMax,
  liveCampaignsMax,
  spinNumberCeiling,
} from '../../../limits.ts'
import { FairConcurrencyLimit } from '../../../concurrency/fair-concurrency-limit.ts'
import { MerchantConcurrency } from '../../../concurrency/merchant-concurrency.ts'
import { type BatchedGrant, grantBatch } from '../../../grants/grant-batches.ts'
import { overloaded, Refusal } from '../../../refusals.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { GrantBatchAnswer, shownVerdict } from '../../answers/batches.ts'
import { GrantKey, MaybeExpiry, PlayerId, Reason, RequiredKeyHeaders } from '../../answers/shapes.ts'
import { giverOf } from '../../console/staff-session.ts'
import { campaignOfRequest } from '../campaign-of-request.ts'
import { momentIn } from '../query.ts'

const BatchBody = Type.Object({
  reason: Type.Optional(Reason),
  grants: Type.Array(
    Type.Object(
      {
        playerId: PlayerId,
        spinNumber: Type.Integer({ minimum: 1, maximum: spinNumberCeiling, examples: [5] }),
        key: Type.Optional(GrantKey),
        reason: Type.Optional(Reason),
        campaign: Type.Optional({
          ...CampaignId,
          description: 'By default the campaign that the token is bound to, or `main`.',
        }),
        expiresAt: MaybeExpiry,
      },
      { title: 'Grant' },
    ),
    { minItems: 1, maxItems: grantsPerBatchMax },
  ),
})

/** Many grants in one request. */
export const batchRoutes = managementRoutes({ tag: 'Players', change: ['spins', 'manage'] }, async (app) => {
  const { ctx } = app
  // A few large batches keep the database busy. Merchants take turns; what is beyond the limit can be sent again soon.
  const turns = new FairConcurrencyLimit(grantBatchesAtOnce)
  const concurrency = new MerchantConcurrency(grantsInBatchesMax, () => overloaded('batches'))

  app.post(
    '/api/v1/grant-batches',
    {
      bodyLimit: grantBatchBytesMax,
      config: {
        refusals: [
          'idempotency_key_missing',
          'idempotency_key_malformed',
          'idempotency_key_reused',
          'campaign_not_found',
        ],
        boundTokens: 'meant',
      },
      schema: {
        operationId: 'grantBatch',
        summary: 'Give spins to many players',
        description: `Up to ${grantsPerBatchMax} grants, with one verdict for each, in the same order. A refused grant does not affect the others. \`reason\` applies to every grant without its own. Staff must give a reason, and their grants count against their daily limit. The same batch with the same \`Idempotency-Key\` always gets the same verdicts; repeating a batch that was cut off finishes it. A grant with its own \`key\` is the same grant as with increaseSpin. Batches wait for their turn. Beyond ${grantsInBatchesMax.perMerchant} grants of a merchant in waiting and running batches, or ${grantsInBatchesMax.inAll} of all, a batch is refused at once (503 \`overloaded\` with \`Retry-After\`).`,
        headers: RequiredKeyHeaders,
        body: BatchBody,
        response: { 200: GrantBatchAnswer },
      },
    },
    async (request, reply) => {
      const merchant = callingMerchant(request)
      const leave = concurrency.enter(merchant.merchantId, request.body.grants.length)
      try {
        const grants = await asOrders(request, withReasons(request.body))
        const key = request.headers['idempotency-key']
        const giver = giverOf(request, merchant)
        if (giver !== undefined) refuseWithoutReason(grants)
        const order = { merchant, key, grants, giver }
        const cause = causeOf(request)
        const work = () => grantBatch(ctx.db, order, cause)
        const { isRepeat, verdicts } = await turns.run(merchant.merchantId, work)
        if (isRepeat) reply.header('Idempotent-Replayed', 'true')
        else ctx.events.sequencer.nudge()
        const refused = verdicts.filter(({ outcome }) => outcome === 'refused').length
        return {
          granted: verdicts.length - refused,
          refused,
          verdicts: verdicts.map((verdict, place) => shownVerdict(verdict, grants[place]?.playerId ?? '')),
        }
      } finally {
        leave()
      }
    },
  )
})

type GrantBody = Static<typeof BatchBody>['grants'][number]

/** Every campaign is looked up once. An unknown one, or a time that does not exist, refuses the whole batch. */
async function asOrders(request: FastifyRequest, grants: readonly GrantBody[]): Promise<BatchedGrant[]> {
  const slugs = [...new Set(grants.map(({ campaign }) => campaign))]
  if (slugs.length > liveCampaignsMax) throw new Refusal('campaign_not_found')
  const found = await Promise.all(
    slugs.map(async (slug) => {
      const place = grants.findIndex(({ campaign }) => campaign === slug)
      return [slug, await campaignOfRequest(request, slug, `/grants/${place}/campaign`)] as const
    }),
  )
  const campaigns = new Map(found)
  return grants.map((grant, place) => ({
    ...grant,
    campaign: campaigns.get(grant.campaign) ?? mainCampaign,
    expiresAt: momentIn(`grants/${place}/expiresAt`, grant.expiresAt) ?? undefined,
  }))
}

function withReasons({ grants, reason }: Static<typeof BatchBody>): GrantBody[] {
  return reason === undefined ? grants : grants.map((grant) => ({ reason, ...grant }))
}

function refuseWithoutReason(grants: readonly BatchedGrant[]): void {
  const place = grants.findIndex((grant) => grant.reason === undefined)
  if (place === -1) return
  const detail = 'is required from people: for this grant, or as `reason` beside `grants`'
  throw new Refusal('validation_failed', {
    detail: `/grants/${place}/reason ${detail}`,
    errors: [{ pointer: `/grants/${place}/reason`, detail }],
  })
}
