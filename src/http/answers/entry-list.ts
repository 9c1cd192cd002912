import { type Static, Type } from 'typebox'
import type { ListedVisitor } from '../../entries/list-entries.ts'
import { type Page, PageOf } from './page.ts'
import { MaybeTime, nullable, Time } from './shapes.ts'

/** The entries of a campaign, as its merchant reads them. */

const Consent = Type.Object(
  {
    field: Type.String(),
    purpose: Type.Enum(['marketing', 'other']),
    givenAt: Time,
    confirmedAt: Type.Union(MaybeTime.anyOf, {
      description: 'When a code proved the address. Send marketing mail only then.',
    }),
    withdrawnAt: MaybeTime,
  },
  { title: 'EntryConsent' },
)

export const VisitorEntry = Type.Object(
  {
    id: Type.String(),
    campaign: Type.String(),
    playerId: Type.String(),
    enteredAt: Time,
    verifiedAt: Type.Union(MaybeTime.anyOf, {
      description: 'When a code proved the address; null if none did.',
    }),
    language: Type.String(),
    formVersion: Type.Integer(),
    address: nullable(Type.String({ description: 'As typed. Null once the answers are deleted.' })),
    answers: nullable(
      Type.Object({}, { additionalProperties: true, description: 'By the ids of the fields.' }),
    ),
    consents: Type.Array(Consent),
  },
  { title: 'VisitorEntry' },
)

export const EntryCodesAnswer = Type.Object(
  {
    codes: Type.Array(
      Type.Object({
        address: Type.String({ description: 'As typed.' }),
        code: Type.String(),
        expiresAt: Time,
        attemptsLeft: Type.Integer(),
      }),
    ),
  },
  { title: 'EntryCodes' },
)
export type EntryCodesAnswer = Static<typeof EntryCodesAnswer>

export const VisitorEntriesAnswer = PageOf('entries', VisitorEntry)
export type VisitorEntriesAnswer = Page<'entries', ReturnType<typeof shownVisitor>>

export function shownVisitor({ enteredAt, verifiedAt, ...entry }: ListedVisitor) {
  return {
    ...entry,
    enteredAt: enteredAt.toISOString(),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    consents: entry.consents.map((consent) => ({
      ...consent,
      givenAt: new Date(consent.givenAt).toISOString(),
      confirmedAt: momentOf(consent.confirmedAt),
      withdrawnAt: momentOf(consent.withdrawnAt),
    })),
  }
}

function momentOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}
