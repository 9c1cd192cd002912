import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { AuditFilter } from '../../../audit-log/audit-log.ts'
import { untilDone } from '../../../db/database.ts'
import { findPlayer } from '../../../players/players.ts'
import { callingMerchant } from '../../authenticate.ts'
import { momentIn } from '../query.ts'
import { linePattern } from '../../answers/patterns.ts'

const Word = Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

/** The filters of the audit log, in its list and in its export. */
export const auditFilters = {
  action: Type.Optional(Word),
  subjectKind: Type.Optional(Word),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      pattern: linePattern,
      description: 'The exact id of the changed player, wheel, token, webhook, play …',
    }),
  ),
  actorId: Type.Optional(Word),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: linePattern,
      description: "A part of the actor's name or id, in any case.",
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'At or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time.' })),
}

const AuditFilters = Type.Object(auditFilters)

/** The log stores the number of a player, so its id is looked up. */
export async function auditFilterOf(
  request: FastifyRequest,
  query: Static<typeof AuditFilters>,
): Promise<AuditFilter> {
  const { db } = request.server.ctx
  const { merchantId } = callingMerchant(request)
  const { action, subjectKind, subject: id, actorId, actor } = query
  const name = { merchantId, playerId: id ?? '' }
  return {
    action,
    subjectKind,
    actorId,
    actor,
    subject:
      id === undefined ? undefined : { id, player: await untilDone(() => findPlayer(db, name, new Date())) },
    from: momentIn('from', query.from) ?? undefined,
    to: momentIn('to', query.to) ?? undefined,
  }
}
