import { type Static, Type } from 'typebox'
import { NextPlay, nullable, PlayRef } from './common.ts'

const UnavailablePrize = Type.Object(
  {
    segment: Type.Integer({ description: 'An index into the segments of the version.' }),
    reason: Type.String({ description: 'As `fallbackReason` of a play.' }),
    until: nullable(
      Type.String({ format: 'date-time', description: 'When it can be won again, if that is known.' }),
    ),
  },
  { title: 'UnavailablePrize' },
)

export const GameSessionAnswer = Type.Object(
  {
    session: Type.String({ description: 'Signed token that plays; keep it in memory.' }),
    playerId: Type.String(),
    spinCount: Type.Integer({ description: 'The spins that the player can use now.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the session ends.' }),
    wheel: Type.Object(
      {
        state: Type.Enum(['open', 'paused', 'closed']),
        opensAt: nullable(Type.String({ format: 'date-time' })),
        closesAt: nullable(Type.String({ format: 'date-time', description: 'When it closes for good.' })),
        openUntil: nullable(
          Type.String({
            format: 'date-time',
            description: 'When a wheel that is open closes, for a while or for good.',
          }),
        ),
        hash: Type.String({ description: 'SHA-256 of `published`.' }),
        published: Type.String({
          description: 'What was published of the wheel, as the exact text that was hashed.',
        }),
        unavailable: Type.Array(UnavailablePrize, {
          description: 'The segments that this player would not get now: a draw of one gives the fallback.',
        }),
      },
      { title: 'GameWheel' },
    ),
    next: NextPlay,
    lastPlay: nullable(PlayRef),
    wins: Type.Array(PlayRef),
    parentOrigins: Type.Array(Type.String(), {
      description: 'The origins that may show the game in a frame.',
    }),
    framePass: Type.String({
      description: 'Names the merchant in the address of a framed page, so that its frame can be reloaded.',
    }),
  },
  { title: 'GameSession' },
)
export type GameSessionAnswer = Static<typeof GameSessionAnswer>
