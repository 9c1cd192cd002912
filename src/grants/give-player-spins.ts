import { campaignOf, type CampaignRef } from '../campaign-ref.ts'
import type { Database } from '../db/database.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { grantByHand } from './grant-by-hand.ts'
import type { GrantVerdict } from './grant.ts'
import { expiryRule } from '../players/spin-lots.ts'
import type { Giver } from '../staff/staff-allowance.ts'

type Gift = {
  merchant: Merchant
  playerId: string
  spins: number
  reason: string
  key: string
  campaign: CampaignRef
  expiresAt?: Date | undefined
  giver: Giver | undefined
}

/** Gives a player spins by hand. */
export async function givePlayerSpins(db: Database, gift: Gift, cause: Cause): Promise<GrantVerdict> {
  const { merchant, playerId, spins, reason, key, campaign, expiresAt, giver } = gift
  const { merchantId } = merchant
  const grant = {
    merchantId,
    playerId,
    kind: 'grant' as const,
    amount: spins,
    key,
    reason,
    campaign,
    expiry: expiryRule(merchant, campaign, expiresAt),
    mayCreatePlayer: !merchant.strictPlayers,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
  }
  const [verdict] = await grantByHand(db, [grant], {
    giver,
    cause,
    changesOf: ({ entries }) =>
      entries.map(({ shard, playerNo, balanceAfter, amount, expiresAt: until }) => ({
        merchantId,
        action: 'player.grant',
        subject: { kind: 'player', shard, playerNo },
        before: { spinCount: balanceAfter - amount },
        after: {
          spinCount: balanceAfter,
          amount,
          reason,
          ...campaignOf(campaign),
          ...(until === undefined ? {} : { expiresAt: until.toISOString() }),
        },
      })),
  })
  return verdict as GrantVerdict
}
