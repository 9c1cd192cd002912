import { isDeepStrictEqual } from 'node:util'
import { campaignOf } from '../campaign-ref.ts'
import { readLiveKeys, readNewestKey } from '../crypto/signing-keys.ts'
import type { Queryable } from '../db/database.ts'
import { insertEvents } from '../events/event-pages.ts'
import { renewConsents } from './consents.ts'
import type { EntryAnswer } from './form.ts'
import type { LaterTime, PlayerInCampaign, VisitorInCampaign } from './later-forms.ts'
import type { ReadAnswers } from './read-answers.ts'
import { seal, unseal } from './seal.ts'
import { answersPlace, type EntryPlace } from './entry-place.ts'
import { changeAnswers, lockAnswers } from './visitor-entries.ts'
import { consentsOf } from './write-visitors.ts'

type Later = { asked: LaterTime; read: ReadAnswers; language: string }

/**
 * Adds answers to those of the entry, under the lock on the player. The last answer to a field counts. A repeat changes
 * nothing, except that a consent that was withdrawn in the meantime is given anew.
 */
export async function keepLaterAnswers(
  tx: Queryable,
  { player, campaign, now }: PlayerInCampaign,
  { entry, entered, place }: VisitorInCampaign,
  { asked, read, language }: Later,
): Promise<void> {
  const isNew = await mergeAnswers(tx, place, { given: read.answers, now })
  const { consents } = read
  // The player of a proven address holds the game.
  const isConfirmed = entered.verifiedAt !== null
  const given = { ...consentsOf({ entry, consents, language, now }), isConfirmed }
  const renewed = await renewConsents(tx, place, given)
  if (!isNew && renewed === 0) return
  const state = isConfirmed ? ('confirmed' as const) : ('given' as const)
  await insertEvents(tx, [
    {
      merchantId: place.merchantId,
      shard: place.shard,
      type: 'entry.answered',
      at: now,
      data: {
        playerId: player.playerId,
        entryId: entered.entryId,
        asked,
        consents: consents.map((consent) => ({ ...consent, state })),
        ...campaignOf(campaign),
      },
    },
  ])
}

/** False if nothing is new. Answers that were deleted in the meantime stay deleted. */
async function mergeAnswers(
  tx: Queryable,
  place: EntryPlace,
  { given, now }: { given: Record<string, EntryAnswer>; now: Date },
): Promise<boolean> {
  const before = await readAnswersBefore(tx, place)
  const answers = { ...before, ...given }
  if (isDeepStrictEqual(answers, before)) return false
  const key = await readNewestKey(tx, 'answers')
  await changeAnswers(tx, place, { answers: seal(JSON.stringify(answers), answersPlace(place), key), now })
  return true
}

async function readAnswersBefore(tx: Queryable, place: EntryPlace): Promise<Record<string, EntryAnswer>> {
  const stored = await lockAnswers(tx, place)
  if (stored === undefined) return {}
  const key = (await readLiveKeys(tx, 'answers')).find(({ keyId }) => keyId === stored.keyId)
  if (key === undefined) throw new Error(`The key ${stored.keyId} of answers is missing.`)
  return JSON.parse(unseal(stored, answersPlace(place), key)) as Record<string, EntryAnswer>
}
