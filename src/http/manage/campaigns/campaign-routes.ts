import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Campaign, CampaignSettings } from '../../../campaigns/campaign.ts'
import { listCampaigns } from '../../../campaigns/campaigns.ts'
import {
  archiveCampaign,
  changeCampaign,
  createCampaign,
  duplicateCampaign,
} from '../../../campaigns/change-campaigns.ts'
import { untilDone } from '../../../db/database.ts'
import { moveClosingTime } from '../../../entries/move-closing-time.ts'
import { runRevealDelayMs } from '../../../limits.ts'
import type { Merchant } from '../../../merchants/merchants.ts'
import { noFigures, readCampaignFigures } from '../../../reports/campaign-figures.ts'
import { readCounted } from '../../../reports/next-interval.ts'
import { readStockLeft } from '../../../stock/stock-left.ts'
import { freeSpinDefaults, type FreeSpinRule } from '../../../free-spin-rule/free-spin-rule.ts'
import type { Context } from '../../../context.ts'
import { dayStart } from '../../../wheel-document/schedule.ts'
import {
  CampaignAnswer,
  CampaignId,
  CampaignsAnswer,
  CampaignSettingsBody,
  shownCampaign,
  shownFigures,
} from '../../answers/campaigns.ts'
import { Reason } from '../../answers/shapes.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { boundCampaign, campaignNamed } from '../campaign-of-request.ts'
import { byId, cursorAfter, lastOfFullPage, pageQuery, picked, readPage } from '../paging.ts'
import { momentIn } from '../query.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'

const CampaignName = Type.Object({ campaign: CampaignId })
const figuresQuery = {
  figures: Type.Optional(
    Type.Boolean({ description: 'True for plays, cost and stock left of each campaign.' }),
  ),
}

