import { Type } from 'typebox'
import { hashPattern } from './patterns.ts'

/** What a play met on its way through the paces. */
export const Gate = Type.Object(
  {
    segment: Type.Union([
      Type.Integer({ description: 'The paced prize. Null for the budget, which counts cents.' }),
      Type.Null(),
    ]),
    run: Type.Integer({ description: 'The run, as published.' }),
    head: Type.String({
      description:
        'The hash over all awards before, in hex. It fixes how many units were given and had come back. These numbers, and how many were released, follow from the run, which is public after its end.',
    }),
    reason: Type.Optional(
      Type.String({ description: 'Why the last call passed over this prize although it was released.' }),
    ),
  },
  { title: 'PaceGate' },
)

export const Forced = Type.Literal(true, {
  description: 'The outcome was asked for, in a test. The play never verifies.',
})

/** The published text is not the document: it has only what players may know and what proofs need. */
export const VersionHash = Type.String({
  pattern: hashPattern,
  description:
    'SHA-256, in lower-case hexadecimal, of the published text of the version: of exactly the bytes that `GET /api/v1/game/versions/{hash}` answers with. They are the UTF-8 bytes of `wheel.published` of a session. It is not the hash of `document`.',
})
