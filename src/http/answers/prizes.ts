import { type Static, Type } from 'typebox'
import { holdCauses } from '../../prize-kinds/hold-rule.ts'
import { settledFieldSchemas } from '../../prize-kinds/prize-field-schemas.ts'
import { settledFields, settledPrizeKinds, type SettledValues } from '../../prize-kinds/prize-kinds.ts'
import { prizeNumber } from '../../prize-kinds/prize-number.ts'
import type { ListedPrize } from '../../prizes/prize-lists.ts'
import { prizeStates } from '../../prizes/prize-settlements.ts'
import { MaybeTime, nullable, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

export const PrizeAnswer = Type.Object(
  {
    playId: Type.String({ format: 'uuid', description: 'The id of the prize: a play wins at most one.' }),
    playerId: Type.String(),
    wheel: Type.String(),
    wheelVersion: Type.Integer(),
    prizeId: Type.String({ description: 'The id of the segment.' }),
    kind: Type.Enum(settledPrizeKinds),
    label: Type.String(),
    ...settledFieldSchemas,
    wonAt: Time,
    claimBefore: MaybeTime,
    state: Type.Enum([...prizeStates]),
    claimedAt: MaybeTime,
    settledAt: Type.Union([Time, Type.Null()], {
      description: 'When it was redeemed, cancelled, refused or expired.',
    }),
    settledBy: nullable(Type.String({ examples: ['token:acme-3f9c'] })),
    reason: nullable(Type.String()),
    stockReturned: Type.Boolean({
      description: 'Whether a cancelled or refused prize went back into its stock.',
    }),
    reversibleUntil: Type.Union([Time, Type.Null()], {
      description: 'Until when the redemption can be taken back; null if it cannot.',
    }),
    reversedAt: Type.Union([Time, Type.Null()], {
      description: 'When a redemption was last taken back. The audit log has the reason.',
    }),
    heldUntil: Type.Union([Time, Type.Null()], {
      description: 'By when it should be checked, if it is held. Null otherwise.',
    }),
    heldBecause: Type.Union([Type.Enum([...holdCauses]), Type.Null()], {
      description: 'The condition that held it, even if it was decided since. Null if it was never held.',
    }),
    campaign: Type.String(),
    number: Type.Union([Type.String(), Type.Null()], {
      description:
        'What the player of a prize that is handed over shows at the till. Other prizes have none.',
      examples: ['6GX4R-2K9QD'],
    }),
  },
  { title: 'Prize' },
)
export type PrizeAnswer = Static<typeof PrizeAnswer>

export const PrizesAnswer = PageOf('prizes', PrizeAnswer)
export type PrizesAnswer = Page<'prizes', PrizeAnswer>

export function shownPrize(prize: ListedPrize): PrizeAnswer {
  return {
    playId: prize.playId,
    playerId: prize.playerId,
    wheel: prize.wheel,
    wheelVersion: prize.wheelVersion,
    prizeId: prize.prizeId,
    kind: prize.kind as PrizeAnswer['kind'],
    label: prize.label,
    ...settledValues(prize),
    wonAt: prize.createdAt.toISOString(),
    claimBefore: prize.claimBefore?.toISOString() ?? null,
    state: prize.state,
    claimedAt: prize.claimedAt?.toISOString() ?? null,
    settledAt: prize.settledAt?.toISOString() ?? null,
    settledBy: prize.settledBy,
    reason: prize.reason,
    stockReturned: prize.stockReturned,
    reversibleUntil: prize.reversibleUntil?.toISOString() ?? null,
    reversedAt: prize.reversedAt?.toISOString() ?? null,
    heldUntil: prize.heldUntil?.toISOString() ?? null,
    heldBecause: prize.heldBecause,
    campaign: prize.campaign,
    number:
      prize.kind === 'handover'
        ? prizeNumber({ playId: prize.playId, wonAt: prize.createdAt.toISOString() })
        : null,
  }
}

function settledValues(prize: SettledValues): SettledValues {
  return Object.fromEntries(settledFields.map((field) => [field, prize[field]])) as SettledValues
}
