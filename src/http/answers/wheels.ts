import { type Static, Type } from 'typebox'
import { WheelDocument } from '../../wheels/wheel-document.ts'
import type { Wheel } from '../../wheels/wheel-types.ts'
import { FieldErrorSchema, MaybeTime, nullable } from './common.ts'

/** The document as a component of its own: it is large, and several answers have it. */
export const DocumentRef = Type.Unsafe<WheelDocument>(Type.Ref('WheelDocument'))

export const WheelSummary = Type.Object(
  {
    wheel: Type.String(),
    name: Type.String(),
    draftRevision: Type.Integer({ description: 'Also the ETag. Send it as If-Match with a change.' }),
    publishedVersion: Type.Union([Type.Integer(), Type.Null()]),
    pausedAt: MaybeTime,
  },
  { title: 'WheelSummary' },
)
export type WheelSummary = Static<typeof WheelSummary>

export const WheelsAnswer = Type.Object({ wheels: Type.Array(WheelSummary) })
export type WheelsAnswer = Static<typeof WheelsAnswer>

export const WheelAnswer = Type.Object(
  {
    ...WheelSummary.properties,
    draft: DocumentRef,
  },
  { title: 'Wheel' },
)
export type WheelAnswer = Static<typeof WheelAnswer>

const Simulation = Type.Object(
  {
    playsPerDay: Type.Integer(),
    costPerPlay: Type.Number(),
    costPerDay: Type.Number(),
    prizes: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          label: Type.String(),
          chance: Type.Number({ description: 'From 0 to 1.' }),
          winsPerDay: Type.Number(),
          costPerDay: Type.Number(),
          stockLastsDays: nullable(
            Type.Number({ description: 'Days until the stock is empty; null for never.' }),
          ),
        },
        { title: 'SimulatedPrize' },
      ),
    ),
  },
  { title: 'Simulation' },
)

export const SimulationAnswer = Type.Object({
  errors: Type.Array(FieldErrorSchema),
  simulation: Simulation,
})
export type SimulationAnswer = Static<typeof SimulationAnswer>

export function shownWheel(wheel: Wheel): WheelAnswer {
  return {
    wheel: wheel.slug,
    name: wheel.draft.name,
    draftRevision: wheel.draftRevision,
    publishedVersion: wheel.publishedVersion,
    pausedAt: wheel.pausedAt?.toISOString() ?? null,
    draft: wheel.draft,
  }
}
