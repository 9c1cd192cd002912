import { Type } from 'typebox'
import { Campaign, PlayerId } from './event-fields.ts'

/** The fields of events about visitors. Answers and addresses are never in events. */

export const entryTitles = {
  created: 'A visitor entered a campaign.',
  verified: 'A code proved the address of a visitor who had entered before.',
  answered: 'A visitor answered the form after a win, or the one to claim a prize.',
  refused: 'A visitor was refused. Nothing about the visitor is kept.',
  withdrawn: 'A visitor withdrew consents. Send nothing any more that needs them.',
}

const entryId = Type.String({
  format: 'uuid',
  description: 'The id of the entry.',
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72'],
})

const consent = {
  field: Type.String({ description: 'The id of the field.', examples: ['news'] }),
  purpose: Type.Enum(['marketing', 'other'], { examples: ['marketing'] }),
}

const withdrawn = {
  playerId: PlayerId,
  entryId,
  consents: Type.Array(Type.Object(consent), {
    description: 'What was withdrawn.',
    examples: [[{ field: 'news', purpose: 'marketing' }]],
  }),
}

const entered = {
  playerId: PlayerId,
  entryId,
  consents: Type.Array(
    Type.Object({
      ...consent,
      state: Type.Enum(['given', 'confirmed'], {
        description: '`confirmed`: a code proved the address. Send marketing mail only then.',
        examples: ['confirmed'],
      }),
    }),
    { description: 'What the visitor agreed to.', examples: [[]] },
  ),
}

const asked = Type.Enum(['afterWin', 'toClaim'], {
  description: 'Which form it was.',
  examples: ['toClaim'],
})

const isVerified = Type.Boolean({
  description: 'Whether a code proved the address.',
  examples: [true],
})

const reason = Type.Enum(['entry_known', 'entry_too_young', 'address_disposable'], {
  description: 'The code of the refusal.',
  examples: ['entry_known'],
})

export const entryFields = {
  created: { ...entered, isVerified, campaign: Campaign },
  verified: { ...entered, campaign: Campaign },
  refused: { reason, campaign: Campaign },
  answered: { ...entered, asked, campaign: Campaign },
  withdrawn: { ...withdrawn, campaign: Campaign },
}
