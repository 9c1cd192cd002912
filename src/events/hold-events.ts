import { Type } from 'typebox'
import { refusalReasons } from '../prize-kinds/hold-rule.ts'
import { Campaign, Label, Moment, PlayerId, PlayId, PrizeId, PrizeKind, Wheel } from './event-fields.ts'

/** The fields of events about prizes that staff check first. A code is in none of them: it comes with `prize.won`. */

export const holdTitles = {
  held: 'A player has won a prize that is held until staff have checked it. `prize.won` follows if they release it.',
  released: 'A held prize was released. `prize.won` is the next event.',
  refused: 'A held prize was refused. The player does not get it.',
}

const held = {
  playerId: PlayerId,
  playId: PlayId,
  prizeId: PrizeId,
  wheel: Wheel,
  label: Label,
  kind: PrizeKind,
  heldUntil: Moment('By when the player is told to expect the decision.'),
  campaign: Campaign,
}
const refused = {
  reason: Type.Enum([...refusalReasons], {
    description: 'The reason that the player reads.',
    examples: ['terms_not_met'],
  }),
}
export const holdFields = { held, refused }
