import { recordChanges } from '../../audit-log/audit-log.ts'
import { readCampaignRef } from '../../campaigns/campaigns.ts'
import { untilDone } from '../../db/database.ts'
import { testMessagesPerHourMax } from '../../mails/mail-kinds.ts'
import { findMerchant, refuseSuspended } from '../../merchants/merchants.ts'
import { exampleMessage } from '../../messages/example-message.ts'
import { RateLimit } from '../transport/rate-limit.ts'
import { Refusal } from '../../refusals.ts'
import { mayUse } from '../../staff/roles.ts'
import { timeOf } from '../../test-clock.ts'
import { MessageExampleBody, TestMessageAnswer } from '../answers/messages.ts'
import { exampleOrder } from '../manage/campaigns/message-text-routes.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'
import { requireStaff, roleMissing, staffCause } from './staff-session.ts'

/** A message as players get it, to one's own mailbox and to no other: it has the operator's sender. */
export const testMessageRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  const counted = { counted: 'test messages to you', max: testMessagesPerHourMax }
  const limit = new RateLimit({ name: 'test-messages', ...counted, windowSeconds: 3_600 })

  app.post(
    '/api/v1/messages/test',
    {
      config: {
        refusals: [
          'merchant_not_found',
          'campaign_not_found',
          'role_missing',
          'merchant_suspended',
          'mail_not_set',
          'mail_not_sent',
          'address_not_proven',
        ],
      },
      schema: {
        operationId: 'sendTestMessage',
        summary: 'Send a message to yourself',
        description:
          'To the address of your account, if a link that only its mailbox got was used. What it says is about a prize and spins that do not exist.',
        body: MessageExampleBody,
        response: { 200: TestMessageAnswer },
      },
    },
    async (request) => {
      const caller = await requireStaff(request)
      const { staff, role, merchantId } = caller
      if (!mayUse(role, { areas: ['Messages'], isChange: true })) throw roleMissing(role)
      if (ctx.mail === undefined) throw new Refusal('mail_not_set')
      if (staff.emailProvenAt === null) throw new Refusal('address_not_proven')
      const { campaign: slug } = request.body
      const campaign =
        slug === undefined ? undefined : await untilDone(() => readCampaignRef(ctx.db, merchantId, slug))
      if (slug !== undefined && campaign === undefined) throw new Refusal('campaign_not_found')
      const order = exampleOrder(request.body, campaign?.campaignId ?? null)
      limit.refuseOver(limit.use(String(staff.staffId)))
      const merchant = await untilDone(() =>
        findMerchant(ctx.db, request.headers['wheelhouse-merchant'] as string),
      )
      refuseSuspended(merchant)
      const needs = { db: ctx.db, gameUrl: ctx.config.gameUrl }
      const now = timeOf(merchant, ctx.now())
      const { fromName, ...message } = await untilDone(() =>
        exampleMessage(needs, merchant, { ...order, now }),
      )
      const mail = { ...message, to: staff.email, ...(fromName === '' ? {} : { fromName }) }
      if (!(await ctx.mail.send(mail))) throw new Refusal('mail_not_sent')
      const subject = { kind: 'merchant', id: '' }
      const after = { kind: order.kind, language: order.language }
      const change = { merchantId, action: 'messages.test', subject, after }
      await untilDone(() => recordChanges(ctx.db, [change], staffCause(request, caller)))
      return { to: staff.email }
    },
  )
})
