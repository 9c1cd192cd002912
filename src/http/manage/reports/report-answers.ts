import type { FastifyReply } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { Row } from '../exports/csv-and-ndjson.ts'
import { csvQuery, exportedRows, sendRows } from '../exports/export-routes.ts'

/** A report as a file has the same options as an export. */
export const reportFormatQuery = {
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'xlsx'], { description: 'JSON by default. `xlsx` is a workbook.' }),
  ),
  ...csvQuery,
}
type ReportFormat = {
  format?: 'json' | 'csv' | 'xlsx'
  separator?: 'comma' | 'semicolon'
  bom?: true
  decimal?: 'comma'
}

/** The answer of a report, as JSON or as a file. */
export function jsonOrFile(json: TObject) {
  const { 'application/x-ndjson': _, ...files } = exportedRows.content
  return {
    200: { description: 'The report.', content: { 'application/json': { schema: json }, ...files } },
  }
}

type FileOfReport = { name: string; row: TObject; rows: readonly Row[] | readonly object[] }

/** Sends a report as the file that was asked for, or else as JSON. */
export function sendReport(
  reply: FastifyReply,
  query: ReportFormat,
  { json, file: { name, row, rows } }: { json: object; file: FileOfReport },
): FastifyReply {
  const { format = 'json', ...dialect } = query
  if (format === 'json') return reply.send(json)
  return sendRows(reply, { name, row, query: { ...dialect, format }, rows: asIterable(rows) })
}

async function* asIterable<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
