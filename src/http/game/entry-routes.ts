import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { returnToGame } from '../../entries/entry-game.ts'
import { resendCode } from '../../entries/ask-for-code.ts'
import { entryBodyBytesMax } from '../../entries/entry-limits.ts'
import { makeChallenge } from '../../entries/challenges.ts'
import { networkOfVisitor } from '../../entries/network.ts'
import { proveAddress } from '../../entries/prove-address.ts'
import { showEntry } from '../../entries/show-entry.ts'
import { submitEntry } from '../../entries/submit-entry.ts'
import type { RefusalCode } from '../../refusals.ts'
import {
  CodeAgain,
  Entered,
  EntryAddress,
  EntryChallenge,
  EntryBody,
  EntryOutcome,
  EntryQuery,
  EntryProofBody,
  EntryReturnBody,
  EntrySessionBody,
  EntryShown,
} from '../answers/entry.ts'
import { problemResponses, RequiredKeyHeaders } from '../answers/shapes.ts'
import { refuseUnknownZone } from '../manage/query.ts'
import { limitAddress } from './game-routes.ts'

/** The public entry of a campaign: a visitor whom no server knows fills in a form, and gets a game token. */
export const entryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const onRequest = limitAddress(app)
  const shared = { tags: ['Entry'], security: [], params: EntryAddress }

  app.get(
    '/api/v1/entry/:merchant/:campaign',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'showEntry',
        summary: 'Show the entry of a campaign',
        description: 'For the page of visitors: whether they can enter, the wheel, the form and the terms.',
        querystring: EntryQuery,
        response: { 200: EntryShown, ...problemResponses(...entryRefusals) },
      },
    },
    async (request) =>
      showEntry(ctx, request.params, { ...request.query, network: networkOfVisitor(request.ip) }),
  )

  app.post(
    '/api/v1/entry/:merchant/:campaign/entries',
    {
      onRequest,
      bodyLimit: entryBodyBytesMax,
      schema: {
        ...shared,
        operationId: 'submitEntry',
        summary: 'Enter a campaign',
        description:
          'Makes a player and its spins, once for each address, and answers with a game token. Make the key when the form opens: if an answer is lost, repeat the request unchanged.',
        headers: RequiredKeyHeaders,
        body: EntryBody,
        response: {
          200: EntryOutcome,
          ...problemResponses(...entryRefusals, ...bodyRefusals, ...submissionRefusals),
        },
      },
    },
    async (request) => {
      refuseUnknownZone(request.body.timeZone)
      const key = request.headers['idempotency-key']
      return submitEntry(ctx, request.params, { ...request.body, key, network: networkOfVisitor(request.ip) })
    },
  )

  app.post(
    '/api/v1/entry/:merchant/:campaign/challenges',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'makeEntryChallenge',
        summary: 'Ask for a challenge',
        description:
          'A task for the browser, in the format of ALTCHA, version 2. Valid for ten minutes, and once.',
        response: {
          200: EntryChallenge,
          ...problemResponses(
            ...entryRefusals,
            'content_type_unsupported',
            'body_too_large',
            'body_malformed',
          ),
        },
      },
    },
    async (request) => makeChallenge(ctx, request.params, networkOfVisitor(request.ip)),
  )

  app.post(
    '/api/v1/entry/:merchant/:campaign/codes',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'resendEntryCode',
        summary: 'Send another code',
        description: 'The code before no longer counts.',
        body: EntrySessionBody,
        response: { 200: CodeAgain, ...problemResponses(...entryRefusals, ...bodyRefusals, ...codeRefusals) },
      },
    },
    async (request) => {
      const { session } = request.body
      return resendCode(ctx, request.params, { session, network: networkOfVisitor(request.ip) })
    },
  )

  app.post(
    '/api/v1/entry/:merchant/:campaign/proof',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'proveAddress',
        summary: 'Type the code',
        description: 'Shows that the visitor has the address: the entry is made, or goes on in this browser.',
        body: EntryProofBody,
        response: {
          200: Entered,
          ...problemResponses(
            ...entryRefusals,
            ...bodyRefusals,
            'entry_session_invalid',
            'code_wrong',
            'code_expired',
            'code_attempts_used',
            'entry_closed',
            'entry_full',
            'address_refused',
            'player_blocked',
          ),
        },
      },
    },
    async (request) => proveAddress(ctx, request.params, request.body),
  )

  app.post(
    '/api/v1/entry/:merchant/:campaign/returns',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'returnToGame',
        summary: 'Come back to the game',
        description: 'A new game token for a browser that entered before.',
        body: EntryReturnBody,
        response: { 200: Entered, ...problemResponses(...entryRefusals, ...bodyRefusals, 'pass_invalid') },
      },
    },
    async (request) => returnToGame(ctx, request.params, request.body.pass),
  )
}

const codeRefusals: RefusalCode[] = ['entry_session_invalid', 'entry_limit_reached']

const entryRefusals: RefusalCode[] = [
  'validation_failed',
  'entry_not_found',
  'rate_limited',
  'internal_error',
  'overloaded',
  'database_unavailable',
]

const bodyRefusals: RefusalCode[] = [
  'body_malformed',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
]

const submissionRefusals: RefusalCode[] = [
  'idempotency_key_missing',
  'idempotency_key_malformed',
  'idempotency_key_reused',
  'entry_closed',
  'entry_paused',
  'entry_full',
  'entry_known',
  'form_outdated',
  'entry_too_young',
  'address_refused',
  'player_blocked',
  'entry_limit_reached',
  'challenge_required',
  'challenge_invalid',
  'challenge_expired',
  'address_disposable',
]
