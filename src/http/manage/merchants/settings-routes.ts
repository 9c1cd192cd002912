import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { changeSettings, revisionOf } from '../../../merchants/change-settings.ts'
import { findMerchant, type Merchant } from '../../../merchants/merchants.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { MerchantAnswer, Settings, shownMerchant } from '../../answers/settings.ts'
import { checkSettings } from './check-settings.ts'

/** The merchant and its settings. */
export const settingsRoutes = managementRoutes({ tag: 'Merchant settings' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/merchant',
    {
      schema: {
        operationId: 'readMerchant',
        summary: 'Read the merchant and its settings',
        response: { 200: MerchantAnswer },
      },
    },
    async (request, reply) =>
      tagged(reply, await untilDone(() => findMerchant(ctx.db, callingMerchant(request).slug))),
  )

  app.patch(
    '/api/v1/merchant',
    {
      config: { refusals: ['settings_changed'] },
      schema: {
        operationId: 'changeMerchant',
        summary: 'Change settings',
        description:
          'Omitted settings stay as they are. Takes effect in all processes within 5 seconds. With `If-Match`, the change is refused if the settings have changed since they were read.',
        headers: Type.Object({ 'if-match': Type.Optional(Type.String({ pattern: '^"[0-9a-f]{16}"$' })) }),
        body: Type.Partial(Settings),
        response: { 200: MerchantAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request
      checkSettings(body)
      const order = {
        slug: callingMerchant(request).slug,
        change: body,
        revision: request.headers['if-match']?.slice(1, -1),
      }
      const changed = await changeSettings(ctx.db, order, causeOf(request))
      ctx.tokens.forget(changed)
      return tagged(reply, changed)
    },
  )
})

function tagged(reply: FastifyReply, merchant: Merchant): MerchantAnswer {
  reply.header('ETag', `"${revisionOf(merchant)}"`)
  return shownMerchant(merchant)
}
