import { type Static, Type } from 'typebox'
import type { ListedEntry, ListedPlayer } from '../../players/player-lists.ts'
import { type FreeSpins, shownFreeSpins } from '../../free-spins/describe-free-spins.ts'
import type { ListedLot } from '../../players/lot-rows.ts'
import type { Player } from '../../players/players.ts'
import { MaybeTime, PlayerId, Time } from './shapes.ts'
import { FreeSpinsAnswer } from './free-spins.ts'
import { type Page, PageOf } from './page.ts'

export const PlayerName = Type.Object({ playerId: PlayerId })

const Purse = Type.Object(
  {
    campaign: Type.String({ description: 'The campaign that the purse was made for. Others may share it.' }),
    spinCount: Type.Integer(),
  },
  { title: 'Purse' },
)

export function shownPurse(purse: { campaign: string; balance: number }): Static<typeof Purse> {
  return { campaign: purse.campaign, spinCount: purse.balance }
}

const Lot = Type.Object(
  {
    lot: Type.Integer({ description: 'The number of the ledger entry that granted the spins.' }),
    campaign: Type.String({ description: 'The campaign whose purse the spins are in.' }),
    spins: Type.Integer({ description: 'How many of them are left.' }),
    expiresAt: Time,
    source: Type.Enum(['free', 'won', 'granted', 'carried'], {
      description:
        'Where they came from; `carried`: a balance from before spins expired one grant at a time.',
    }),
  },
  { title: 'SpinLot' },
)

export function shownLot(lot: ListedLot): Static<typeof Lot> {
  const { lotNo, campaign, spinsLeft, expiresAt, source } = lot
  return { lot: lotNo, campaign, spins: spinsLeft, expiresAt: expiresAt.toISOString(), source }
}

const CampaignFreeSpins = Type.Object(
  { campaign: Type.String(), ...FreeSpinsAnswer.properties },
  { title: 'CampaignFreeSpins' },
)

export function shownCampaignFreeSpins(
  free: FreeSpins & { campaign: string },
): Static<typeof CampaignFreeSpins> {
  return { campaign: free.campaign, ...shownFreeSpins(free) }
}

export const PlayerAnswer = Type.Object(
  {
    playerId: Type.String(),
    spinCount: Type.Integer({ description: 'The spins that the player can use now.' }),
    playCount: Type.Integer(),
    createdAt: Time,
    blockedAt: MaybeTime,
    erasedAt: Type.Union([Time, Type.Null()], {
      description: 'When the id was replaced by a pseudonym.',
    }),
    purses: Type.Optional(
      Type.Array(Purse, {
        description:
          'Spins of other campaigns than `main`, for each that has its own. Only where players are read.',
      }),
    ),
    lots: Type.Optional(
      Type.Array(Lot, {
        description:
          'Spins that expire, in the order in which they are used. All other spins never expire, and are used after them. Only where one player is read.',
      }),
    ),
    free: Type.Optional(
      Type.Array(CampaignFreeSpins, {
        description:
          'Free spins that come back, for each campaign that has them. They are not in `spinCount` before they are collected. Only where one player is read.',
      }),
    ),
  },
  { title: 'Player' },
)
export type PlayerAnswer = Static<typeof PlayerAnswer>

export const PlayersAnswer = PageOf('players', PlayerAnswer)
export type PlayersAnswer = Page<'players', PlayerAnswer>

const LotDraw = Type.Object({ lot: Type.Integer(), spins: Type.Integer() }, { title: 'LotDraw' })

export const EntryAnswer = Type.Object(
  {
    entry: Type.Integer({ description: "Counts the player's entries from 1 without a gap." }),
    kind: Type.Enum(['grant', 'initial', 'play', 'prize', 'free', 'entry', 'correction', 'expiry']),
    amount: Type.Integer(),
    balanceAfter: Type.Integer(),
    key: Type.String(),
    reason: Type.Union([Type.String(), Type.Null()]),
    origin: Type.Union([Type.String(), Type.Null()], {
      description:
        'Who made it by hand. Null for entries of your systems, of players and of background jobs.',
      examples: ['staff:anna@example.com'],
    }),
    at: Time,
    expiresAt: Type.Union([Time, Type.Null()], {
      description: 'When granted spins expire; null for never, and for entries that take spins.',
    }),
    lots: Type.Array(LotDraw, {
      description: 'The lots that spins were taken from. The rest of them never expire.',
    }),
    campaign: Type.String({ description: 'The campaign of the spins.' }),
    purse: Type.String({
      description: 'The campaign whose purse it is. `balanceAfter` is the balance of this purse.',
    }),
  },
  { title: 'LedgerEntry' },
)
export type EntryAnswer = Static<typeof EntryAnswer>

export const EntriesAnswer = PageOf('entries', EntryAnswer)
export type EntriesAnswer = Page<'entries', EntryAnswer>

/** A player's balance after a grant or a correction. */
export const CampaignBalanceAnswer = Type.Object(
  {
    playerId: Type.String(),
    campaign: Type.String(),
    spinCount: Type.Integer({ description: 'The spins that the player has for the campaign now.' }),
  },
  { title: 'CampaignBalance' },
)

export const BalanceAnswer = Type.Object({ playerId: Type.String(), spinCount: Type.Integer() })
export type BalanceAnswer = Static<typeof BalanceAnswer>

export const ErasureAnswer = Type.Object({ pseudonym: Type.String() })
export type ErasureAnswer = Static<typeof ErasureAnswer>

export function shownPlayer(player: ListedPlayer | Player): PlayerAnswer {
  return {
    playerId: player.playerId,
    spinCount: player.balance,
    playCount: player.playCount,
    createdAt: player.createdAt.toISOString(),
    blockedAt: player.blockedAt?.toISOString() ?? null,
    erasedAt: player.erasedAt?.toISOString() ?? null,
  }
}

export function shownEntry(entry: ListedEntry): EntryAnswer {
  return {
    entry: entry.entryNo,
    kind: entry.kind,
    amount: entry.amount,
    balanceAfter: entry.balanceAfter,
    key: entry.key,
    reason: entry.reason,
    origin: entry.origin,
    at: entry.createdAt.toISOString(),
    expiresAt: entry.expiresAt?.toISOString() ?? null,
    lots: drawsOf(entry.lots ?? []),
    campaign: entry.campaign,
    purse: entry.purse,
  }
}

/** Each number of a lot is followed by how many spins were taken from it. */
function drawsOf(pairs: readonly number[]): Static<typeof LotDraw>[] {
  return pairs.flatMap((lot, index) => (index % 2 === 0 ? [{ lot, spins: pairs[index + 1] ?? 0 }] : []))
}
