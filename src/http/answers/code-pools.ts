import { type Static, Type } from 'typebox'
import type { CodePool } from '../../stock/code-pools.ts'
import { Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

export const PoolAnswer = Type.Object(
  {
    pool: Type.String(),
    uploaded: Type.Integer(),
    taken: Type.Integer(),
    left: Type.Integer(),
    createdAt: Time,
  },
  { title: 'CodePool' },
)
export type PoolAnswer = Static<typeof PoolAnswer>

export const PoolsAnswer = PageOf('pools', PoolAnswer)
export type PoolsAnswer = Page<'pools', PoolAnswer>

export const UploadAnswer = Type.Object({ added: Type.Integer() })
export type UploadAnswer = Static<typeof UploadAnswer>

export const StreamedCodesAnswer = Type.Object({ read: Type.Integer(), added: Type.Integer() })
export type StreamedCodesAnswer = Static<typeof StreamedCodesAnswer>

export function shownPool({ pool, uploaded, taken, createdAt }: CodePool): PoolAnswer {
  return { pool, uploaded, taken, left: uploaded - taken, createdAt: createdAt.toISOString() }
}
