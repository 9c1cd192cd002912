import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { GameClaims } from '../../crypto/game-token.ts'
import { untilDone } from '../../db/database.ts'
import { admitVisitor, timeOfGame, verifyToken } from '../../links/game-links.ts'
import { showModeOfGame } from '../test-headers.ts'
import { meetTrouble } from '../../test-mode/forced-trouble.ts'
import { openLobby, openSession, playOnce } from '../../plays/game-sessions.ts'
import { shardOf } from '../../players/shard.ts'
import { Refusal, type RefusalCode } from '../../refusals.ts'
import { readPublishedText } from '../../wheels/wheel-versions.ts'
import { playsPath } from '../transport/fast-plays.ts'
import type { Quota, RateLimit } from '../transport/rate-limit.ts'
import { GameSessionBody, PlayBody, problemResponses } from '../answers/shapes.ts'
import { PlayAnswer } from '../answers/game-plays.ts'
import { GameSessionAnswer, LobbyAnswer, shownCard } from '../answers/game-session.ts'
import { hashPattern } from '../answers/patterns.ts'
import { servePage } from './game-page.ts'

/** The routes for a player's browser. A GET of the link changes nothing; the page then sends the token in a body. */
export const gameRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const onRequest = limitAddress(app)
  const limitPlayer = playerLimiter(app)
  await servePage(app, 'spinthewheel')

  app.post(
    '/api/v1/game/session',
    {
      onRequest,
      schema: {
        operationId: 'openGameSession',
        summary: 'Open a game link',
        description:
          'Called by the game page with the token from its address. Spends nothing. Collects free spins, if the rule of the campaign says so. Writes the event `link.opened`, unless the page sends the session that it has.',
        tags: ['Game'],
        security: [],
        body: GameSessionBody,
        response: {
          200: GameSessionAnswer,
          ...problemResponses(...gameRefusals, 'campaign_not_found', 'campaign_not_published'),
        },
      },
    },
    async (request, reply) => {
      const { token, ...asked } = request.body
      await showModeOfGame(ctx, reply, { token, type: 'game' })
      const visitor = await admitVisitor(ctx, token)
      await limitPlayer('sessions', visitor.claims, reply)
      return openSession(ctx, visitor, asked)
    },
  )

  app.post(
    '/api/v1/game/lobby',
    {
      onRequest,
      schema: {
        operationId: 'openLobby',
        summary: 'List the campaigns of a game link',
        description:
          'For the page behind a link to the lobby: a card for each campaign, with the spins of the player. Collects no free spins. Writes the event `link.opened`, unless the page sends the session that it has.',
        tags: ['Game'],
        security: [],
        body: Type.Omit(GameSessionBody, ['campaign', 'timeZone']),
        response: { 200: LobbyAnswer, ...problemResponses(...gameRefusals) },
      },
    },
    async (request, reply) => {
      const { token, session } = request.body
      await showModeOfGame(ctx, reply, { token, type: 'game' })
      const visitor = await admitVisitor(ctx, token)
      await limitPlayer('sessions', visitor.claims, reply)
      const lobby = await openLobby(ctx, visitor, session)
      return { ...lobby, campaigns: lobby.campaigns.map(shownCard) }
    },
  )

  app.post(
    playsPath,
    {
      onRequest,
      schema: {
        operationId: 'play',
        summary: 'Spin the wheel',
        description:
          'Spends a spin and draws a prize. The same `playId` always returns the same play: if an answer is lost, repeat the request unchanged.',
        tags: ['Game'],
        security: [],
        body: PlayBody,
        response: {
          200: PlayAnswer,
          ...problemResponses(
            ...gameRefusals,
            'forced_outcome_unknown',
            'no_spins',
            'wheel_paused',
            'wheel_closed',
            'play_outdated',
          ),
        },
      },
    },
    async (request, reply) => {
      await showModeOfGame(ctx, reply, { token: request.body.session, type: 'session' })
      const claims = await verifyToken(ctx, request.body.session, 'session')
      await limitPlayer('plays', claims, reply)
      if (claims.isTest === true) await meetTrouble({ ...claims, clockAheadMs: 0 }, claims.playerId, 'play')
      return playOnce(ctx, claims, request.body, request.trace)
    },
  )

  app.get(
    '/api/v1/game/versions/:hash',
    {
      onRequest,
      schema: {
        operationId: 'readPublishedWheel',
        summary: 'Read a published wheel',
        description:
          'The exact text whose SHA-256 is in the proofs of plays. Needed to verify a play. Hash the bytes of the body as they are, without parsing them.',
        tags: ['Game'],
        security: [],
        params: Type.Object({ hash: Type.String({ pattern: hashPattern }) }),
        response: {
          200: {
            description: 'The text.',
            content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
          },
          ...problemResponses(
            'validation_failed',
            'wheel_not_found',
            'content_type_unsupported',
            'rate_limited',
            'internal_error',
            'overloaded',
            'database_unavailable',
          ),
        },
      },
    },
    async (request, reply) => {
      const { hash } = request.params
      const text = await untilDone(() => readPublishedText(ctx.db, hash))
      if (text === undefined) throw new Refusal('wheel_not_found')
      return reply
        .type('application/json; charset=utf-8')
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .send(text as never)
    },
  )
}

/** Limits the requests of an address. */
export function limitAddress({ gameRateLimits }: FastifyInstance) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    gameRateLimits.byAddress.refuseOver(countUse(gameRateLimits.byAddress, request.ip, reply))
  }
}

/** A player over the limit may be a bot: the merchant gets one event per window, and decides. */
export function playerLimiter({ ctx, gameRateLimits }: FastifyInstance) {
  const { playsPerPlayer, sessionsPerPlayer } = ctx.config.gameRateLimits
  return async (limit: 'plays' | 'sessions', claims: GameClaims, reply: FastifyReply): Promise<void> => {
    const { merchantId, playerId } = claims
    const used = countUse(gameRateLimits[limit], `${merchantId}:${playerId}`, reply)
    if (used.isFirstOver) {
      const perMinute = limit === 'plays' ? playsPerPlayer : sessionsPerPlayer
      const where = { merchantId, shard: shardOf(claims), at: await timeOfGame(ctx, claims) }
      await ctx.events.writer.submit({
        ...where,
        type: 'player.limited',
        data: { playerId, limit, perMinute },
      })
    }
    gameRateLimits[limit].refuseOver(used)
  }
}

/** Counts a use, and sets the headers that show the remaining quota. */
function countUse(limit: RateLimit, name: string, reply: FastifyReply): Quota {
  const used = limit.use(name)
  reply.header('RateLimit-Policy', limit.policy).header('RateLimit', limit.describe(used))
  return used
}

export const gameRefusals: RefusalCode[] = [
  'body_malformed',
  'validation_failed',
  'rate_limited',
  'game_token_invalid',
  'game_token_expired',
  'game_token_revoked',
  'merchant_suspended',
  'player_blocked',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
  'internal_error',
  'overloaded',
  'database_unavailable',
]
