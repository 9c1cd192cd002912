import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { refusalReasons } from '../../../prize-kinds/hold-rule.ts'
import { changeHold } from '../../../prizes/change-hold.ts'
import type { HoldDecision } from '../../../prizes/decide-hold.ts'
import { readPrizes } from '../../../prizes/prize-lists.ts'
import { findPrize } from '../../../prizes/settle-prizes.ts'
import { Refusal } from '../../../refusals.ts'
import { mayDecideHolds } from '../../../staff/roles.ts'
import { PlayName, WhichPlayer } from '../../answers/plays.ts'
import { PrizeAnswer, shownPrize } from '../../answers/prizes.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { roleMissing } from '../../console/staff-session.ts'
import { managementRoutes } from '../../route-groups.ts'
import { prizeFor } from '../masked-codes.ts'

/** Decisions about held prizes. Tokens that are bound to a campaign can't decide, nor can people at a till. */
export const holdRoutes = managementRoutes({ tag: 'Prizes' }, async (app) => {
  const { ctx } = app
  const config = {
    refusals: ['play_not_found', 'play_ambiguous', 'prize_not_held'],
  } as const
  const shared = { params: PlayName, querystring: WhichPlayer, response: { 200: PrizeAnswer } }
  const who = 'Needs the scope `manage`; among staff, the role owner or editor. A repeat changes nothing.'

  app.put(
    '/api/v1/prizes/:playId/release',
    {
      config,
      schema: {
        ...shared,
        operationId: 'releasePrize',
        summary: 'Release a held prize',
        description: `The player gets the prize, and its time to claim begins. ${who}`,
        body: Type.Object({}, { additionalProperties: false }),
      },
    },
    async (request, reply) =>
      decide(request, reply, { ...nameOf(request), decision: 'released', reason: null }),
  )

  app.put(
    '/api/v1/prizes/:playId/refusal',
    {
      config,
      schema: {
        ...shared,
        operationId: 'refusePrize',
        summary: 'Refuse a held prize',
        description: `The player does not get the prize, and reads the reason. Its unit goes back into its stock, and its code into its pool: nobody has seen it. ${who}`,
        body: Type.Object(
          {
            reason: Type.Enum([...refusalReasons], {
              description: 'What the player reads, in its language. `terms_not_met` says least.',
            }),
          },
          { additionalProperties: false },
        ),
      },
    },
    async (request, reply) =>
      decide(request, reply, { ...nameOf(request), decision: 'refused', reason: request.body.reason }),
  )

  async function decide(
    request: FastifyRequest,
    reply: FastifyReply,
    order: ReturnType<typeof nameOf> & HoldDecision,
  ) {
    if (request.staff !== undefined && !mayDecideHolds(request.staff.role))
      throw roleMissing(request.staff.role)
    const outcome = await changeHold(ctx, order, causeOf(request))
    if (outcome === 'replayed') reply.header('Idempotent-Replayed', 'true')
    else ctx.events.sequencer.nudge()
    const play = await findPrize(ctx.db, order)
    const [prize] = await untilDone(() => readPrizes(ctx.db, [play], nowOf(request)))
    if (prize === undefined) throw new Refusal('play_not_found')
    return prizeFor(request, shownPrize(prize))
  }
})

function nameOf(request: FastifyRequest) {
  const { playId } = request.params as { playId: string }
  const { playerId } = request.query as { playerId?: string }
  return { merchantId: callingMerchant(request).merchantId, playId, playerId }
}
