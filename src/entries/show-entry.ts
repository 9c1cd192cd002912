import { untilDone } from '../db/database.ts'
import { shardOf } from '../players/shard.ts'
import { unavailablePrizes } from '../plays/unavailable-prizes.ts'
import { isTest } from '../test-clock.ts'
import type { Context } from './entry-context.ts'
import { isChallenged } from './challenges.ts'
import { findOpenEntry, type PublicEntry, stateOfEntry } from './find-entry.ts'
import { shownFields, shownTerms } from './shown-form.ts'

/** What the page of visitors shows: the state, the wheel, the form and the terms, in one language. */
export async function showEntry(
  ctx: Context,
  address: { merchant: string; campaign: string },
  { language, network }: { language?: string; network: string },
) {
  const found = await findOpenEntry(ctx, address)
  const { merchant, wheel, entry, now } = found
  const { state, opensAt, closesAt } = stateOfEntry(found)
  const unavailable = await untilDone(() => unavailablePrizes(ctx.db, wheel, newcomer(found), now))
  if (state === 'open') ctx.happenings.count(entry, 'opened', now)
  return {
    state,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    now: now.toISOString(),
    merchant: { name: merchant.name },
    campaign: { campaign: wheel.campaign.slug, name: wheel.nameForPlayers, texts: wheel.campaignTexts },
    isTest: isTest(merchant),
    wheel: {
      hash: wheel.sha256,
      published: wheel.published,
      unavailable: unavailable.map((prize) => ({ ...prize, until: prize.until?.toISOString() ?? null })),
    },
    form: {
      version: entry.version,
      fields: shownFields(entry.fields, language),
    },
    terms: { ...shownTerms(entry.terms, language), hash: entry.termsHash },
    verify: entry.verify,
    spins: entry.spins,
    challenge: (await isChallenged(ctx, found, network)) ? ('required' as const) : ('none' as const),
    parentOrigins: wheel.embedOrigins,
  }
}

/** Somebody who has played nothing yet, with the spins of an entry. */
function newcomer({ merchant, entry }: PublicEntry) {
  const { merchantId } = merchant
  return { shard: shardOf({ merchantId, playerId: '' }), playerNo: 0, merchantId, balance: entry.spins }
}
