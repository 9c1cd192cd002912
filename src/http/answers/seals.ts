import { type Static, Type } from 'typebox'
import type { Seal } from '../../integrity/seal-hash.ts'
import { nullable, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

export const SealAnswer = Type.Object(
  {
    seal: Type.Integer({ description: 'Counts up from 1.' }),
    at: Time,
    entries: Type.Integer({ description: 'How many entries of the ledger it covers.' }),
    plays: Type.Integer(),
    hash: Type.String({
      description: 'The hash over everything that this seal and all seals before it cover.',
      examples: ['5c6b…'],
    }),
    keyId: nullable(Type.String({ description: 'The key that it was made with; null for none.' })),
  },
  { title: 'Seal' },
)
export type SealAnswer = Static<typeof SealAnswer>

export const SealsAnswer = PageOf('seals', SealAnswer)
export type SealsAnswer = Page<'seals', SealAnswer>

export function shownSeal({ sealNo, sealedAt, entries, plays, hash, keyId }: Seal): SealAnswer {
  return { seal: sealNo, at: sealedAt.toISOString(), entries, plays, hash, keyId }
}
