import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { scopes } from '../../../merchants/scopes.ts'
import { findTokenOf, issueToken, listTokens, revokeToken } from '../../../merchants/service-tokens.ts'
import { Refusal } from '../../../refusals.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { cursorAfter, lastOfFullPage, pageKey, picked, readWholePage, wholeListQuery } from '../paging.ts'
import { momentIn, wrongQuery } from '../query.ts'
import { IssuedTokenAnswer, Scope, shownToken, TokenAnswer, TokensAnswer } from '../../answers/tokens.ts'
import { textPattern } from '../../answers/patterns.ts'

/** Until the year 9999, in milliseconds. */
const timeMax = 253_402_300_799_999
const oldestFirst = pageKey<[number, string]>(
  [Type.Integer({ minimum: 0, maximum: timeMax }), Type.String({ maxLength: 200 })],
  [0, ''],
)

/** The merchant's own service tokens. */
export const tokenRoutes = managementRoutes({ tag: 'Tokens', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/tokens',
    {
      schema: {
        operationId: 'listTokens',
        summary: 'List service tokens',
        description: 'Without their secrets, which are never shown again.',
        querystring: Type.Object(wholeListQuery),
        response: { 200: TokensAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readWholePage(request.query, oldestFirst)
      const after = { createdAt: new Date(start[0]), tokenId: start[1] }
      const rows = await untilDone(() => listTokens(ctx.db, merchantId, { after, limit }))
      return {
        tokens: picked(rows.map(shownToken), request.query, TokenAnswer),
        next: cursorAfter(lastOfFullPage(rows, limit), (row) => [row.createdAt.getTime(), row.tokenId]),
      }
    },
  )

  app.post(
    '/api/v1/tokens',
    {
      config: {
        refusals: ['merchant_limit_reached', 'campaign_not_found', 'campaign_archived', 'token_not_bindable'],
      },
      schema: {
        operationId: 'issueToken',
        summary: 'Issue a service token',
        description: 'Only this answer shows the token.',
        body: Type.Object({
          name: Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: textPattern,
            description: 'What it is for.',
            examples: ['till 3'],
          }),
          scopes: Type.Array(Scope, {
            minItems: 1,
            maxItems: scopes.length,
            uniqueItems: true,
            description:
              '`spins` and `links` for the two merchant operations; `manage` for everything under /api/v1; `prizes` to settle prizes; `read` to look.',
            examples: [['prizes']],
          }),
          expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
          campaign: Type.Optional({
            ...CampaignId,
            description:
              'Binds the token to a campaign: every scope means this campaign alone. `main` binds it to none: increaseSpin and sso mean `main`, and the token sees all campaigns.',
          }),
        }),
        response: { 200: IssuedTokenAnswer },
      },
    },
    async (request) => {
      const merchant = callingMerchant(request)
      const cause = causeOf(request)
      const expiresAt = momentIn('expiresAt', request.body.expiresAt)
      if (expiresAt !== null && expiresAt <= cause.now) throw wrongQuery('expiresAt', 'must be in the future')
      const { name, scopes: wanted, campaign } = request.body
      // Not retried: a second token that was never shown would be harmless, but confusing.
      return ctx.db.transaction(async (tx) => {
        const order = { name, scopes: wanted, expiresAt, campaign, now: cause.now }
        const token = await issueToken(tx, merchant, order, cause)
        return { tokenId: token.slice(0, token.indexOf(':')), token }
      })
    },
  )

  app.delete(
    '/api/v1/tokens/:tokenId',
    {
      config: { refusals: ['token_not_found'] },
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke a service token',
        description: 'Takes effect in all processes within 5 seconds. A token may revoke itself.',
        params: Type.Object({ tokenId: Type.String({ maxLength: 100, pattern: '^[\\x21-\\x7e]+$' }) }),
        response: { 200: TokenAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { tokenId } = request.params
      const cause = causeOf(request)
      const revoked = await untilDone(() =>
        ctx.db.transaction(async (tx) => {
          const token = await findTokenOf(tx, merchantId, tokenId)
          if (token === undefined) throw new Refusal('token_not_found')
          if (token.revokedAt !== null && token.revokedAt <= cause.now) return token
          await revokeToken(tx, tokenId, cause.now, { cause })
          return { ...token, revokedAt: cause.now }
        }),
      )
      ctx.tokens.forget({ tokenId })
      return shownToken(revoked)
    },
  )
})
