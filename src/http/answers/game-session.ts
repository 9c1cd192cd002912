import { type Static, Type } from 'typebox'
import type { LobbyCard } from '../../plays/lobby.ts'
import { NextPlay, nullable, PlayRef } from './shapes.ts'
import { FreeSpinsAnswer } from './free-spins.ts'
import { SpinsExpire } from './game-plays.ts'

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

const Name = Type.String({
  description:
    'A name that the merchant wrote for players, else the title of the wheel; empty if there is none. Never the name in the console.',
})
export const Texts = Type.Record(
  Type.String(),
  Type.Object({ name: Type.Optional(Type.String()), description: Type.Optional(Type.String()) }),
  { description: 'Name and description by language (BCP 47), if the merchant wrote some.' },
)
const State = Type.Enum(['open', 'paused', 'closed'])
const NextTime = (description: string) => nullable(Type.String({ format: 'date-time', description }))

const LobbyCampaign = Type.Object(
  {
    campaign: Type.String({ description: 'Its id: open it with `campaign` of `openGameSession`.' }),
    name: Name,
    texts: Texts,
    state: State,
    spinCount: Type.Integer({
      description: 'The spins that the player can use in it now, with free spins that are not collected yet.',
    }),
    opensAt: NextTime('When it opens next; null if it is open.'),
    closesAt: NextTime('When it closes for good.'),
    timeZone: Type.String({ description: 'The time zone of the wheel.' }),
    wheel: Type.Object(
      {
        name: Type.String(),
        hash: Type.String({ description: 'Of the published wheel, at `/api/v1/game/versions/{hash}`.' }),
        theme: nullable(Type.String()),
        segments: Type.Array(
          Type.Object(
            { label: Type.String(), color: Type.String(), icon: nullable(Type.String()) },
            { title: 'LobbySegment' },
          ),
        ),
      },
      { title: 'LobbyWheel', description: 'Enough to draw the wheel in small.' },
    ),
  },
  { title: 'LobbyCampaign' },
)

export const LobbyAnswer = Type.Object(
  {
    playerId: Type.String(),
    expiresAt: Type.String({ format: 'date-time', description: 'When the link ends.' }),
    campaigns: Type.Array(LobbyCampaign, {
      description: 'The best one first. Those that are over are missing.',
    }),
    parentOrigins: Type.Array(Type.String()),
    framePass: Type.String(),
  },
  { title: 'Lobby' },
)
export type LobbyAnswer = Static<typeof LobbyAnswer>

export function shownCard(card: LobbyCard): LobbyAnswer['campaigns'][number] {
  const { slug, wheel, state, spins, opensAt, closesAt } = card
  const { document } = wheel
  return {
    campaign: slug,
    name: wheel.nameForPlayers,
    texts: wheel.campaignTexts,
    state,
    spinCount: spins,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    timeZone: document.timeZone,
    wheel: {
      name: document.name,
      hash: wheel.sha256,
      theme: document.look?.theme ?? null,
      segments: document.segments.map(({ label, color, icon = null }) => ({ label, color, icon })),
    },
  }
}

export const GameWheel = Type.Object(
  {
    state: State,
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
)

export const GameSessionAnswer = Type.Object(
  {
    session: Type.String({ description: 'Signed token that plays; keep it in memory.' }),
    playerId: Type.String(),
    spinCount: Type.Integer({ description: 'The spins that the player can use now.' }),
    spinsExpire: SpinsExpire,
    free: Type.Union(nullable(FreeSpinsAnswer).anyOf, {
      description: 'Free spins that come back; null if the campaign has none.',
    }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the session ends.' }),
    campaign: Type.Object(
      {
        campaign: Type.String({ description: 'The id of the campaign that was opened.' }),
        name: Name,
        texts: Texts,
        hasLobby: Type.Boolean({
          description: 'Whether the link leads to the lobby: `openLobby` then lists what else it can open.',
        }),
      },
      { title: 'GameCampaign' },
    ),
    wheel: GameWheel,
    next: NextPlay,
    lastPlay: nullable(PlayRef),
    wins: Type.Array(PlayRef),
    settledWins: Type.Array(
      Type.Object(
        {
          playNumber: Type.Integer(),
          state: Type.Union([
            Type.Literal('redeemed'),
            Type.Literal('cancelled'),
            Type.Literal('expired'),
            Type.Literal('refused'),
          ]),
        },
        { title: 'SettledWin' },
      ),
      { description: 'Those of `wins` that the player can no longer use.' },
    ),
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
