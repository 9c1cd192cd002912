import { Type } from 'typebox'

/** The fields of events about visitors. Answers and addresses are never in events. */

export const entryTitles = {
  created: 'A visitor entered a campaign.',
  verified: 'A code proved the address of a visitor who had entered before.',
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

export const withdrawalFields = {
  entryId,
  consents: Type.Array(Type.Object(consent), {
    description: 'What was withdrawn.',
    examples: [[{ field: 'news', purpose: 'marketing' }]],
  }),
}

export const entryFields = {
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

export const isVerified = Type.Boolean({
  description: 'Whether a code proved the address.',
  examples: [true],
})

export const refusalOfEntry = Type.Enum(['entry_known', 'entry_too_young', 'address_disposable'], {
  description: 'The code of the refusal.',
  examples: ['entry_known'],
})
