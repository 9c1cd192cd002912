import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { entryFigureDaysMax } from '../../../entries/entry-limits.ts'
import { readEntryFigures } from '../../../entries/entry-figures.ts'
import { reportDaysDefault } from '../../../limits.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { EntryFiguresAnswer } from '../../answers/entry-list.ts'
import { nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { wrongQuery } from '../query.ts'
import { reportQuery } from '../reports/report-queries.ts'

/** From the page to the claimed prize, for all who may read the campaign: nothing is about a single visitor. */
export const entryFigureRoutes = managementRoutes({ tag: 'Campaigns' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/campaigns/:campaign/entry/figures',
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readEntryFigures',
        summary: 'Read how many visitors came how far',
        description: `By day (UTC), at most ${entryFigureDaysMax} days. People count on the day on which they entered. \`opened\`, \`submitted\` and \`refusals\` are up to a minute old; a process that is killed loses its last minute of them. Figures of very many visitors are some minutes old.`,
        params: Type.Object({ campaign: CampaignId }),
        querystring: Type.Object({ from: reportQuery.from, to: reportQuery.to }),
        response: { 200: EntryFiguresAnswer },
      },
    },
    async (request): Promise<EntryFiguresAnswer> => {
      const campaign = await campaignNamed(request, request.params.campaign)
      const { from, to } = daysOf(request.query, nowOf(request))
      await ctx.happenings.flush()
      const { merchantId, campaignId } = campaign
      const figures = await ctx.costlyReads.read(`figures ${merchantId} ${campaignId} ${from} ${to}`, () =>
        untilDone(() => readEntryFigures(ctx.db, campaign, { from, to })),
      )
      return { campaign: campaign.slug, from, to, ...figures }
    },
  )
})

function daysOf(query: { from?: string; to?: string }, now: Date): { from: string; to: string } {
  const to = query.to ?? now.toISOString().slice(0, 10)
  const last = Temporal.PlainDate.from(to)
  const from = query.from ?? last.subtract({ days: reportDaysDefault - 1 }).toString()
  const length = Temporal.PlainDate.from(from).until(last).days + 1
  if (length < 1) throw wrongQuery('to', 'must not be before `from`')
  if (length > entryFigureDaysMax)
    throw wrongQuery('from', `must be at most ${entryFigureDaysMax} days before \`to\``)
  return { from, to }
}