/** Campaigns. They are read and changed like wheels. */
export const campaignRoutes = managementRoutes({ tag: 'Campaigns' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/campaigns',
    {
      config: { boundTokens: 'filtered' },
      schema: {
        operationId: 'listCampaigns',
        summary: 'List campaigns',
        description: 'In the order of their ids, `main` included.',
        querystring: Type.Object({
          ...pageQuery,
          archived: Type.Optional(
            Type.Boolean({ description: 'True for the archived campaigns instead of the others.' }),
          ),
          ...figuresQuery,
        }),
        response: { 200: CampaignsAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const merchant = callingMerchant(request)
      const { merchantId } = merchant
      const { start, limit } = readPage(query, byId)
      const page = { after: start[0], limit, isArchived: query.archived ?? false }
      const bound = await boundCampaign(request)
      const campaigns =
        bound === undefined
          ? await untilDone(() => listCampaigns(ctx.db, merchantId, page))
          : [bound].filter(
              ({ slug, archivedAt }) => slug > page.after && (archivedAt !== null) === page.isArchived,
            )
      const now = nowOf(request)
      const figuresOf =
        query.figures === true ? await readFigures(ctx, merchant, { campaigns, now }) : undefined
      return {
        campaigns: picked(
          campaigns.map((campaign) => ({
            ...shownCampaign(campaign, now),
            ...(figuresOf === undefined ? {} : { figures: figuresOf(campaign) }),
          })),
          query,
          CampaignAnswer,
        ),
        next: cursorAfter(lastOfFullPage(campaigns, limit), ({ slug }) => [slug]),
      }
    },
  )

  app.get(
    '/api/v1/campaigns/:campaign',
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readCampaign',
        summary: 'Read a campaign',
        params: CampaignName,
        querystring: Type.Object(figuresQuery),
        response: { 200: CampaignAnswer },
      },
    },
    async (request, reply) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      const shown = tagged(reply, campaign, nowOf(request))
      if (request.query.figures !== true) return shown
      const figures = { campaigns: [campaign], now: nowOf(request) }
      const figuresOf = await readFigures(ctx, callingMerchant(request), figures)
      return { ...shown, figures: figuresOf(campaign) }
    },
  )

  app.post(
    '/api/v1/campaigns',
    {
      config: {
        refusals: [
          'campaign_exists',
          'campaign_limit_reached',
          'campaign_not_found',
          'wheel_not_found',
          'free_spins_over_limit',
        ],
      },
      schema: {
        operationId: 'createCampaign',
        summary: 'Create a campaign',
        description:
          'The campaign has a purse of its own, unless `purse` names a campaign to share spins with. Its wheel may still be a draft.',
        body: Type.Object({
          campaign: CampaignId,
          name: CampaignSettingsBody.properties.name,
          wheel: CampaignSettingsBody.properties.wheel,
          purse: Type.Optional({
            ...CampaignId,
            description: 'The campaign whose spins it shares, such as `main`. It can never be changed.',
          }),
          ...Type.Partial(Type.Omit(CampaignSettingsBody, ['name', 'wheel'])).properties,
        }),
        response: { 200: CampaignAnswer },
      },
    },
    async (request, reply) => {
      const { campaign: slug, purse, ...body } = request.body
      const none = {
        priority: 0,
        opensAt: null,
        closesAt: null,
        texts: {},
        spinLifetimeDays: null,
        freeSpins: null,
      }
      const settings = { ...none, ...settingsIn(body) }
      const order = { ...callingMerchant(request), ...settings, slug, name: body.name, wheel: body.wheel }
      const created = await createCampaign(ctx.db, { ...order, purse }, causeOf(request))
      return tagged(reply, created, nowOf(request))
    },
  )

  app.patch(
    '/api/v1/campaigns/:campaign',
    {
      config: {
        refusals: [
          'campaign_not_found',
          'campaign_archived',
          'campaign_changed',
          'wheel_not_found',
          'wheel_not_publishable',
          'free_spins_over_limit',
          'entry_not_ready',
          'entry_reason_needed',
        ],
      },
      schema: {
        operationId: 'changeCampaign',
        summary: 'Change a campaign',
        description:
          'Omitted settings stay as they are. Once a visitor has entered, another closing time needs a `reason`: it is a new version of the terms. Takes effect in all processes within 5 seconds. With `If-Match`, the change is refused if the campaign has changed since it was read. The wheel of `main` is the wheel that unbound links open.',
        params: CampaignName,
        headers: RevisionHeaders,
        body: Type.Object({
          ...Type.Partial(CampaignSettingsBody).properties,
          isPaused: Type.Optional(Type.Boolean({ description: 'A paused campaign cannot be played.' })),
          reason: Type.Optional({
            ...Reason,
            description: 'Why the closing time changes after visitors have entered.',
          }),
        }),
        response: { 200: CampaignAnswer },
      },
    },
    async (request, reply) => {
      const { isPaused, reason, ...body } = request.body
      const change = { ...settingsIn(body), ...(isPaused === undefined ? {} : { isPaused }) }
      const revision = revisionIn(request.headers)
      const order = { ...keyOf(request, request.params), change, revision }
      const cause = causeOf(request)
      const mayMove = 'closesAt' in change || 'wheel' in change
      const changed = await changeCampaign(ctx.db, order, cause, async (tx, campaign) => {
        if (mayMove) await moveClosingTime(tx, campaign, { reason, cause })
      })
      ctx.tokens.forget(changed)
      return tagged(reply, changed, nowOf(request))
    },
  )

  for (const [method, verb] of [
    ['PUT', 'archive'],
    ['DELETE', 'restore'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/campaigns/:campaign/archive',
      config: { refusals: ['campaign_not_found', 'campaign_is_main', 'campaign_limit_reached'] },
      schema: {
        operationId: `${verb}Campaign`,
        summary: verb === 'archive' ? 'Archive a campaign' : 'Restore an archived campaign',
        description:
          verb === 'archive'
            ? 'Its links stay readable but cannot be played, and it accepts no more spins. Balances are kept.'
            : 'It is as it was before it was archived.',
        params: CampaignName,
        response: { 200: CampaignAnswer },
      },
      handler: async (request, reply) => {
        const order = { ...keyOf(request, request.params), isArchived: verb === 'archive' }
        const cause = causeOf(request)
        const changed = await untilDone(() => archiveCampaign(ctx.db, order, cause))
        ctx.tokens.forget(changed)
        return tagged(reply, changed, nowOf(request))
      },
    })
  }

  app.post(
    '/api/v1/campaigns/:campaign/copies',
    {
      config: {
        refusals: [
          'campaign_not_found',
          'campaign_exists',
          'campaign_limit_reached',
          'wheel_exists',
          'merchant_limit_reached',
        ],
      },
      schema: {
        operationId: 'duplicateCampaign',
        summary: 'Duplicate a campaign',
        description:
          'The copy has a purse of its own and no dates. It gets a copy of the wheel, as a draft with the id and the name of the copy, so that the two have separate stock.',
        params: CampaignName,
        body: Type.Object({
          campaign: CampaignId,
          name: Type.Optional(CampaignSettingsBody.properties.name),
          sharesWheel: Type.Optional(
            Type.Boolean({ description: 'True to use the same wheel, with the same stock.' }),
          ),
        }),
        response: { 200: CampaignAnswer },
      },
    },
    async (request, reply) => {
      const { campaign: copy, name, sharesWheel = false } = request.body
      const order = { ...keyOf(request, request.params), copy, name, sharesWheel }
      return tagged(reply, await duplicateCampaign(ctx.db, order, causeOf(request)), nowOf(request))
    },
  )
})

