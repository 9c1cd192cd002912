import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { listMerchantPage, readMerchant } from '../../merchants/merchants.ts'
import { suspendMerchant } from '../../merchants/suspend-merchant.ts'
import { Refusal } from '../../refusals.ts'
import { slugPattern } from '../../slug.ts'
import type { SignedIn } from '../../staff/sessions.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { cursorAfter, lastOfFullPage, pageKey, pageQuery, picked, readPage } from '../manage/paging.ts'
import {
  ListedMerchantAnswer,
  MerchantsAnswer,
  MerchantSummary,
  shownListedMerchant,
  shownMerchantSummary,
} from '../answers/merchants.ts'
import { Settings } from '../answers/settings.ts'
import { checkSettings } from '../manage/merchants/check-settings.ts'
import { requireSignedIn, staffCause } from './staff-session.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'
import { linePattern, textPattern } from '../answers/patterns.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: textPattern,
  examples: ['Acme Games'],
})
const Slug = Type.String({
  pattern: slugPattern,
  description: 'A short id that never changes.',
  examples: ['acme'],
})
const slugKey = pageKey<[string]>([Type.String({ maxLength: 40 })], [''])

/** Merchants, for operators. */
export const operatorRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/operator/merchants',
    {
      config: { refusals: ['role_missing'] },
      schema: {
        operationId: 'listMerchants',
        summary: 'List merchants',
        description: 'For operators only. Sorted by id.',
        querystring: Type.Object({
          ...pageQuery,
          search: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: linePattern })),
        }),
        response: { 200: MerchantsAnswer },
      },
    },
    async (request) => {
      await requireOperator(request)
      const { query } = request
      const { start, limit } = readPage(query, slugKey)
      const page = { after: start[0], limit, search: query.search ?? null, now: ctx.now() }
      const found = await untilDone(() => listMerchantPage(ctx.db, page))
      return {
        merchants: picked(found.map(shownListedMerchant), query, ListedMerchantAnswer),
        next: cursorAfter(lastOfFullPage(found, limit), ({ slug }) => [slug]),
      }
    },
  )

  app.post(
    '/api/v1/operator/merchants',
    {
      config: { refusals: ['role_missing', 'merchant_exists', 'merchant_id_reserved'] },
      schema: {
        operationId: 'createMerchant',
        summary: 'Create a merchant',
        description:
          'Creates and publishes a first wheel too, so that game links work at once. For operators only.',
        body: Type.Object({
          merchant: Slug,
          name: Name,
          ...Type.Partial(Type.Pick(Settings, ['timeZone', 'currency'])).properties,
        }),
        response: { 200: MerchantSummary },
      },
    },
    async (request) => {
      const cause = staffCause(request, await requireOperator(request))
      const { merchant: slug, ...facts } = request.body
      checkSettings(facts)
      return shownMerchantSummary(await createMerchant(ctx.db, { slug, ...facts, now: cause.now }, cause))
    },
  )

  for (const [method, verb] of [
    ['PUT', 'suspend'],
    ['DELETE', 'resume'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/operator/merchants/:merchant/suspension',
      config: { refusals: ['role_missing', 'merchant_not_found'] },
      schema: {
        operationId: `${verb}Merchant`,
        summary: verb === 'suspend' ? 'Suspend a merchant' : 'End the suspension of a merchant',
        description:
          verb === 'suspend'
            ? 'Refuses all requests of the merchant and closes its games. Takes effect in all processes within 5 seconds. For operators only.'
            : 'Takes effect in all processes within 5 seconds. For operators only.',
        params: Type.Object({ merchant: Slug }),
        response: { 200: MerchantSummary },
      },
      handler: async (request) => {
        const cause = staffCause(request, await requireOperator(request))
        const { merchant: slug } = request.params
        if ((await readMerchant(ctx.db, slug)) === undefined) throw new Refusal('merchant_not_found')
        const order = { slug, isSuspended: verb === 'suspend' }
        const changed = await untilDone(() => suspendMerchant(ctx.db, order, cause))
        ctx.tokens.forget(changed)
        return shownMerchantSummary(changed)
      },
    })
  }
})

export async function requireOperator(request: FastifyRequest): Promise<SignedIn> {
  const signedIn = await requireSignedIn(request)
  if (!signedIn.staff.isOperator) throw new Refusal('role_missing', { detail: 'Only operators may do this.' })
  return signedIn
}
