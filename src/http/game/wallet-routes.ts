import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { RefusalCode } from '../../refusals.ts'
import { admitVisitor, timeOfGame, type Visitor } from '../../links/game-links.ts'
import { entryBodyBytesMax } from '../../entries/entry-limits.ts'
import { contactsOfCampaigns } from '../../messages/message-settings.ts'
import { claimInWallet, showFormsInWallet } from '../../wallet/claim-prize.ts'
import { walletOfGame } from '../../wallet/wallet-links.ts'
import { showWallet } from '../../wallet/wallet-prizes.ts'
import { problemResponses } from '../answers/shapes.ts'
import { LaterFormsAnswer } from '../answers/later-forms.ts'
import {
  ClaimBody,
  WalletAnswer,
  WalletBody,
  WalletFormsBody,
  WalletOfGame,
  WalletOfGameBody,
} from '../answers/wallet.ts'
import { showModeOfGame } from '../test-headers.ts'
import { servePage } from './game-page.ts'
import { gameRefusals, limitAddress, playerLimiter } from './game-routes.ts'

/** A player's prizes. All are requests with a body, because mail scanners open every address. */
export const walletRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const onRequest = limitAddress(app)
  const limitPlayer = playerLimiter(app)
  const shared = { tags: ['Wallet'], security: [] }
  await servePage(app, 'wallet')
  const readContacts = (merchantId: number) => contactsOfCampaigns(ctx.db, merchantId)
  const admit = async (token: string, type: 'game' | 'wallet', reply: FastifyReply): Promise<Visitor> => {
    await showModeOfGame(ctx, reply, { token, type })
    const visitor = await admitVisitor(ctx, token, type)
    await limitPlayer('sessions', visitor.claims, reply)
    return visitor
  }

  app.post(
    '/api/v1/game/wallet',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'openWalletOfGame',
        summary: 'Get to the wallet from the game',
        description:
          'For the game page: a token of the wallet, for the campaigns that the game link opens. It ends when the game link is revoked.',
        body: WalletOfGameBody,
        response: { 200: WalletOfGame, ...problemResponses(...gameRefusals) },
      },
    },
    async (request, reply) => {
      const visitor = await admit(request.body.token, 'game', reply)
      return walletOfGame(ctx, visitor, await timeOfGame(ctx, visitor.claims))
    },
  )

  app.post(
    '/api/v1/wallet/prizes',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'openWallet',
        summary: "Show a player's prizes",
        description: 'For the page behind a link to the wallet. Changes nothing.',
        body: WalletBody,
        response: { 200: WalletAnswer, ...problemResponses(...gameRefusals) },
      },
    },
    async (request, reply) => {
      const { token, before } = request.body
      return showWallet(ctx, await admit(token, 'wallet', reply), { before, readContacts })
    },
  )

  app.post(
    '/api/v1/wallet/forms',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'showFormsInWallet',
        summary: 'Read what is asked to claim a prize',
        description:
          'The fields of the form to claim a prize of the wallet; empty if it is claimed without answers.',
        body: WalletFormsBody,
        response: {
          200: LaterFormsAnswer,
          ...problemResponses(...gameRefusals, 'play_not_found', 'play_ambiguous'),
        },
      },
    },
    async (request, reply) => {
      const { token, ...asked } = request.body
      return showFormsInWallet(ctx, await admit(token, 'wallet', reply), asked)
    },
  )

  app.post(
    '/api/v1/wallet/claims',
    {
      onRequest,
      bodyLimit: entryBodyBytesMax,
      schema: {
        ...shared,
        operationId: 'claimInWallet',
        summary: 'Claim a prize in the wallet',
        description:
          'The player wants the prize, which then does not expire. Only where the wheel offers it, or a form asks a visitor. A repeat changes nothing, except that other answers replace those before. Answers with the newest prizes.',
        body: ClaimBody,
        response: { 200: WalletAnswer, ...problemResponses(...gameRefusals, ...claimRefusals) },
      },
    },
    async (request, reply) => {
      const visitor = await admit(request.body.token, 'wallet', reply)
      const { token: _, ...claim } = request.body
      await claimInWallet(ctx, visitor, { formVersion: 0, language: 'en', answers: {}, ...claim })
      return showWallet(ctx, visitor, { readContacts })
    },
  )
}

const claimRefusals: RefusalCode[] = [
  'play_not_found',
  'play_ambiguous',
  'claim_not_offered',
  'prize_held',
  'form_outdated',
  'address_refused',
  'prize_settled',
  'prize_expired',
]