/** The figures of all these campaigns, read together. */
async function readFigures(
  ctx: Context,
  merchant: Merchant,
  { campaigns, now }: { campaigns: readonly Campaign[]; now: Date },
) {
  const published = campaigns.filter(({ wheelVersion }) => wheelVersion !== null)
  const [counted, stock, countedUntil] = await untilDone(() =>
    Promise.all([
      readCampaignFigures(ctx.db, merchant.merchantId),
      readStockLeft(
        ctx.db,
        published.map(({ wheelId, schedule }) => ({ wheelId, today: dayStart(schedule, now) })),
        { revealedIfEndedBy: new Date(now.getTime() - runRevealDelayMs) },
      ),
      readCounted(ctx.db, 'counts', merchant),
    ]),
  )
  return (campaign: Campaign) =>
    shownFigures(campaign, counted.get(campaign.campaignId) ?? noFigures, { stock, countedUntil })
}

function keyOf(request: FastifyRequest, { campaign }: { campaign: string }) {
  return { merchantId: callingMerchant(request).merchantId, slug: campaign }
}

type SettingsBody = Partial<Omit<CampaignSettings, 'opensAt' | 'closesAt' | 'freeSpins'>> & {
  freeSpins?: (Partial<FreeSpinRule> & { every: string }) | null
  opensAt?: string | null
  closesAt?: string | null
}

function settingsIn({ opensAt, closesAt, freeSpins, ...rest }: SettingsBody): Partial<CampaignSettings> {
  return {
    ...rest,
    ...(freeSpins === undefined
      ? {}
      : { freeSpins: freeSpins && { ...freeSpinDefaults, streaks: [], ...freeSpins } }),
    ...(opensAt === undefined ? {} : { opensAt: momentIn('opensAt', opensAt ?? undefined) }),
    ...(closesAt === undefined ? {} : { closesAt: momentIn('closesAt', closesAt ?? undefined) }),
  }
}

function tagged(reply: FastifyReply, campaign: Campaign, now: Date): CampaignAnswer {
  reply.header('ETag', `"${campaign.revision}"`)
  return shownCampaign(campaign, now)
}
