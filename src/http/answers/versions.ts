import { type Static, Type } from 'typebox'
import { Time } from './shapes.ts'
import { VersionHash } from './proof-parts.ts'
import { DocumentRef } from './wheel-document.ts'

export const VersionAnswer = Type.Object(
  {
    wheel: Type.String(),
    version: Type.Integer(),
    hash: VersionHash,
    publishedAt: Time,
    document: DocumentRef,
  },
  { title: 'WheelVersion' },
)
export type VersionAnswer = Static<typeof VersionAnswer>

export const VersionsAnswer = Type.Object({
  versions: Type.Array(
    Type.Object(
      {
        version: Type.Integer(),
        hash: VersionHash,
        publishedAt: Type.String({ format: 'date-time' }),
      },
      { title: 'WheelVersionSummary' },
    ),
  ),
  stocks: Type.Array(
    Type.Object(
      {
        prize: Type.String(),
        stock: Type.Union([Type.Integer(), Type.Null()]),
        given: Type.Integer(),
      },
      { title: 'PrizeStock' },
    ),
  ),
})
export type VersionsAnswer = Static<typeof VersionsAnswer>

export const PublicationAnswer = Type.Object({ version: Type.Integer(), hash: VersionHash })
export type PublicationAnswer = Static<typeof PublicationAnswer>

export const DifferenceAnswer = Type.Object({
  changes: Type.Array(
    Type.Object(
      {
        path: Type.String({ examples: ['/segments/coffee/weight'] }),
        before: Type.Optional(Type.Unknown({ description: 'Missing if the field is new.' })),
        after: Type.Optional(Type.Unknown({ description: 'Missing if the field was removed.' })),
      },
      { title: 'WheelChange' },
    ),
  ),
})
export type DifferenceAnswer = Static<typeof DifferenceAnswer>

export function shownVersion(row: { version: number; sha256: string; publishedAt: Date }) {
  return { version: row.version, hash: row.sha256, publishedAt: row.publishedAt.toISOString() }
}

export function shownStock(row: { prizeId: string; stock: number | null; given: number }) {
  return { prize: row.prizeId, stock: row.stock, given: row.given }
}
