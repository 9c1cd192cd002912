import { untilDone } from '../db/database.ts'
import { shardOf } from '../players/shard.ts'
import { unavailablePrizes } from '../plays/unavailable-prizes.ts'
import { isTest } from '../test-clock.ts'
import type { Context } from './entry-context.ts'
import { isChallenged } from './challenges.ts'
import { findOpenEntry, type PublicEntry, stateOfEntry } from './find-entry.ts'
import { type EntryField, labelIn } from './form.ts'
import { lengthMaxOf } from './read-answers.ts'

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
    campaign: { campaign: wheel.campaign.slug, name: wheel.campaignName, texts: wheel.campaignTexts },
    isTest: isTest(merchant),
    wheel: {
      hash: wheel.sha256,
      published: wheel.published,
      unavailable: unavailable.map((prize) => ({ ...prize, until: prize.until?.toISOString() ?? null })),
    },
    form: {
      version: entry.version,
      fields: entry.fields.filter(({ when }) => when === 'entry').map((field) => shownField(field, language)),
    },
    terms: shownTerms(entry, language),
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

function shownField(field: EntryField, language = '') {
  const { id, kind, labels, isRequired, options, purpose } = field
  const lengthMax = lengthMaxOf(kind)
  return {
    id,
    kind,
    label: labelIn(labels, language),
    isRequired,
    ...(options === undefined
      ? {}
      : { options: options.map((one) => ({ id: one.id, label: labelIn(one.labels, language) })) }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(lengthMax === undefined ? {} : { lengthMax }),
  }
}

function shownTerms({ terms, termsHash }: PublicEntry['entry'], language = '') {
  const { texts, address, ...facts } = terms
  const text = Object.keys(texts).length === 0 ? null : labelIn(texts, language)
  const shown = Object.entries(texts).find(([, one]) => one === text)?.[0] ?? language
  return { ...facts, hash: termsHash, text, address, language: shown }
}
