import { Type } from 'typebox'
import { withheldReasons } from '../../plays/describe-play.ts'

/** Of a prize: why how to use it is left out. */
export const withheldFields = {
  withheld: Type.Optional(
    Type.Enum([...withheldReasons], {
      description:
        'Why how to use it is left out: `claim`: until the visitor has claimed it by `claimOwnPrize`; `check`: until the merchant has checked and released it; `refused`: for good. Missing otherwise.',
    }),
  ),
  heldUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'By when the merchant wants to have checked it. Missing if it is not being checked.',
    }),
  ),
}
