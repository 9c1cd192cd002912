import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { openGameLink } from '../games/game-links.ts'
import { GameSessionAnswer, GameSessionBody, problemResponses } from './schemas.ts'

const gameFolder = join(import.meta.dirname, '..', '..', 'web', 'game')
const gamePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** What a player's browser calls. To GET the link changes nothing; the page then sends the token in a body. */
export const gameRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(fastifyStatic, {
    root: gameFolder,
    prefix: '/spinthewheel/',
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply) => {
      reply.header('Content-Security-Policy', gamePolicy)
    },
  })

  app.post(
    '/api/v1/game/session',
    {
      schema: {
        operationId: 'openGameSession',
        summary: 'Open a game link',
        description: 'Called by the game page with the token from its address. Changes nothing.',
        tags: ['Game'],
        security: [],
        body: GameSessionBody,
        response: {
          200: GameSessionAnswer,
          ...problemResponses(
            'body_malformed',
            'validation_failed',
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
          ),
        },
      },
    },
    async (request) => {
      const { expiresAt, ...session } = await openGameLink(app.ctx, request.body.token)
      return { ...session, expiresAt: expiresAt.toISOString() }
    },
  )
}
