import { Type } from 'typebox'

export const streakTitle =
  'A player has collected free spins, and the streak has grown or begun anew. Periods in which the game was closed, paused or down break no streak. A streak that is over is noticed when the player comes back.'

export const streakFields = {
  oldStreak: Type.Integer({ minimum: 0, description: 'The streak before; 0 for none.', examples: [6] }),
  newStreak: Type.Integer({ minimum: 1, description: 'The streak now.', examples: [7] }),
  bestStreak: Type.Integer({ minimum: 1, description: "The player's longest streak.", examples: [12] }),
  extraSpins: Type.Integer({
    minimum: 0,
    description: 'Extra spins for a streak of this length, among those that were collected.',
    examples: [3],
  }),
}
