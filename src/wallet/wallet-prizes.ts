import type { Context } from '../context.ts'
import { untilDone } from '../db/database.ts'
import { winsShownMax } from '../limits.ts'
import { timeOfGame, type Visitor } from '../links/game-links.ts'
import { makeFramePass } from '../links/embed-origins.ts'
import { playsToClaim } from '../plays/withheld-prizes.ts'
import { textsOfPrize } from '../plays/describe-play.ts'
import type { RefusalReason } from '../prize-kinds/hold-rule.ts'
import { settledFields, type SettledValues } from '../prize-kinds/prize-kinds.ts'
import { prizeNumber } from '../prize-kinds/prize-number.ts'
import { type ListedPrize, listPrizesOfPlayer } from '../prizes/prize-lists.ts'
import { Refusal } from '../refusals.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'

/** The states of a prize as its player sees them. */
export const walletStates = [
  'won',
  'to_claim',
  'claimed',
  'on_its_way',
  'redeemed',
  'expired',
  'cancelled',
  'held',
  'refused',
] as const
type WalletState = (typeof walletStates)[number]

type Contacts = (merchantId: number) => Promise<ReadonlyMap<string, string | null>>

/**
 * A player's prizes before a play, newest first, and the look of the page. Changes nothing. `readContacts`: the contact
 * of each campaign, for players whose prize was refused.
 */
export async function showWallet(
  ctx: Context,
  visitor: Visitor,
  { before = 2 ** 31 - 1, readContacts }: { before?: number | undefined; readContacts: Contacts },
) {
  const { claims, player } = visitor
  const { merchantId } = claims
  const campaign = claims.campaign === '*' ? undefined : claims.campaign
  const now = await timeOfGame(ctx, claims)
  const page = { before, limit: winsShownMax, now, campaign }
  const found = await untilDone(() => listPrizesOfPlayer(ctx.db, player, page))
  const toClaim = await untilDone(() => playsToClaim(ctx.db, found))
  const versions = await Promise.all(
    found.map((prize) => ctx.wheels.version(prize.wheelId, prize.wheelVersion)),
  )
  const wheel = await currentWheel(ctx, merchantId, campaign)
  const hasRefused = found.some(({ state }) => state === 'refused')
  const contacts = hasRefused ? await readContacts(merchantId) : new Map<string, null>()
  return {
    expiresAt: claims.expiresAt.toISOString(),
    prizes: found.map((prize, index) => {
      const isAsked = toClaim.has(prize.playNo)
      const described = describePrize(prize, { isAsked, version: versions[index] as WheelVersion })
      const isRefused = prize.state === 'refused'
      return { ...described, contact: isRefused ? (contacts.get(prize.campaign) ?? null) : null }
    }),
    next: found.length === winsShownMax ? (found.at(-1)?.playNo ?? null) : null,
    published: versions[0]?.published ?? wheel?.published ?? null,
    parentOrigins: wheel?.embedOrigins ?? [],
    framePass: await makeFramePass(ctx, merchantId),
  }
}

/** `isAsked`: how to use the prize is told once the visitor has claimed it by a form. */
function describePrize(
  prize: ListedPrize,
  { isAsked, version: { document } }: { isAsked: boolean; version: WheelVersion },
) {
  const segment = document.segments.find(({ id }) => id === prize.prizeId) as WheelSegment
  const state = isAsked && prize.state === 'won' ? 'to_claim' : stateOf(prize, segment)
  const wonAt = prize.createdAt.toISOString()
  const isHidden = isAsked || ['redeemed', 'expired', 'cancelled', 'held', 'refused'].includes(state)
  const { playId, playNo: playNumber, campaign, label } = prize
  return {
    playId,
    playNumber,
    campaign,
    wonAt,
    state,
    label,
    ...textsOfPrize(segment, document),
    ...valuesOf(isHidden ? {} : prize),
    number: prize.kind === 'handover' && !isHidden ? prizeNumber({ playId, wonAt }) : null,
    // A prize that was claimed no longer expires.
    claimBefore: prize.state === 'claimed' ? null : (prize.claimBefore?.toISOString() ?? null),
    settledAt: prize.settledAt?.toISOString() ?? null,
    heldUntil: prize.heldUntil?.toISOString() ?? null,
    refusal: state === 'refused' ? (prize.reason as RefusalReason) : null,
  }
}

function valuesOf(prize: Partial<SettledValues>): SettledValues {
  return Object.fromEntries(settledFields.map((field) => [field, prize[field] ?? null])) as SettledValues
}

function stateOf({ state, kind, code }: ListedPrize, { claimInWallet }: WheelSegment): WalletState {
  if (state !== 'won' && state !== 'claimed') return state
  if (kind === 'pool' && code === null) return 'on_its_way'
  if (claimInWallet === true) return state === 'won' ? 'to_claim' : 'claimed'
  return 'won'
}

/** Undefined if the campaign has no published wheel. */
async function currentWheel(ctx: Context, merchantId: number, campaign: string | undefined) {
  try {
    return await ctx.wheels.current(merchantId, campaign)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'campaign_not_published') return undefined
    throw error
  }
}
