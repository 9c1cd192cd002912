import { type Static, Type } from 'typebox'
import type { GrantVerdict } from '../../grants/grant.ts'
import { refusalText } from '../../refusals.ts'
import { nullable } from './shapes.ts'

export const GrantVerdictAnswer = Type.Object(
  {
    playerId: Type.String(),
    outcome: Type.Enum(['granted', 'replayed', 'refused']),
    spinCount: nullable(Type.Integer({ description: "The player's spins right after it." })),
    code: nullable(Type.String({ description: 'Why it was refused: a code as in problem documents.' })),
    detail: nullable(Type.String()),
  },
  { title: 'GrantVerdict' },
)
export type GrantVerdictAnswer = Static<typeof GrantVerdictAnswer>

export const GrantBatchAnswer = Type.Object({
  granted: Type.Integer(),
  refused: Type.Integer(),
  verdicts: Type.Array(GrantVerdictAnswer),
})
export type GrantBatchAnswer = Static<typeof GrantBatchAnswer>

export function shownVerdict(verdict: GrantVerdict, playerId: string): GrantVerdictAnswer {
  const { outcome } = verdict
  if (verdict.outcome !== 'refused')
    return { playerId, outcome, spinCount: verdict.balance, code: null, detail: null }
  const { code, detail = refusalText(code).title } = verdict
  return { playerId, outcome, spinCount: null, code, detail }
}
