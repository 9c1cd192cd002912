import type { FastifyReply } from 'fastify'
import { type TObject, Type } from 'typebox'
import { csvOf, type Row } from '../exports/csv-and-ndjson.ts'

/** The answer of a report, as JSON or CSV. */
export function jsonOrCsv(json: TObject) {
  return {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: json },
        'text/csv': { schema: Type.String() },
      },
    },
  }
}

export function columnsOf(schema: TObject): string[] {
  return Object.keys(schema.properties)
}

export function sendCsv(reply: FastifyReply, columns: readonly string[], rows: readonly Row[]): FastifyReply {
  return reply.type('text/csv; charset=utf-8').send(csvOf(columns, asIterable(rows)))
}

async function* asIterable<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
