import { type Static, Type } from 'typebox'
import { NextPlay, PlayRef, Time } from './shapes.ts'
import { FreeSpinsAnswer } from './free-spins.ts'

/** A player's spins that expire, as the game page needs them. */
export const SpinsExpire = Type.Array(
  Type.Object({ spins: Type.Integer(), expiresAt: Time }, { title: 'ExpiringSpins' }),
  {
    description:
      'The spins among them that expire, in the order in which they are used. All others never expire, and are used last.',
  },
)

export const PlayAnswer = Type.Object({
  play: PlayRef,
  spinCount: Type.Integer(),
  spinsExpire: Type.Optional(SpinsExpire),
  free: Type.Optional(FreeSpinsAnswer),
  next: NextPlay,
})
export type PlayAnswer = Static<typeof PlayAnswer>
