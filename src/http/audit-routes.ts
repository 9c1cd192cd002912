import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { untilDone } from '../db/database.ts'
import { type AuditEntry, readAuditLog } from '../merchants/audit-log.ts'
import { type authenticator, callingMerchant } from './authenticate.ts'
import { limitOf, makeCursor, PageOf, pageQuery, picked, readCursor } from './paging.ts'
import { merchantRefusals, nullable, problemResponses, Time } from './schemas.ts'

const Summary = Type.Object({}, { additionalProperties: true })

export const AuditAnswer = Type.Object(
  {
    entry: Type.Integer(),
    at: Time,
    actor: Type.Object(
      {
        kind: Type.Enum(['token', 'staff', 'command', 'worker']),
        id: Type.String({ description: 'The identifier of a token, for example.' }),
        name: nullable(Type.String()),
      },
      { title: 'Actor' },
    ),
    action: Type.String({ examples: ['player.correct'] }),
    subjectKind: Type.String({ examples: ['player'] }),
    subject: nullable(Type.String({ description: 'What was changed. A player by the id that it has now.' })),
    before: nullable(Summary),
    after: nullable(Summary),
    requestId: nullable(Type.String()),
  },
  { title: 'AuditEntry' },
)

/** Who changed what. */
export function auditRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app
    const Word = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

    app.get(
      '/api/v1/audit-log',
      {
        onRequest: authenticate('manage', 'read'),
        schema: {
          tags: ['Audit'],
          security: [{ serviceToken: [] }],
          operationId: 'listAuditLog',
          summary: 'List who changed what',
          description: 'Newest first. Entries are never changed or deleted.',
          querystring: Type.Object({
            ...pageQuery,
            action: Type.Optional(Word),
            subjectKind: Type.Optional(Word),
            actorId: Type.Optional(Word),
          }),
          response: { 200: PageOf('entries', AuditAnswer), ...problemResponses(...merchantRefusals) },
        },
      },
      async (request) => {
        const { query } = request
        const { merchantId } = callingMerchant(request)
        const limit = limitOf(query)
        const [before] = readCursor(query, Type.Tuple([EntryNo])) ?? [Number.MAX_SAFE_INTEGER]
        const filter = {
          action: query.action ?? null,
          subjectKind: query.subjectKind ?? null,
          actorId: query.actorId ?? null,
        }
        const entries = await untilDone(() => readAuditLog(ctx.db, merchantId, { before, limit, filter }))
        const last = entries.length === limit ? entries.at(-1) : undefined
        return {
          entries: picked(entries.map(shownAuditEntry), query, AuditAnswer),
          next: last === undefined ? null : makeCursor([last.entryNo]),
        }
      },
    )
  }
}

const EntryNo = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export function shownAuditEntry(entry: AuditEntry): Static<typeof AuditAnswer> {
  return {
    entry: entry.entryNo,
    at: entry.at.toISOString(),
    actor: { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
    action: entry.action,
    subjectKind: entry.subjectKind,
    subject: entry.subject,
    before: entry.before,
    after: entry.after,
    requestId: entry.requestId,
  }
}
