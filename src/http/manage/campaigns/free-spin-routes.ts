import { Type } from 'typebox'
import { checkFreeSpins } from '../../../campaigns/check-free-spins.ts'
import { untilDone } from '../../../db/database.ts'
import { freeSpinDefaults, minutesOf } from '../../../free-spin-rule/free-spin-rule.ts'
import { previewDaysMax } from '../../../free-spin-rule/free-spin-limits.ts'
import { previewFreeSpins } from '../../../free-spins/preview.ts'
import { previewDays } from '../../../free-spins/preview-days.ts'
import { countStreaks } from '../../../free-spins/streak-report.ts'
import { within } from '../../../wheel-document/schedule.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { FreeSpinPreview, FreeSpinRuleBody, StreakCount, StreaksAnswer } from '../../answers/free-spins.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { refuseUnknownZone } from '../query.ts'
import { jsonOrFile, reportFormatQuery, sendReport } from '../reports/report-answers.ts'

const CampaignName = Type.Object({ campaign: CampaignId })

/** Free spins of a campaign: what a rule would give, and the streaks that it has made. */
export const freeSpinRoutes = managementRoutes({ tag: 'Campaigns' }, async (app) => {
  const { ctx } = app

  app.post(
    '/api/v1/campaigns/:campaign/free-spin-preview',
    {
      config: {
        refusals: ['campaign_not_found', 'free_spins_over_limit'],
        changesNothing: true,
        boundTokens: 'checked',
      },
      schema: {
        operationId: 'previewFreeSpins',
        summary: 'Preview a rule for free spins',
        description:
          'What a new player gets from now on, who never misses a period. Opening hours and dates of the campaign count. Changes nothing.',
        params: CampaignName,
        body: Type.Object({
          freeSpins: FreeSpinRuleBody,
          timeZone: Type.Optional(
            Type.String({
              maxLength: 64,
              description: "The player's time zone; by default the wheel's.",
              examples: ['Europe/Berlin'],
            }),
          ),
          days: Type.Optional(
            Type.Integer({ minimum: 1, maximum: previewDaysMax, description: '14 by default.' }),
          ),
        }),
        response: { 200: FreeSpinPreview },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { freeSpins, days = 14 } = request.body
      const campaign = await campaignNamed(request, request.params.campaign)
      const timeZone = request.body.timeZone ?? campaign.schedule.timeZone
      refuseUnknownZone(timeZone)
      const rule = { ...freeSpinDefaults, streaks: [], ...freeSpins }
      const now = nowOf(request)
      await untilDone(() => checkFreeSpins(ctx.db, { merchantId, rule }, now))
      const schedule = within(campaign.schedule, campaign)
      const spins = previewFreeSpins(rule, { schedule, timeZone, now, days })
      return {
        timeZone: rule.zone === 'player' ? timeZone : campaign.schedule.timeZone,
        days: previewDays(schedule, { timeZone, now, count: days }).map(({ startsAt, endsAt, ...rest }) => ({
          startsAt: startsAt.toISOString(),
          endsAt: endsAt.toISOString(),
          ...rest,
        })),
        spins: spins.map(({ at, expiresAt, ...rest }) => ({
          at: at.toISOString(),
          expiresAt: expiresAt.toISOString(),
          ...rest,
        })),
      }
    },
  )

  app.get(
    '/api/v1/campaigns/:campaign/streaks',
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'reportStreaks',
        summary: 'Count the streaks of a campaign',
        description: 'By their length, of players who have collected free spins within the last two periods.',
        params: CampaignName,
        querystring: Type.Object(reportFormatQuery),
        response: jsonOrFile(StreaksAnswer),
      },
    },
    async (request, reply) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      const every = campaign.freeSpins?.every ?? 'day'
      const minutes = minutesOf(every) ?? (every === 'week' ? 7 : 1) * 24 * 60
      const since = new Date(nowOf(request).getTime() - 2 * minutes * 60_000)
      const streaks = await untilDone(() => countStreaks(ctx.db, campaign, since))
      return sendReport(reply, request.query, {
        json: { streaks } satisfies StreaksAnswer,
        file: { name: 'streaks', row: StreakCount, rows: streaks },
      })
    },
  )
})
