import { type Static, Type } from 'typebox'
import type { AuditEntry } from '../../audit-log/audit-log.ts'
import { nullable, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

const Summary = Type.Object({}, { additionalProperties: true })

export const AuditAnswer = Type.Object(
  {
    entry: Type.Integer(),
    at: Time,
    actor: Type.Object(
      {
        kind: Type.Enum(['token', 'staff', 'command', 'worker']),
        id: Type.String({ description: 'For example the identifier of a token.' }),
        name: nullable(Type.String()),
      },
      { title: 'Actor' },
    ),
    action: Type.String({ examples: ['player.correct'] }),
    subjectKind: Type.String({ examples: ['player'] }),
    subject: nullable(Type.String({ description: 'What was changed. A player has its current id.' })),
    before: nullable(Summary),
    after: nullable(Summary),
    requestId: nullable(Type.String()),
  },
  { title: 'AuditEntry' },
)
export type AuditAnswer = Static<typeof AuditAnswer>

export const AuditPageAnswer = PageOf('entries', AuditAnswer)
export type AuditPageAnswer = Page<'entries', AuditAnswer>

export function shownAuditEntry(entry: AuditEntry): AuditAnswer {
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
