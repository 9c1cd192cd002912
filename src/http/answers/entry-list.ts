import { type Static, Type } from 'typebox'
import type { VisitorConsent } from '../../entries/consents.ts'
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

export const ConsentsAnswer = Type.Object(
  {
    consents: Type.Array(
      Type.Object({ campaign: Type.String(), ...Consent.properties }, { title: 'VisitorConsent' }),
    ),
  },
  { title: 'VisitorConsents' },
)

export function shownConsent({ givenAt, confirmedAt, withdrawnAt, ...consent }: VisitorConsent) {
  return {
    ...consent,
    givenAt: givenAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  }
}

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

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const figures = {
  opened: Count('How often the page was opened while visitors could enter.'),
  submitted: Count('How often the form was sent, also with errors.'),
  entered: Count('Who entered on the day.'),
  verified: Count('Of those, who proved the address by now.'),
  played: Count('Of those, who has played in the campaign by now.'),
  won: Count('Of those, who has won in the campaign by now.'),
  claimed: Count('Of those, who has claimed a prize of the campaign by now.'),
  refusals: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: 'How often visitors were refused, by the code of the refusal.',
  }),
}

const Figures = Type.Object(figures, { title: 'EntryFiguresSum' })

export const EntryFiguresAnswer = Type.Object(
  {
    campaign: Type.String(),
    from: Type.String(),
    to: Type.String(),
    total: Figures,
    days: Type.Array(Type.Object({ day: Type.String(), ...figures }, { title: 'EntryFiguresOfDay' })),
  },
  { title: 'EntryFigures' },
)
export type EntryFiguresAnswer = Static<typeof EntryFiguresAnswer>

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
