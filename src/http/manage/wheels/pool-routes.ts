import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { codesPerUploadMax, codeStreamBytesMax, uploadBytesMax } from '../../../limits.ts'
import { codesIn } from '../../../stock/code-lines.ts'
import { findPool, readPools, uploadCodes } from '../../../stock/code-pools.ts'
import { Refusal } from '../../../refusals.ts'
import { slugPattern } from '../../../slug.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { byId, cursorAfter, lastOfFullPage, picked, readWholePage, wholeListQuery } from '../paging.ts'
import {
  PoolAnswer,
  PoolsAnswer,
  shownPool,
  StreamedCodesAnswer,
  UploadAnswer,
} from '../../answers/code-pools.ts'
import { textPattern } from '../../answers/patterns.ts'

const PoolName = Type.Object({ pool: Type.String({ pattern: slugPattern }) })

/** Pools of codes to win. */
export const poolRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/code-pools',
    {
      schema: {
        operationId: 'listCodePools',
        summary: 'List code pools',
        querystring: Type.Object(wholeListQuery),
        response: { 200: PoolsAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readWholePage(request.query, byId)
      const pools = await untilDone(() => readPools(ctx.db, merchantId, { after: start[0], limit }))
      return {
        pools: picked(pools.map(shownPool), request.query, PoolAnswer),
        next: cursorAfter(lastOfFullPage(pools, limit), ({ pool }) => [pool]),
      }
    },
  )

  app.get(
    '/api/v1/code-pools/:pool',
    {
      config: { refusals: ['code_pool_not_found'] },
      schema: {
        operationId: 'readCodePool',
        summary: 'Read a code pool',
        params: PoolName,
        response: { 200: PoolAnswer },
      },
    },
    async (request) => {
      const key = { merchantId: callingMerchant(request).merchantId, pool: request.params.pool }
      const pool = await untilDone(() => findPool(ctx.db, key))
      if (pool === undefined) throw new Refusal('code_pool_not_found')
      return shownPool(pool)
    },
  )

  app.post(
    '/api/v1/code-pools/:pool/codes',
    {
      bodyLimit: uploadBytesMax,
      config: { refusals: ['merchant_limit_reached'] },
      schema: {
        operationId: 'uploadCodes',
        summary: 'Add codes to a pool',
        description:
          'Creates the pool if it is new. Codes that it already has are skipped, so an upload can be repeated. Spaces around a code are removed.',
        params: PoolName,
        body: Type.Object({
          codes: Type.Array(
            Type.String({
              minLength: 1,
              maxLength: 200,
              pattern: textPattern,
              examples: ['SPRING-7Q2X'],
            }),
            { minItems: 1, maxItems: codesPerUploadMax },
          ),
        }),
        response: { 200: UploadAnswer },
      },
    },
    async (request) => {
      const key = { merchantId: callingMerchant(request).merchantId, pool: request.params.pool }
      const codes = request.body.codes.map((code) => code.trim())
      const cause = causeOf(request)
      return { added: await untilDone(() => uploadCodes(ctx.db, key, codes, cause.now, cause)) }
    },
  )

  await app.register(async (streams) => {
    // The handler reads the body as it arrives.
    streams.removeAllContentTypeParsers()
    streams.addContentTypeParser(['text/csv', 'application/x-ndjson'], (_request, payload, done) =>
      done(null, payload),
    )
    streams.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Refusal('content_type_unsupported', { detail: typesOfFiles })),
    )
    streams.post(
      '/api/v1/code-pools/:pool/uploads',
      {
        bodyLimit: codeStreamBytesMax,
        config: { refusals: ['merchant_limit_reached'], takesFile: true },
        schema: {
          operationId: 'streamCodes',
          summary: 'Add codes to a pool from a file',
          description:
            'A file with any number of codes: one per line, the first column of a CSV, or NDJSON (strings, or objects with `code`). Codes are added as they arrive. If an upload is cut off or refused in the middle, send the whole file again.',
          params: PoolName,
          querystring: Type.Object({
            header: Type.Optional(Type.Literal(true, { description: 'Skip the first line.' })),
          }),
          body: {
            content: {
              'text/csv': { schema: Type.Unsafe<Readable>({ description: 'One code per line.' }) },
              'application/x-ndjson': {
                schema: Type.Unsafe<Readable>({ description: 'One code per line.' }),
              },
            },
          },
          response: { 200: StreamedCodesAnswer },
        },
      },
      async (request, reply) => {
        // The rest of a refused body cannot be distinguished from the next request.
        reply.header('Connection', 'close')
        const { pool } = request.params as Static<typeof PoolName>
        const { header } = request.query as { header?: true }
        const key = { merchantId: callingMerchant(request).merchantId, pool }
        const isJson = request.headers['content-type']?.startsWith('application/x-ndjson') === true
        const totals = { read: 0, added: 0 }
        const file = request.body as Readable | undefined
        if (file === undefined) throw new Refusal('body_malformed', { detail: fileMissing })
        const codes = codesIn(file, { isJson, skipsFirst: header === true })
        for await (const batch of codes) {
          totals.added += await untilDone(() =>
            uploadCodes(ctx.db, key, batch, nowOf(request), causeOf(request)),
          )
          totals.read += batch.length
        }
        reply.removeHeader('Connection')
        return totals
      },
    )
  })
})

const typesOfFiles = 'Send the codes, one in each line, as text/csv or application/x-ndjson.'
const fileMissing = `The body is missing. ${typesOfFiles}`
