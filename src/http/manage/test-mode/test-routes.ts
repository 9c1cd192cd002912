import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { sampleOf } from '../../../events/catalogue-page.ts'
import type { NewEvent } from '../../../events/event-pages.ts'
import { Refusal } from '../../../refusals.ts'
import type { Merchant } from '../../../merchants/merchants.ts'
import { isTest } from '../../../test-clock.ts'
import { playForTest } from '../../../plays/test-plays.ts'
import { slugPattern } from '../../../slug.ts'
import { meetTrouble } from '../../../test-mode/forced-trouble.ts'
import { setClock } from '../../../test-mode/set-clock.ts'
import { resetTestMerchant } from '../../../test-mode/reset-test-merchant.ts'
import { PlayerId } from '../../answers/shapes.ts'
import { EventTypeName } from '../../answers/events.ts'
import { PlayAnswer } from '../../answers/game-plays.ts'
import { hashPattern, uuidPattern } from '../../answers/patterns.ts'
import { ClockAnswer, shownClock, shownTestMerchant, TestMerchantAnswer } from '../../answers/test-mode.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { showMode } from '../../test-headers.ts'
import { campaignOfRequest } from '../campaign-of-request.ts'
import { momentIn } from '../query.ts'

/** What only a test merchant can do: set its clock, start again, send sample events, play without a page. */
export const testRoutes = managementRoutes({ tag: 'Test mode' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/test/clock',
    {
      config: { refusals: ['test_merchant_needed'] },
      schema: {
        operationId: 'readTestClock',
        summary: 'Read the clock of the test merchant',
        response: { 200: ClockAnswer },
      },
    },
    async (request) => {
      testMerchantOf(request)
      return shownClock(nowOf(request))
    },
  )

  app.put(
    '/api/v1/test/clock',
    {
      config: { refusals: ['test_merchant_needed', 'clock_set_back', 'clock_step_too_large'] },
      schema: {
        operationId: 'setTestClock',
        summary: 'Set the clock of the test merchant',
        description:
          'Everything of the test merchant follows its clock: schedules, links, spins, prizes, limits per day, retention, and the times in lists and events. The clock goes forward only, at most two years in one step, and runs on from there. What is due by then is done before the answer.',
        body: Type.Object({
          now: Type.String({ format: 'date-time', examples: ['2027-03-28T00:59:30Z'] }),
        }),
        response: { 200: ClockAnswer },
      },
    },
    async (request, reply) => {
      const merchant = testMerchantOf(request)
      const to = momentIn('now', request.body.now) as Date
      const now = await setClock(ctx, merchant, to, causeOf(request))
      ctx.events.sequencer.nudge()
      showMode(reply, { clockAheadMs: now.getTime() - ctx.now().getTime() })
      return shownClock(now)
    },
  )

  app.post(
    '/api/v1/test/reset',
    {
      config: { refusals: ['test_merchant_needed'] },
      schema: {
        operationId: 'resetTestMerchant',
        summary: 'Start again with a fresh test merchant',
        description:
          'Players, balances, plays, stock and events begin anew, and the clock shows the real time. Settings, wheels, campaigns, webhooks and tokens stay. Code pools have sample codes again. Game links from before end.',
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request, reply) => {
      const fresh = await resetTestMerchant(ctx, testMerchantOf(request), causeOf(request))
      ctx.events.sequencer.nudge()
      showMode(reply, fresh)
      return shownTestMerchant(fresh, ctx.now())
    },
  )

  app.post(
    '/api/v1/test/events',
    {
      config: { refusals: ['test_merchant_needed'] },
      schema: {
        operationId: 'sendSampleEvent',
        summary: 'Write a sample event',
        description:
          'Writes an event with the example data of its type into the log of the test merchant. Webhooks and readers get it like any other event. Nothing else changes.',
        body: Type.Object({ type: EventTypeName }),
        response: { 200: Type.Object({ type: EventTypeName, live: Type.Literal(false) }) },
      },
    },
    async (request) => {
      const { merchantId } = testMerchantOf(request)
      const { type } = request.body
      const event = { merchantId, type, at: nowOf(request), data: sampleOf(type) } as NewEvent
      await ctx.events.writer.submit(event)
      return { type, live: false as const }
    },
  )

  app.post(
    '/api/v1/test/plays',
    {
      config: {
        refusals: [
          'test_merchant_needed',
          'player_not_found',
          'player_blocked',
          'campaign_not_found',
          'campaign_not_published',
          'forced_outcome_unknown',
          'no_spins',
          'wheel_paused',
          'wheel_closed',
          'play_outdated',
        ],
      },
      schema: {
        operationId: 'playInTest',
        summary: 'Spin the wheel without a page',
        description:
          'Spends a spin of a player of the test merchant, and draws a prize, as the game does: with the same ledger, stock, proof and events. Needs no link. The same `playId` always returns the same play. Of two plays of a player at once, one is refused with `play_outdated`.',
        body: Type.Object({
          playerId: PlayerId,
          campaign: Type.Optional(
            Type.String({ pattern: slugPattern, description: 'The campaign to play; `main` by default.' }),
          ),
          playId: Type.Optional(
            Type.String({ pattern: uuidPattern, description: 'A UUID; made by the server if omitted.' }),
          ),
          playerSeed: Type.Optional(
            Type.String({ pattern: hashPattern, description: "The player's 32 bytes; random if omitted." }),
          ),
        }),
        response: { 200: PlayAnswer },
      },
    },
    async (request) => {
      const merchant = testMerchantOf(request)
      const { playerId, campaign, playId, playerSeed } = request.body
      const asked = (await campaignOfRequest(request, campaign))?.slug
      await meetTrouble(merchant, playerId, 'play')
      return playForTest(ctx, merchant, { playerId, campaign: asked, playId, playerSeed }, request.trace)
    },
  )
})

/** The calling merchant, which must be a test merchant. */
function testMerchantOf(request: FastifyRequest): Merchant {
  const merchant = callingMerchant(request)
  if (!isTest(merchant)) throw new Refusal('test_merchant_needed')
  return merchant
}
