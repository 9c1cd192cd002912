import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { type ExampleOrder, exampleMessage, inOnePiece } from '../../../messages/example-message.ts'
import {
  changeMerchantTexts,
  completedTexts,
  type MerchantTexts,
  readMerchantTexts,
  refuseTexts,
} from '../../../messages/merchant-texts.ts'
import { cleaned } from '../../../messages/message-texts.ts'
import {
  type ExampleBody,
  MessageExampleAnswer,
  MessageExampleBody,
  MessageTextsAnswer,
  MessageTextsBody,
} from '../../answers/messages.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignOfRequest } from '../campaign-of-request.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'

/** What messages say: the texts of a merchant, and how a message looks with them. */
export const messageTextRoutes = managementRoutes({ tag: 'Messages' }, async (app) => {
  const { ctx } = app
  const url = '/api/v1/messages/texts'

  app.get(
    url,
    {
      schema: {
        operationId: 'readMessageTexts',
        summary: 'Read the texts of your messages',
        response: { 200: MessageTextsAnswer },
      },
    },
    async (request, reply) => {
      const { merchantId } = callingMerchant(request)
      return shown(reply, await untilDone(() => readMerchantTexts(ctx.db, merchantId)))
    },
  )

  app.put(
    url,
    {
      config: { refusals: ['settings_changed'] },
      schema: {
        operationId: 'changeMessageTexts',
        summary: 'Change the texts of your messages',
        description:
          'For all campaigns; one with own texts in a language keeps them. Takes effect for the next message that is sent.',
        headers: RevisionHeaders,
        body: MessageTextsBody,
        response: { 200: MessageTextsAnswer },
      },
    },
    async (request, reply) => {
      const { merchantId } = callingMerchant(request)
      const kinds = completedTexts(request.body.kinds)
      const change = { merchantId, kinds, revision: revisionIn(request.headers) }
      return shown(reply, await changeMerchantTexts(ctx.db, change, causeOf(request)))
    },
  )

  app.post(
    '/api/v1/messages/preview',
    {
      config: { refusals: ['campaign_not_found'], boundTokens: 'meant', changesNothing: true },
      schema: {
        operationId: 'previewMessage',
        summary: 'See how a message looks',
        description: 'Made as real messages are, about a prize and spins that do not exist. Nothing is sent.',
        body: MessageExampleBody,
        response: { 200: MessageExampleAnswer },
      },
    },
    async (request) => {
      const slug = request.body.campaign ?? request.caller?.campaign?.slug
      const campaign = slug === undefined ? undefined : await campaignOfRequest(request, slug)
      const order = exampleOrder(request.body, campaign?.campaignId ?? null)
      const needs = { db: ctx.db, gameUrl: ctx.config.gameUrl }
      const now = nowOf(request)
      const merchant = callingMerchant(request)
      return inOnePiece(await untilDone(() => exampleMessage(needs, merchant, { ...order, now })))
    },
  )
})

/** Texts that are not saved are checked as if they were. */
export function exampleOrder(
  { kind, language, texts }: ExampleBody,
  campaignId: number | null,
): ExampleOrder {
  const clean = texts === undefined || kind === 'address_code' ? undefined : cleaned(texts)
  if (clean !== undefined && kind !== 'address_code') refuseTexts(() => '/texts', { [kind]: clean })
  return { kind, language, campaignId, texts: clean }
}

function shown(reply: FastifyReply, texts: MerchantTexts): Static<typeof MessageTextsAnswer> {
  reply.header('ETag', `"${texts.revision}"`)
  return texts
}
