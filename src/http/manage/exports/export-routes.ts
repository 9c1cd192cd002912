import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type TObject, Type } from 'typebox'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { csvOf, flatColumns, flattened, ndjsonOf } from './csv-and-ndjson.ts'
import { type ExportQuery, exports } from './exports.ts'
import { recordExport } from './record-export.ts'
import { xlsxOf } from './xlsx.ts'

const formats = {
  ndjson: { type: 'application/x-ndjson', description: 'A JSON object in each line.' },
  csv: { type: 'text/csv; charset=utf-8', description: 'For every program.' },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    description: 'For Excel and other spreadsheets.',
  },
}

/** How CSV is written. */
export const csvQuery = {
  separator: Type.Optional(
    Type.Enum(['comma', 'semicolon'], {
      description:
        'Between the cells of CSV; a comma by default. Excel expects a semicolon where numbers have a decimal comma.',
    }),
  ),
  bom: Type.Optional(
    Type.Literal(true, {
      description: 'CSV begins with a byte order mark, so that Excel reads it as UTF-8.',
    }),
  ),
  decimal: Type.Optional(
    Type.Literal('comma', {
      description: 'Numbers in CSV have a decimal comma, as Excel expects in many countries.',
    }),
  ),
}

export const formatQuery = {
  format: Type.Optional(
    Type.Enum(['ndjson', 'csv', 'xlsx'], {
      description: 'NDJSON by default. `xlsx` is a workbook, with times in UTC.',
    }),
  ),
  ...csvQuery,
}

export const exportDescription =
  'If the answer is cut off, its last chunk is missing, and HTTP clients report an error. In CSV, text that a spreadsheet would take for a formula begins with an apostrophe. Every export leaves a line in the audit log.'

export const exportedRows = {
  description: 'The rows.',
  content: Object.fromEntries(
    Object.values(formats).map(({ type, description }) => [
      type.replace(/;.*/, ''),
      { schema: Type.String({ description }) },
    ]),
  ),
}

/** Complete lists, as streams: a million rows take no more memory than a thousand. */
export const exportRoutes = managementRoutes({ tag: 'Exports' }, async (app, authenticate) => {
  for (const { name, operationId, summary, row, query, refusals, isFiltered, scopes, rows } of exports) {
    app.get(
      `/api/v1/exports/${name}`,
      {
        ...(scopes === undefined ? {} : { onRequest: authenticate(...scopes) }),
        config: { reads: 'exports', refusals, ...(isFiltered ? { boundTokens: 'filtered' } : {}) },
        schema: {
          operationId,
          summary,
          description: exportDescription,
          querystring: Type.Object({ ...formatQuery, ...query }),
          response: { 200: exportedRows },
        },
      },
      async (request, reply) => {
        const leave = app.ctx.exportPlaces.enter(callingMerchant(request).merchantId)
        reply.raw.once('close', leave)
        const asked = request.query as ExportQuery
        const found = await rows(request, asked)
        await recordExport(request, { list: name, query: asked })
        return sendRows(reply, { name, row, query: asked, rows: found })
      },
    )
  }
})

export function sendRows(
  reply: FastifyReply,
  { name, row, query, rows }: { name: string; row: TObject; query: ExportQuery; rows: AsyncIterable<object> },
): FastifyReply {
  const { format = 'ndjson' } = query
  return reply
    .type(formats[format].type)
    .header('Content-Disposition', `attachment; filename="${name}.${format}"`)
    .send(streamOf(row, rows, { ...query, currency: callingMerchant(reply.request).currency }))
}

function streamOf(
  row: TObject,
  rows: AsyncIterable<object>,
  { currency, ...query }: ExportQuery & { currency: string | null },
): Readable {
  const columns = flatColumns(row)
  if (query.format === 'xlsx') return xlsxOf(columns, flattened(rows), { currency })
  if (query.format !== 'csv') return ndjsonOf(rows)
  return csvOf(
    columns.map((column) => column.name),
    flattened(rows),
    {
      separator: query.separator === 'semicolon' ? ';' : ',',
      decimal: query.decimal === 'comma' ? ',' : '.',
      hasByteOrderMark: query.bom === true,
    },
  )
}
