import type { Readable } from 'node:stream'
import { type TObject, Type } from 'typebox'
import type { Context } from '../../context.ts'
import { exportsAtOnceMax } from '../../limits.ts'
import { overloaded } from '../../refusals.ts'
import { callingMerchant } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { auditEntriesOf, entriesOf, type ExportRange, playersOf, playsOf, prizesOf } from './export-rows.ts'
import { momentIn } from './query.ts'
import { csvOf, flatColumns, flattened, ndjsonOf } from './csv-and-ndjson.ts'
import { AuditAnswer } from '../answers/audit-log.ts'
import { EntryAnswer, PlayerAnswer } from '../answers/players.ts'
import { PlayAnswer } from '../answers/plays.ts'
import { PrizeAnswer } from '../answers/prizes.ts'

type Export = {
  name: string
  operationId: string
  summary: string
  row: TObject
  hasTime: boolean
  rows: (ctx: Context, range: ExportRange) => AsyncGenerator<object>
}

const exports: Export[] = [
  {
    name: 'players',
    operationId: 'exportPlayers',
    summary: 'Export players',
    row: Type.Omit(PlayerAnswer, ['purses']),
    hasTime: false,
    rows: playersOf,
  },
  {
    name: 'ledger',
    operationId: 'exportLedger',
    summary: 'Export the ledger, player by player',
    row: Type.Object({ playerId: Type.String(), ...EntryAnswer.properties }),
    hasTime: false,
    rows: entriesOf,
  },
  {
    name: 'plays',
    operationId: 'exportPlays',
    summary: 'Export plays with their proofs, oldest first',
    row: PlayAnswer,
    hasTime: true,
    rows: playsOf,
  },
  {
    name: 'prizes',
    operationId: 'exportPrizes',
    summary: 'Export prizes that were won, oldest first',
    row: PrizeAnswer,
    hasTime: true,
    rows: prizesOf,
  },
  {
    name: 'audit-log',
    operationId: 'exportAuditLog',
    summary: 'Export the audit log, newest first',
    row: AuditAnswer,
    hasTime: false,
    rows: auditEntriesOf,
  },
]

/** Complete lists, as streams: a million rows take no more memory than a thousand. */
export const exportRoutes = managementRoutes({ tag: 'Exports' }, async (app) => {
  const { ctx } = app
  let inFlight = 0
  const format = Type.Optional(Type.Enum(['csv', 'ndjson'], { description: 'NDJSON by default.' }))
  const Moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

  for (const { name, operationId, summary, row, hasTime, rows } of exports) {
    app.get(
      `/api/v1/exports/${name}`,
      {
        config: { reads: 'exports' },
        schema: {
          operationId,
          summary,
          description:
            'If the answer is cut off, its last chunk is missing, and HTTP clients report an error. In CSV, text that a spreadsheet would take for a formula begins with an apostrophe.',
          querystring: Type.Object({
            format,
            ...(hasTime
              ? { from: Moment('From this time on.'), to: Moment('Before this time; now by default.') }
              : {}),
          }),
          response: {
            200: {
              description: 'The rows.',
              content: {
                'application/x-ndjson': { schema: Type.String() },
                'text/csv': { schema: Type.String() },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const query = request.query as { format?: 'csv' | 'ndjson'; from?: string; to?: string }
        const range = {
          merchantId: callingMerchant(request).merchantId,
          from: momentIn('from', query.from) ?? new Date(0),
          to: momentIn('to', query.to) ?? ctx.now(),
        }
        if (inFlight >= exportsAtOnceMax) throw overloaded('exports')
        inFlight++
        reply.raw.once('close', () => inFlight--)
        const isCsv = query.format === 'csv'
        const stream: Readable = isCsv
          ? csvOf(flatColumns(row), flattened(rows(ctx, range)))
          : ndjsonOf(rows(ctx, range))
        return reply
          .type(isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
          .header('Content-Disposition', `attachment; filename="${name}.${isCsv ? 'csv' : 'ndjson'}"`)
          .send(stream as never)
      },
    )
  }
})
