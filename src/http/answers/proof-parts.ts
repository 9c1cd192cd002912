import { Type } from 'typebox'

/** What a play met on its way through the paces. */
export const Gate = Type.Object(
  {
    segment: Type.Union([
      Type.Integer({ description: 'The paced prize. Null for the budget, which counts cents.' }),
      Type.Null(),
    ]),
    run: Type.Integer({ description: 'The run, as published.' }),
    released: Type.Integer({ description: 'How many units were released at that moment.' }),
    awards: Type.Integer({ description: 'How many units were given before.' }),
    returned: Type.Integer({ description: 'How many of them had come back.' }),
    head: Type.String({ description: 'The hash over all awards before, in hex.' }),
    reason: Type.Optional(
      Type.String({ description: 'Why the last call passed over this prize although it was released.' }),
    ),
  },
  { title: 'PaceGate' },
)

export const Forced = Type.Literal(true, {
  description: 'The outcome was asked for, in a test. The play never verifies.',
})
