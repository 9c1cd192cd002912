import { type Static, Type } from 'typebox'
import { refusalReasons } from '../../prize-kinds/hold-rule.ts'
import { settledFieldSchemas } from '../../prize-kinds/prize-field-schemas.ts'
import { walletStates } from '../../wallet/wallet-prizes.ts'
import { Language } from './entry.ts'
import { LaterAnswersBody } from './later-forms.ts'
import { uuidPattern } from './patterns.ts'
import { MaybeTime, nullable, PrizeTexts, Time } from './shapes.ts'

const Token = Type.String({ minLength: 1, maxLength: 4096, description: 'The token of the wallet.' })

export const WalletOfGameBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 4096, description: 'The token from the game link.' }),
})

export const WalletOfGame = Type.Object(
  { token: Type.String({ description: 'The token of the wallet.' }), expiresAt: Time },
  { title: 'WalletOfGame' },
)

export const WalletBody = Type.Object({
  token: Token,
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Only prizes of plays before this one: `next` of the page before.',
    }),
  ),
})

const PlayId = Type.String({ pattern: uuidPattern })

export const WalletFormsBody = Type.Object({ token: Token, playId: PlayId, language: Language })

export const ClaimBody = Type.Object({
  token: Token,
  playId: PlayId,
  ...Type.Partial(Type.Omit(LaterAnswersBody, ['session'])).properties,
})

const WalletPrize = Type.Object(
  {
    playId: Type.String({ format: 'uuid', description: 'The id of the prize.' }),
    playNumber: Type.Integer(),
    campaign: Type.String(),
    wonAt: Time,
    state: Type.Enum([...walletStates], {
      description:
        '`to_claim`: the player can claim it here; `on_its_way`: its code is not there yet; `held`: the merchant checks it; `redeemed`, `expired`, `cancelled` and `refused` are final.',
    }),
    label: Type.String(),
    kind: Type.String(),
    title: nullable(Type.String()),
    instructions: nullable(Type.String()),
    ...settledFieldSchemas,
    number: nullable(
      Type.String({ description: 'What to show at the till, for a prize that is handed over.' }),
    ),
    claimBefore: MaybeTime,
    settledAt: MaybeTime,
    heldUntil: Type.Union([Time, Type.Null()], {
      description: 'By when a held prize should be checked. Null otherwise.',
    }),
    refusal: Type.Union([Type.Enum([...refusalReasons]), Type.Null()], {
      description: 'Why it was refused; null if it was not.',
    }),
    contact: Type.Union([Type.String(), Type.Null()], {
      description: "The merchant's address for objections, if it was refused and the merchant has set one.",
    }),
    translations: Type.Optional(Type.Record(Type.String(), PrizeTexts)),
  },
  { title: 'WalletPrize' },
)

export const WalletAnswer = Type.Object(
  {
    expiresAt: Type.String({ format: 'date-time', description: 'When the link to the wallet ends.' }),
    prizes: Type.Array(WalletPrize, { description: 'Newest first. Spins that were won are not among them.' }),
    next: nullable(Type.Integer({ description: 'The `before` of the next page; null at the end.' })),
    published: nullable(
      Type.String({
        description: 'The published wheel of the newest prize, which has the look of the page.',
      }),
    ),
    parentOrigins: Type.Array(Type.String(), {
      description: 'The origins that may show the page in a frame.',
    }),
    framePass: Type.String({
      description: 'Names the merchant in the address of a framed page, so that its frame can be reloaded.',
    }),
  },
  { title: 'Wallet' },
)
export type WalletAnswer = Static<typeof WalletAnswer>
