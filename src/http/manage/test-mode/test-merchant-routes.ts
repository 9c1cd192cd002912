import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { listTestMerchants, requireTestMerchant } from '../../../merchants/merchants.ts'
import { testMerchantsMax } from '../../../limits.ts'
import { scopes } from '../../../merchants/scopes.ts'
import { issueToken } from '../../../merchants/service-tokens.ts'
import { Refusal } from '../../../refusals.ts'
import { isTest, timeOf } from '../../../test-clock.ts'
import { openInTransaction, openTestMerchant, removeTestMerchant } from '../../../test-mode/test-merchants.ts'
import { shownTestMerchant, TestMerchantAnswer, TestQuery } from '../../answers/test-mode.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { textPattern } from '../../answers/patterns.ts'

/** The test merchants of a live merchant: one without a name, and more with names, for tests that run at once. */
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
        querystring: TestQuery,
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request) =>
      shownTestMerchant(await requireTestMerchant(ctx.db, testNameIn(request, request.query)), ctx.now()),
  )

  app.get(
    '/api/v1/test-merchants',
    {
      config: { refusals: ['live_merchant_needed'] },
      schema: {
        operationId: 'listTestMerchants',
        summary: 'List the test merchants',
        description: `At most ${testMerchantsMax}, the one without a name first.`,
        response: {
          200: Type.Object({ testMerchants: Type.Array(TestMerchantAnswer) }, { title: 'TestMerchants' }),
        },
      },
    },
    async (request) => {
      const found = await listTestMerchants(ctx.db, testNameIn(request, {}).testOf)
      return { testMerchants: found.map((one) => shownTestMerchant(one, ctx.now())) }
    },
  )

  app.delete(
    '/api/v1/test-merchant',
    {
      config: { refusals: ['live_merchant_needed', 'merchant_not_found'] },
      schema: {
        operationId: 'removeTestMerchant',
        summary: 'Remove a test merchant',
        description: 'Its tokens, links and webhooks end. Its id is free again.',
        querystring: TestQuery,
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request) => {
      const name = testNameIn(request, request.query)
      const removed = await removeTestMerchant(ctx.db, name, causeOf(request))
      ctx.tokens.forget(removed)
      return shownTestMerchant(removed, ctx.now())
    },
  )

  app.put(
    '/api/v1/test-merchant',
    {
      config: { refusals: ['live_merchant_needed', 'merchant_exists', 'test_merchant_limit_reached'] },
      schema: {
        operationId: 'createTestMerchant',
        summary: 'Create the test merchant',
        description:
          'With copies of wheels, campaigns and settings, and with sample codes. If there is one already, nothing changes.',
        querystring: TestQuery,
        response: { 200: TestMerchantAnswer },
      },
    },
    async (request) => {
      const cause = causeOf(request)
      const live = callingMerchant(request)
      const opened = await untilDone(() =>
        openTestMerchant(ctx.db, { live, testName: request.query.test ?? null }, cause),
      )
      return shownTestMerchant(opened, ctx.now())
    },
  )

  app.post(
    '/api/v1/test-merchant',
    {
      config: {
        refusals: [
          'live_merchant_needed',
          'merchant_exists',
          'test_merchant_limit_reached',
          'merchant_limit_reached',
        ],
      },
      schema: {
        operationId: 'openTestMerchant',
        // It issues a token, so it needs the area of tokens too.
        tags: ['Test mode', 'Tokens'],
        summary: 'Create the test merchant, and a token for it',
        description:
          'The test merchant is created with the first call: with copies of wheels, campaigns and settings, and with sample codes. Every call issues another token of it. The token is shown only in this answer.',
        querystring: TestQuery,
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
        const opened = await openInTransaction(tx, { live, testName: request.query.test ?? null }, cause)
        const now = timeOf(opened, ctx.now())
        const order = { name, scopes: wanted, expiresAt: null, now }
        return { merchant: opened, token: await issueToken(tx, opened, order, { ...cause, now }) }
      })
      return { ...shownTestMerchant(merchant, ctx.now()), token }
    },
  )
})

/** The test merchant that a request of its live merchant means. */
function testNameIn(request: FastifyRequest, { test: testName = null }: { test?: string | null }) {
  const live = callingMerchant(request)
  if (isTest(live)) throw new Refusal('live_merchant_needed')
  return { testOf: live.merchantId, testName }
}
