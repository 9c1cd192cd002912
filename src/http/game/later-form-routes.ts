import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { answerAfterWin } from '../../entries/answer-after-win.ts'
import { claimPrize } from '../../entries/claim-prize.ts'
import { entryBodyBytesMax } from '../../entries/entry-limits.ts'
import { type PlayerInCampaign, showLaterForms } from '../../entries/later-forms.ts'
import { admitVisitor, timeOfGame } from '../../links/game-links.ts'
import {
  ClaimAnswer,
  ClaimBody,
  LaterAnswersBody,
  LaterFormsAnswer,
  LaterFormsBody,
} from '../answers/later-forms.ts'
import { problemResponses } from '../answers/shapes.ts'
import { showModeOfGame } from '../test-headers.ts'
import { gameRefusals, limitAddress } from './game-routes.ts'

/** What visitors are asked after a win, and when they claim a prize. For the page of a game session. */
export const laterFormRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const shared = { onRequest: limitAddress(app), bodyLimit: entryBodyBytesMax }
  const about = { tags: ['Game'], security: [] }

  app.post(
    '/api/v1/game/forms',
    {
      ...shared,
      schema: {
        ...about,
        operationId: 'showLaterForms',
        summary: 'Read what a visitor is asked after a win',
        description:
          'The forms of the campaign after a win, and to claim a prize. Both are empty for players who did not enter it as visitors.',
        body: LaterFormsBody,
        response: { 200: LaterFormsAnswer, ...problemResponses(...refusals) },
      },
    },
    async ({ body: { session, language } }, reply) =>
      showLaterForms(ctx, await playerOf(reply, session), language),
  )

  app.post(
    '/api/v1/game/claims',
    {
      ...shared,
      schema: {
        ...about,
        operationId: 'claimOwnPrize',
        summary: 'Claim a prize that one has won',
        description:
          'A visitor sends the answers to the form to claim. Other players send none, and can claim only where the wheel offers it. Then the prize no longer expires, and the session shows how to use it. Claiming again changes nothing, except that other answers replace those before.',
        body: ClaimBody,
        response: {
          200: ClaimAnswer,
          ...problemResponses(
            ...refusals,
            'form_outdated',
            'address_refused',
            'play_not_found',
            'play_ambiguous',
            'claim_not_offered',
            'prize_held',
            'prize_settled',
            'prize_expired',
          ),
        },
      },
    },
    async ({ body: { session, ...claim } }, reply) => {
      await claimPrize(ctx, await playerOf(reply, session), claim)
      return { playId: claim.playId, state: 'claimed' as const }
    },
  )

  app.post(
    '/api/v1/game/answers',
    {
      ...shared,
      schema: {
        ...about,
        operationId: 'answerAfterWin',
        summary: 'Answer the form after a win',
        description: 'The win does not depend on it. The last answer to a field counts.',
        body: LaterAnswersBody,
        response: {
          200: Type.Object({}),
          ...problemResponses(...refusals, 'form_outdated', 'address_refused', 'answers_not_asked'),
        },
      },
    },
    async ({ body: { session, ...given } }, reply) => {
      await answerAfterWin(ctx, await playerOf(reply, session), given)
      return {}
    },
  )
}

const refusals = [...gameRefusals, 'campaign_not_found', 'campaign_not_published'] as const

async function playerOf(reply: FastifyReply, session: string): Promise<PlayerInCampaign> {
  const { ctx } = reply.server
  await showModeOfGame(ctx, reply, { token: session, type: 'session' })
  const { claims, player } = await admitVisitor(ctx, session, 'session')
  const { merchantId } = claims
  const { campaign } = await ctx.wheels.current(merchantId, claims.campaign)
  return { merchantId, player, campaign, now: await timeOfGame(ctx, claims) }
}
