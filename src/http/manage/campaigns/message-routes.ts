import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { recordChanges } from '../../../audit-log/audit-log.ts'
import { untilDone } from '../../../db/database.ts'
import { readStoppedAt, setStopped } from '../../../mails/mail-cursors.ts'
import {
  changeMessageSettings,
  completed,
  type MessageSettings,
  readMessageSettings,
} from '../../../messages/message-settings.ts'
import { Refusal } from '../../../refusals.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { MessageSettingsAnswer, MessageSettingsBody, MessageStopAnswer } from '../../answers/messages.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'

const CampaignName = Type.Object({ campaign: CampaignId })

/** Which messages players get. */
export const messageRoutes = managementRoutes({ tag: 'Messages' }, async (app) => {
  const { ctx } = app
  const url = '/api/v1/campaigns/:campaign/messages'

  app.get(
    url,
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readMessageSettings',
        summary: 'Read which messages a campaign sends',
        params: CampaignName,
        response: { 200: MessageSettingsAnswer },
      },
    },
    async (request, reply) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      return shown(reply, await untilDone(() => readMessageSettings(ctx.db, campaign)))
    },
  )

  app.put(
    url,
    {
      config: {
        refusals: ['campaign_not_found', 'campaign_changed', 'mail_not_set'],
        boundTokens: 'checked',
      },
      schema: {
        operationId: 'changeMessageSettings',
        summary: 'Choose which messages a campaign sends',
        description:
          'Takes effect at once, for prizes that are won from now on. A message that waits is not sent if its kind is switched off.',
        params: CampaignName,
        headers: RevisionHeaders,
        body: MessageSettingsBody,
        response: { 200: MessageSettingsAnswer },
      },
    },
    async (request, reply) => {
      const campaign = await campaignNamed(request, request.params.campaign)
      const settings = completed(request.body)
      const isAnyOn = Object.values(settings.kinds).some(({ isOn }) => isOn)
      // Without mail, the address for answers still is the one for objections, in the wallet.
      if (ctx.mail === undefined && isAnyOn) throw new Refusal('mail_not_set')
      const change = { campaign, settings, revision: revisionIn(request.headers) }
      return shown(reply, await changeMessageSettings(ctx.db, change, causeOf(request)))
    },
  )

  app.get(
    '/api/v1/messages/stop',
    {
      schema: {
        operationId: 'readMessageStop',
        summary: 'Read whether messages are stopped',
        response: { 200: MessageStopAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      return { stoppedAt: (await untilDone(() => readStoppedAt(ctx.db, merchantId)))?.toISOString() ?? null }
    },
  )

  for (const [method, operationId, summary] of [
    ['PUT', 'stopMessages', 'Stop all messages'],
    ['DELETE', 'resumeMessages', 'Send messages again'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/messages/stop',
      schema: {
        operationId,
        summary,
        description:
          'Of all campaigns, at once. Messages that are of no use any more when they are sent again are dropped.',
        response: { 200: MessageStopAnswer },
      },
      handler: async (request) => {
        const { merchantId } = callingMerchant(request)
        const cause = causeOf(request)
        const stoppedAt = method === 'PUT' ? cause.now : null
        await untilDone(() =>
          ctx.db.transaction(async (tx) => {
            await setStopped(tx, merchantId, stoppedAt)
            const action = stoppedAt === null ? 'messages.resume' : 'messages.stop'
            await recordChanges(tx, [{ merchantId, action, subject: { kind: 'merchant', id: '' } }], cause)
          }),
        )
        return { stoppedAt: stoppedAt?.toISOString() ?? null }
      },
    })
  }
})

function shown(
  reply: FastifyReply,
  { revision, replyTo, kinds }: MessageSettings & { revision: number },
): Static<typeof MessageSettingsAnswer> {
  reply.header('ETag', `"${revision}"`)
  return { replyTo, kinds, revision }
}
