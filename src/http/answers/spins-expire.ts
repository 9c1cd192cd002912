import { Type } from 'typebox'

/** A player's spins that expire, as the game page needs them. */
export const SpinsExpire = Type.Array(
  Type.Object(
    { spins: Type.Integer(), expiresAt: Type.String({ format: 'date-time' }) },
    { title: 'ExpiringSpins' },
  ),
  {
    description:
      'The spins among them that expire, in the order in which they are used. All others never expire, and are used last.',
  },
)
