import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Campaign } from '../../../campaigns/campaign.ts'
import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import { changeEntry, removeEntry } from '../../../entries/change-entry.ts'
import { type CampaignEntry, listForms, readEntry } from '../../../entries/entry-rows.ts'
import { warningsOf } from '../../../entries/entry-warnings.ts'
import { entrySettingsBytesMax } from '../../../entries/entry-limits.ts'
import { Refusal } from '../../../refusals.ts'
import { isTest } from '../../../test-clock.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import {
  EntrySettingsAnswer,
  EntrySettingsBody,
  EntryVersion,
  EntryVersionsAnswer,
} from '../../answers/entry-settings.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { cursorAfter, lastOfFullPage, newestFirst, pageQuery, picked, readPage } from '../paging.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'

const CampaignName = Type.Object({ campaign: CampaignId })

/** How visitors enter a campaign. */
export const entrySettingsRoutes = managementRoutes({ tag: 'Campaigns' }, async (app) => {
  const { ctx } = app
  const url = '/api/v1/campaigns/:campaign/entry'

  app.get(
    url,
    {
      config: { refusals: ['campaign_not_found', 'entry_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readEntrySettings',
        summary: 'Read the entry of a campaign',
        params: CampaignName,
        response: { 200: EntrySettingsAnswer },
      },
    },
    async (request, reply) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      const entry = await untilDone(() => readEntry(ctx.db, campaign))
      if (entry === undefined) throw new Refusal('entry_not_found')
      return shown(request, reply, { campaign, entry })
    },
  )

  app.put(
    url,
    {
      bodyLimit: entrySettingsBytesMax,
      config: {
        refusals: [
          'campaign_not_found',
          'campaign_changed',
          'entry_not_ready',
          'entry_reason_needed',
          'entry_mail_missing',
        ],
        boundTokens: 'checked',
      },
      schema: {
        operationId: 'changeEntrySettings',
        summary: 'Set up the entry of a campaign',
        description:
          'Other fields or terms are a new version, for visitors who enter from now on; the versions before stay readable. Once somebody has entered, other terms need a `reason`. Before visitors can enter, the terms must be complete, and the campaign must have an end.',
        params: CampaignName,
        headers: RevisionHeaders,
        body: EntrySettingsBody,
        response: { 200: EntrySettingsAnswer },
      },
    },
    async (request, reply) => {
      const { reason, ...body } = request.body
      const campaign = await campaignNamed(request, request.params.campaign)
      const change = {
        campaign,
        settings: { ...body, terms: { ...noTerms, ...body.terms } },
        reason,
        revision: revisionIn(request.headers),
        canSendCodes: canSendCodes(ctx, request),
      }
      const entry = await changeEntry(ctx.db, change, causeOf(request))
      return shown(request, reply, { campaign, entry })
    },
  )

  app.get(
    `${url}/versions`,
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'listEntryVersions',
        summary: 'List the versions of form and terms',
        description: 'Newest first. Each entry names the version that its visitor saw.',
        params: CampaignName,
        querystring: Type.Object(pageQuery),
        response: { 200: EntryVersionsAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const campaign = await campaignNamed(request, request.params.campaign)
      const { start, limit } = readPage(query, newestFirst)
      const forms = await untilDone(() => listForms(ctx.db, campaign, { before: start[0], limit }))
      const versions = forms.map(({ actor, closesAt, createdAt, ...form }) => ({
        ...form,
        by: actor,
        closesAt: closesAt?.toISOString() ?? null,
        createdAt: createdAt.toISOString(),
      }))
      return {
        versions: picked(versions, query, EntryVersion),
        next: cursorAfter(lastOfFullPage(forms, limit), ({ version }) => [version]),
      }
    },
  )

  app.delete(
    url,
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'removeEntrySettings',
        summary: 'Take the entry of a campaign away',
        description:
          'Visitors can no longer enter. Entries that were made stay, and with them the settings, with `isOpen` false: terms, forms to claim and the time for which answers are kept still bind.',
        params: CampaignName,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      await removeEntry(ctx.db, campaign, causeOf(request))
      return {}
    },
  )
})

const noTerms = {
  organiser: '',
  postalAddress: '',
  whoMayEnter: '',
  limitPerPerson: '',
  howToClaim: '',
  privacyAddress: '',
  texts: {},
  address: null,
}

/** At a test merchant, codes are read in the console instead of mailed. */
function canSendCodes(ctx: Context, request: FastifyRequest): boolean {
  return ctx.mail !== undefined || isTest(callingMerchant(request))
}

async function shown(
  request: FastifyRequest,
  reply: FastifyReply,
  { campaign, entry }: { campaign: Campaign; entry: CampaignEntry },
): Promise<EntrySettingsAnswer> {
  const { ctx } = request.server
  const merchant = callingMerchant(request)
  const { merchantId: _, campaignId: __, entered, verified, closesAt, changedAt, ...settings } = entry
  const warnings = await untilDone(() =>
    warningsOf(ctx.db, { campaign, entry, canSendCodes: canSendCodes(ctx, request) }),
  )
  reply.header('ETag', `"${entry.revision}"`)
  return {
    ...settings,
    campaign: campaign.slug,
    address: `${ctx.config.gameUrl}/play/${merchant.slug}/${campaign.slug}`,
    closesAt: closesAt?.toISOString() ?? null,
    entries: { entered, verified },
    warnings,
    changedAt: changedAt.toISOString(),
  }
}
