import { Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { readAuditLog } from '../../audit-log/audit-log.ts'
import { findPlayer } from '../../players/players.ts'
import { callingMerchant } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { cursorAfter, newestFirstBig, pageQuery, picked, readPage } from './paging.ts'
import { momentIn } from './query.ts'
import { AuditAnswer, AuditPageAnswer, shownAuditEntry } from '../answers/audit-log.ts'

/** The audit log. */
export const auditRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app
  const Word = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

  app.get(
    '/api/v1/audit-log',
    {
      schema: {
        operationId: 'listAuditLog',
        summary: 'List the audit log',
        description:
          'Newest first. Entries are never changed or deleted. With filters, a page may be short or empty and still have a `next`.',
        querystring: Type.Object({
          ...pageQuery,
          action: Type.Optional(Word),
          subjectKind: Type.Optional(Word),
          subject: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 300,
              pattern: '^[^\\p{Cc}\\p{Cs}]+$',
              description: 'The exact id of the changed player, wheel, token, webhook, play …',
            }),
          ),
          actorId: Type.Optional(Word),
          actor: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              pattern: '^[^\\p{Cc}\\p{Cs}]+$',
              description: "A part of the actor's name or id, in any case.",
            }),
          ),
          from: Type.Optional(Type.String({ format: 'date-time', description: 'At or after this time.' })),
          to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time.' })),
        }),
        response: { 200: AuditPageAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(query, newestFirstBig)
      const [before] = start
      const { action, subjectKind, subject, actorId, actor } = query
      const filter = {
        action,
        subjectKind,
        actorId,
        actor,
        subject: subject === undefined ? undefined : await subjectOf(merchantId, subject),
        from: momentIn('from', query.from) ?? undefined,
        to: momentIn('to', query.to) ?? undefined,
      }
      const page = { before, limit, filter }
      const { entries, next } = await untilDone(() => readAuditLog(ctx.db, merchantId, page))
      return {
        entries: picked(entries.map(shownAuditEntry), query, AuditAnswer),
        next: cursorAfter(next, (entryNo) => [entryNo]),
      }
    },
  )

  /** The log has the number of a player, so its id is looked up. */
  const subjectOf = async (merchantId: number, id: string) => {
    const player = await untilDone(() => findPlayer(ctx.db, { merchantId, playerId: id }))
    return { id, player }
  }
})
