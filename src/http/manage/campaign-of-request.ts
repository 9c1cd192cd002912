import type { FastifyRequest } from 'fastify'
import { type CampaignRef, mainCampaign } from '../../campaign-ref.ts'
import type { Campaign } from '../../campaigns/campaign.ts'
import { findCampaign, readCampaignRef } from '../../campaigns/campaigns.ts'
import { untilDone } from '../../db/database.ts'
import { Refusal } from '../../refusals.ts'
import type { Wheel } from '../../wheel-document/wheel-types.ts'
import { findWheel } from '../../wheels/wheels.ts'
import { callingMerchant } from '../authenticate.ts'

/**
 * The campaign that a request means: the one that it names, or that its token is bound to, or `main`. A bound token may
 * name no other. `pointer` is where the request names it.
 */
export async function campaignOfRequest(
  request: FastifyRequest,
  slug: string | undefined,
  pointer = '/campaign',
): Promise<CampaignRef> {
  const found = slug === undefined ? (request.caller?.campaign ?? mainCampaign) : await named(request, slug)
  if (found === undefined) {
    const error = { pointer, detail: `names no campaign of the merchant: "${slug}"` }
    throw new Refusal('campaign_not_found', { detail: `${pointer} ${error.detail}`, errors: [error] })
  }
  return found
}

/** The number of the campaign that a filter names; null without a filter. For a bound token there is always one. */
export async function filteredCampaign(
  request: FastifyRequest,
  slug: string | undefined,
): Promise<number | null> {
  if (slug === undefined) return request.caller?.campaign?.campaignId ?? null
  const found = await named(request, slug)
  if (found === undefined) throw new Refusal('campaign_not_found')
  return found.campaignId
}

async function named(request: FastifyRequest, slug: string): Promise<CampaignRef | undefined> {
  const bound = request.caller?.campaign
  refuseOther(bound, slug)
  const { merchantId } = callingMerchant(request)
  return bound ?? untilDone(() => readCampaignRef(request.server.ctx.db, merchantId, slug))
}

/** A campaign of the calling merchant. For a bound token, no other one than its own exists. */
export async function campaignNamed(request: FastifyRequest, slug: string): Promise<Campaign> {
  const bound = request.caller?.campaign
  if (bound !== undefined && slug !== bound.slug) throw new Refusal('campaign_not_found')
  const { merchantId } = callingMerchant(request)
  return untilDone(() => findCampaign(request.server.ctx.db, merchantId, slug))
}

/** The campaign that the caller's token is bound to, if it is. */
export async function boundCampaign(request: FastifyRequest): Promise<Campaign | undefined> {
  const bound = request.caller?.campaign
  return bound && campaignNamed(request, bound.slug)
}

/** A wheel of the calling merchant. For a bound token, no other one than that of its campaign exists. */
export async function wheelNamed(request: FastifyRequest, slug: string): Promise<Wheel> {
  const bound = await boundCampaign(request)
  if (bound !== undefined && slug !== bound.wheel) throw new Refusal('wheel_not_found')
  const { merchantId } = callingMerchant(request)
  return untilDone(() => findWheel(request.server.ctx.db, merchantId, slug))
}

/** Refuses a request that names another campaign than its token is bound to. */
export function refuseOther(bound: CampaignRef | undefined, slug: string | undefined): void {
  if (bound === undefined || slug === undefined || slug === bound.slug) return
  throw new Refusal('token_bound', {
    detail: `The token is bound to the campaign "${bound.slug}", and the request names "${slug}".`,
  })
}
