import { Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { requireTestMerchant } from '../../merchants/merchants.ts'
import { scopes } from '../../merchants/scopes.ts'
import { issueToken } from '../../merchants/service-tokens.ts'
import { Refusal } from '../../refusals.ts'
import { isTest, timeOf } from '../../test-clock.ts'
import { openInTransaction, openTestMerchant } from '../../test-mode/test-merchants.ts'
import { shownTestMerchant, TestMerchantAnswer } from '../answers/test-mode.ts'
import { callingMerchant, causeOf } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { textPattern } from '../answers/patterns.ts'

/** The test merchant of a live merchant. */
export const testMerchantRoutes = managementRoutes({ tag: 'Test mode' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/test-merchant',
    {
      config: { refusals: ['live_merchant_needed', 'merchant_not_found'] },
      schema: {
        operationId: 'readTestMerchant',
        summary: 'Read the test merchant',
        description: 'Refused with `merchant_not_found` if there is none yet.',
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request) => {
      const live = callingMerchant(request)
      if (isTest(live)) throw new Refusal('live_merchant_needed')
      const found = await requireTestMerchant(ctx.db, live.merchantId)
      return shownTestMerchant(found, ctx.now())
    },
  )

  app.put(
    '/api/v1/test-merchant',
    {
      config: { refusals: ['live_merchant_needed', 'merchant_exists'] },
      schema: {
        operationId: 'createTestMerchant',
        summary: 'Create the test merchant',
        description:
          'With copies of wheels, campaigns and settings, and with sample codes. If there is one already, nothing changes.',
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request) => {
      const cause = causeOf(request)
      const live = callingMerchant(request)
      const opened = await untilDone(() => openTestMerchant(ctx.db, live, cause))
      return shownTestMerchant(opened, ctx.now())
    },
  )

  app.post(
    '/api/v1/test-merchant',
    {
      config: { refusals: ['live_merchant_needed', 'merchant_exists'] },
      schema: {
        operationId: 'openTestMerchant',
        // It issues a token, so it needs the area of tokens too.
        tags: ['Test mode', 'Tokens'],
        summary: 'Create the test merchant, and a token for it',
        description:
          'The test merchant is created with the first call: with copies of wheels, campaigns and settings, and with sample codes. Every call issues another token of it. The token is shown only in this answer.',
        body: Type.Object({
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: textPattern })),
          scopes: Type.Optional(Type.Array(Type.Enum([...scopes]), { minItems: 1, uniqueItems: true })),
        }),
        response: {
          200: Type.Object(
            {
              ...TestMerchantAnswer.properties,
              token: Type.String({ examples: ['test-acme-1f2e3d4c5b:…'] }),
            },
            { title: 'TestMerchantWithToken' },
          ),
        },
      },
    },
    async (request) => {
      const { name = 'Test', scopes: wanted = [...scopes] } = request.body
      const cause = causeOf(request)
      const live = callingMerchant(request)
      const { merchant, token } = await ctx.db.transaction(async (tx) => {
        const opened = await openInTransaction(tx, live, cause)
        const now = timeOf(opened, ctx.now())
        const order = { name, scopes: wanted, expiresAt: null, now }
        return { merchant: opened, token: await issueToken(tx, opened, order, { ...cause, now }) }
      })
      return { ...shownTestMerchant(merchant, ctx.now()), token }
    },
  )
})
