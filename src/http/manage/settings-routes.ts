import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import {
  balanceMax,
  linkLifetimeSecondsMax,
  linkLifetimeSecondsMin,
  spinLifetimeDaysMax,
  spinNumberCeiling,
  staffDailyGrantCeiling,
} from '../../limits.ts'
import { changeSettings, revisionOf, settingsOf } from '../../merchants/change-settings.ts'
import { findMerchant, type Merchant } from '../../merchants/merchants.ts'
import { originPattern } from '../../slug.ts'
import { isTimeZone } from '../../wheels/schedule.ts'
import { type authenticator, callingMerchant, causeOf } from '../authenticate.ts'
import { wrongQuery } from './paging.ts'
import { merchantRefusals, nullable, problemResponses, Time } from '../answers/common.ts'

const Settings = Type.Object({
  strictPlayers: Type.Boolean({ description: 'increaseSpin refuses players that never had a game link.' }),
  grantMax: Type.Integer({
    minimum: 1,
    maximum: spinNumberCeiling,
    description: 'Spins at most in one call.',
    examples: [1000],
  }),
  dailyGrantMax: nullable(
    Type.Integer({
      minimum: 1,
      maximum: balanceMax,
      description: 'Spins at most per player and day (UTC).',
    }),
  ),
  supportDailyGrantMax: Type.Integer({
    minimum: 0,
    maximum: staffDailyGrantCeiling,
    description:
      "Spins at most that a person with the role support gives on one day of the merchant's time zone.",
    examples: [100],
  }),
  linkLifetimeSeconds: Type.Integer({ minimum: linkLifetimeSecondsMin, maximum: linkLifetimeSecondsMax }),
  spinLifetimeDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: spinLifetimeDaysMax,
      description: 'Spins expire so many days after the player last got some; null for never.',
    }),
  ),
  embedOrigins: Type.Array(Type.String({ maxLength: 300, pattern: originPattern }), {
    maxItems: 50,
    description: 'The origins that may show the game in a frame.',
  }),
  timeZone: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,59}$',
    description: "Days in reports are this zone's.",
    examples: ['Europe/Berlin'],
  }),
})

const MerchantAnswer = Type.Object(
  {
    merchant: Type.String(),
    name: Type.String(),
    createdAt: Time,
    ...Settings.properties,
  },
  { title: 'Merchant' },
)

/** The merchant itself, and what it may decide. */
export function settingsRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app
    const common = { tags: ['Merchant settings'], security: [{ serviceToken: [] }] }

    app.get(
      '/api/v1/merchant',
      {
        onRequest: authenticate('manage', 'read'),
        schema: {
          ...common,
          operationId: 'readMerchant',
          summary: 'Read the merchant and its settings',
          response: { 200: MerchantAnswer, ...problemResponses(...merchantRefusals) },
        },
      },
      async (request, reply) =>
        tagged(reply, await untilDone(() => findMerchant(ctx.db, callingMerchant(request).slug))),
    )

    app.patch(
      '/api/v1/merchant',
      {
        onRequest: authenticate('manage'),
        schema: {
          ...common,
          operationId: 'changeMerchant',
          summary: 'Change settings',
          description:
            'Those that are named; the others stay. Holds everywhere within 5 seconds. With `If-Match`, settings that somebody else has changed are refused.',
          headers: Type.Object({ 'if-match': Type.Optional(Type.String({ pattern: '^"[0-9a-f]{16}"$' })) }),
          body: Type.Partial(Settings),
          response: { 200: MerchantAnswer, ...problemResponses(...merchantRefusals, 'settings_changed') },
        },
      },
      async (request, reply) => {
        const { body } = request
        if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
          throw wrongQuery('timeZone', 'must be the name of a time zone, like Europe/Berlin')
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
  }
}

function tagged(reply: FastifyReply, merchant: Merchant): Static<typeof MerchantAnswer> {
  reply.header('ETag', `"${revisionOf(merchant)}"`)
  return {
    merchant: merchant.slug,
    name: merchant.name,
    createdAt: merchant.createdAt.toISOString(),
    ...settingsOf(merchant),
  }
}
