import { type Static, Type } from 'typebox'
import type { ScheduledJson } from '../../scheduled/scheduled-changes.ts'
import { FieldErrorSchema, MaybeTime, Time } from './shapes.ts'
import { DocumentRef } from './wheel-document.ts'

/** What all scheduled changes have. */
const scheduled = {
  at: Time,
  by: Type.String({ description: 'Who scheduled it.', examples: ['staff:anna@example.com'] }),
  scheduledAt: Time,
  failedAt: Type.Union(MaybeTime.anyOf, {
    description: 'When it failed. Nothing was changed then, and it is not tried again.',
  }),
  errors: Type.Array(FieldErrorSchema, { description: 'Why it failed.' }),
}

export const MomentBody = Type.String({
  format: 'date-time',
  description: 'A time in the next 366 days, written with its zone.',
  examples: ['2026-11-20T18:00:00+01:00'],
})

export const ScheduledPublication = Type.Object(
  {
    ...scheduled,
    timeZone: Type.String({ description: 'The time zone of the wheel.' }),
    draftRevision: Type.Integer({
      description: 'The revision of the draft that is published. Later edits are not in it.',
    }),
  },
  { title: 'ScheduledPublication' },
)

export const ScheduledWheel = Type.Object(
  { ...scheduled, wheel: Type.String({ description: 'The id of the wheel that the campaign gets.' }) },
  { title: 'ScheduledWheel' },
)

export const ScheduledPublicationAnswer = Type.Object(
  { ...ScheduledPublication.properties, wheel: Type.String(), document: DocumentRef },
  { title: 'ScheduledPublicationWithDocument' },
)
export type ScheduledPublicationAnswer = Static<typeof ScheduledPublicationAnswer>

export function shownPublication(change: ScheduledJson): Static<typeof ScheduledPublication> {
  const { timeZone, draftRevision } = change.order as { timeZone: string; draftRevision: number }
  return { ...shown(change), timeZone, draftRevision }
}

export function shownScheduledWheel(change: ScheduledJson): Static<typeof ScheduledWheel> {
  return { ...shown(change), wheel: (change.order as { wheel: string }).wheel }
}

function shown({ at, by, scheduledAt, failedAt, errors }: ScheduledJson) {
  return {
    at: new Date(at).toISOString(),
    by,
    scheduledAt: new Date(scheduledAt).toISOString(),
    failedAt: failedAt === null ? null : new Date(failedAt).toISOString(),
    errors: [...errors],
  }
}
