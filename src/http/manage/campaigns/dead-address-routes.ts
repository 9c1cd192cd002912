import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { liftDeadAddress, listDeadAddresses } from '../../../messages/dead-addresses.ts'
import { DeadAddressAnswer, DeadAddressesAnswer, shownDeadAddress } from '../../answers/messages.ts'
import { uuidPattern } from '../../answers/patterns.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { cursorAfter, pageKey, pageQuery, picked, readPage } from '../paging.ts'

/** Newest first. */
const deadKey = pageKey<[number, string]>(
  [Type.Integer({ minimum: 0, maximum: 8.64e15 }), Type.String({ pattern: uuidPattern })],
  [253_402_300_799_000, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
)

/** Each of them is decrypted for the answer. */
const deadPageMax = 100

/** Addresses that refuse mail: for those who may read personal data. */
export const deadAddressRoutes = managementRoutes({ tag: 'Messages', read: ['manage'] }, async (app) => {
  const { ctx } = app
  const url = '/api/v1/messages/dead-addresses'

  app.get(
    url,
    {
      config: { reads: 'personal data' },
      schema: {
        operationId: 'listDeadAddresses',
        summary: 'List addresses that refuse mail',
        description:
          'Newest first. Your players get no messages there, until a code proves the address again. A page may be short and still have a `next`.',
        querystring: Type.Object({
          ...pageQuery,
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: deadPageMax })),
        }),
        response: { 200: DeadAddressesAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const merchant = callingMerchant(request)
      const { start, limit } = readPage(query, deadKey)
      const page = { before: new Date(start[0]), beforeId: start[1], limit }
      const { items, next } = await untilDone(() => listDeadAddresses(ctx.db, merchant, page))
      return {
        deadAddresses: picked(items.map(shownDeadAddress), query, DeadAddressAnswer),
        next: cursorAfter(next, ({ createdAt, id }) => [createdAt.getTime(), id]),
      }
    },
  )

  app.delete(
    `${url}/:deadAddress`,
    {
      config: { refusals: ['dead_address_not_found'] },
      schema: {
        operationId: 'liftDeadAddress',
        summary: 'Mail an address again',
        description:
          'If you know that the mailbox exists. Messages that were not sent meanwhile stay so; if the next one is refused, the address is dead again.',
        params: Type.Object({ deadAddress: Type.String({ pattern: uuidPattern }) }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      await liftDeadAddress(ctx.db, { merchantId, id: request.params.deadAddress }, causeOf(request))
      return {}
    },
  )
})
