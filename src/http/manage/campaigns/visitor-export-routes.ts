import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { readFieldsEver } from '../../../entries/entry-rows.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { exportDescription, exportedRows, formatQuery, sendRows } from '../exports/export-routes.ts'
import { recordExport } from '../exports/record-export.ts'
import { cellsOf, exportedVisitor, visitorsOf } from './visitor-export.ts'
import { visitorFilterOf, visitorFilters } from './visitor-filters.ts'

/** Addresses and answers leave here: for owners and editors, and for tokens that may manage. */
export const visitorExportRoutes = managementRoutes({ tag: 'Exports', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/campaigns/:campaign/entries/export',
    {
      config: { refusals: ['campaign_not_found'], reads: 'exports', boundTokens: 'checked' },
      schema: {
        operationId: 'exportVisitorEntries',
        summary: 'Export the entries of visitors, newest first',
        description: `CSV and workbooks have a column for each field that the form ever had, and three for each consent. ${exportDescription}`,
        params: Type.Object({ campaign: CampaignId }),
        querystring: Type.Object({ ...formatQuery, ...visitorFilters }),
        response: { 200: exportedRows },
      },
    },
    async (request, reply) => {
      const { query } = request
      const campaign = await campaignNamed(request, request.params.campaign)
      const filter = await visitorFilterOf(request, query)
      reply.raw.once('close', ctx.exportPlaces.enter(callingMerchant(request).merchantId))
      const { address, playerId, ...told } = query
      const isSearch = address !== undefined || playerId !== undefined
      const recorded = { ...told, campaign: campaign.slug, ...(isSearch ? { search: 'a person' } : {}) }
      await recordExport(request, { list: 'visitor-entries', query: recorded })
      const visitors = visitorsOf(ctx, campaign, filter)
      const fields = await untilDone(() => readFieldsEver(ctx.db, campaign))
      const rows = query.format === 'csv' || query.format === 'xlsx' ? cellsOf(visitors) : visitors
      return sendRows(reply, { name: 'visitor-entries', row: exportedVisitor(fields), query, rows }) as never
    },
  )
})
