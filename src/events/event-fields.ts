import { Type } from 'typebox'
import { prizeKindNames } from '../prize-kinds/prize-kinds.ts'

/** The fields that many events have. */

export const PlayerId = Type.String({ description: 'Your identifier of the player.', examples: ['alice'] })
export const PlayId = Type.String({
  format: 'uuid',
  description: "The id of the play, unique among the player's plays.",
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70'],
})
export const PrizeId = Type.String({ description: 'The id of the prize on its wheel.', examples: ['coffee'] })
export const Label = Type.String({ description: 'The text on the wheel.', examples: ['Free coffee'] })
export const PrizeKind = Type.Enum(prizeKindNames, {
  description: 'The kind of the prize, as in the wheel document.',
  examples: ['pool'],
})
export const Wheel = Type.String({ description: 'The id of the wheel.', examples: ['main'] })
export const Moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-12-01T12:00:00.000Z'] })
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

export const Campaign = Type.Optional(
  Type.String({ description: 'The id of the campaign. Missing for `main`.', examples: ['summer'] }),
)
export const By = Type.String({ description: 'Who did it.', examples: ['token:acme-3f9c'] })
