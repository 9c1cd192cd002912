import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readCampaignRef } from '../../campaigns/campaigns.ts'
import { Refusal } from '../../refusals.ts'
import { listAlertChoices, removeAlertChoice, setAlertChoice } from '../../staff-alerts/alert-choices.ts'
import { CampaignId } from '../answers/campaigns.ts'
import { AlertsAnswer, AlertsBody, CampaignAlertsBody, shownAlerts } from '../answers/staff-alerts.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'
import { requireStaff, type StaffCaller } from './staff-session.ts'

const CampaignName = Type.Object({ campaign: CampaignId })

/** What a staff member wants to be told by e-mail about a merchant. Everybody chooses for themselves only. */
export const alertRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  const url = '/api/v1/account/alerts'
  const refusals = ['merchant_not_found'] as const

  app.get(
    url,
    {
      config: { refusals },
      schema: {
        operationId: 'readAlerts',
        summary: 'Read which alerts you get by e-mail',
        response: { 200: AlertsAnswer },
      },
    },
    async (request) => answerTo(await callerOf(request)),
  )

  app.put(
    url,
    {
      config: { refusals },
      schema: {
        operationId: 'chooseAlerts',
        summary: 'Choose which alerts you get by e-mail',
        description: 'For all campaigns that have no choice of their own.',
        body: AlertsBody,
        response: { 200: AlertsAnswer },
      },
    },
    async (request) => {
      const caller = await callerOf(request)
      const { causes } = request.body
      await setAlertChoice(ctx.db, caller, { campaignId: null, causes, now: ctx.now() })
      return answerTo(caller)
    },
  )

  app.put(
    `${url}/:campaign`,
    {
      config: { refusals: [...refusals, 'campaign_not_found'] },
      schema: {
        operationId: 'chooseCampaignAlerts',
        summary: 'Choose which alerts you get about a campaign',
        params: CampaignName,
        body: CampaignAlertsBody,
        response: { 200: AlertsAnswer },
      },
    },
    async (request) => {
      const caller = await callerOf(request)
      const campaignId = await numberOf(caller, request.params.campaign)
      const { causes } = request.body
      await setAlertChoice(ctx.db, caller, { campaignId, causes, now: ctx.now() })
      return answerTo(caller)
    },
  )

  app.delete(
    `${url}/:campaign`,
    {
      config: { refusals: [...refusals, 'campaign_not_found'] },
      schema: {
        operationId: 'forgetCampaignAlerts',
        summary: 'Get the same alerts about a campaign as about all',
        params: CampaignName,
        response: { 200: AlertsAnswer },
      },
    },
    async (request) => {
      const caller = await callerOf(request)
      await removeAlertChoice(ctx.db, caller, await numberOf(caller, request.params.campaign))
      return answerTo(caller)
    },
  )

  async function callerOf(request: FastifyRequest): Promise<StaffCaller & { staffId: number }> {
    const caller = await requireStaff(request)
    return { ...caller, staffId: caller.staff.staffId }
  }

  async function numberOf({ merchantId }: StaffCaller, slug: string): Promise<number> {
    const campaign = await readCampaignRef(ctx.db, merchantId, slug)
    if (campaign === undefined) throw new Refusal('campaign_not_found')
    return campaign.campaignId
  }

  async function answerTo(caller: StaffCaller & { staffId: number }): Promise<AlertsAnswer> {
    return shownAlerts(caller.staff, await listAlertChoices(ctx.db, caller), ctx.mail !== undefined)
  }
})
