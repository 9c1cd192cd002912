import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { listCodes } from '../../../entries/list-codes.ts'
import { listEntries } from '../../../entries/list-entries.ts'
import { Refusal } from '../../../refusals.ts'
import { isTest } from '../../../test-clock.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import {
  EntryCodesAnswer,
  shownVisitor,
  VisitorEntriesAnswer,
  VisitorEntry,
} from '../../answers/entry-list.ts'
import { uuidPattern } from '../../answers/patterns.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { visitorFilterOf, visitorFilters } from './visitor-filters.ts'
import { cursorAfter, lastOfFullPage, pageKey, pageQuery, picked, readPage } from '../paging.ts'

/** Newest first. */
const entryKey = pageKey<[number, string]>(
  [Type.Integer({ minimum: 0, maximum: 8.64e15 }), Type.String({ pattern: uuidPattern })],
  [253_402_300_799_000, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
)

/** Who entered a campaign, with what they typed: for owners, editors and support, and for tokens that may manage. */
export const visitorRoutes = managementRoutes({ tag: 'Campaigns', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/campaigns/:campaign/entries',
    {
      config: { refusals: ['campaign_not_found'], reads: 'personal data', boundTokens: 'checked' },
      schema: {
        operationId: 'listVisitorEntries',
        summary: 'List the entries of visitors',
        description:
          'Newest first. Addresses and answers are decrypted for this answer. Send marketing mail only where the consent is `confirmed` and not withdrawn. An erased visitor stays as a line without address, answers and consents.',
        params: Type.Object({ campaign: CampaignId }),
        querystring: Type.Object({ ...pageQuery, ...visitorFilters }),
        response: { 200: VisitorEntriesAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const campaign = await campaignNamed(request, request.params.campaign)
      const { start, limit } = readPage(query, entryKey)
      const filter = await visitorFilterOf(request, query)
      const page = { before: new Date(start[0]), beforeId: start[1], limit, filter }
      const entries = await untilDone(() => listEntries(ctx.db, campaign, page))
      return {
        entries: picked(entries.map(shownVisitor), query, VisitorEntry),
        next: cursorAfter(lastOfFullPage(entries, limit), ({ enteredAt, id }) => [enteredAt.getTime(), id]),
      }
    },
  )

  app.get(
    '/api/v1/campaigns/:campaign/entries/codes',
    {
      config: {
        refusals: ['campaign_not_found', 'test_merchant_needed'],
        reads: 'personal data',
        boundTokens: 'checked',
      },
      schema: {
        operationId: 'listEntryCodes',
        summary: 'List the codes that visitors are to type',
        description:
          'Only at a test merchant, which mails no codes: the codes that are accepted now, newest first, at most 100.',
        params: Type.Object({ campaign: CampaignId }),
        response: { 200: EntryCodesAnswer },
      },
    },
    async (request) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      if (!isTest(callingMerchant(request))) throw new Refusal('test_merchant_needed')
      const codes = await untilDone(() => listCodes(ctx.db, campaign, nowOf(request)))
      return { codes: codes.map((one) => ({ ...one, expiresAt: one.expiresAt.toISOString() })) }
    },
  )
})
