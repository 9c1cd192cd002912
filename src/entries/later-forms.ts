import type { CampaignRef } from '../campaign-ref.ts'
import { untilDone } from '../db/database.ts'
import type { Player } from '../players/players.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './entry-context.ts'
import { type CampaignEntry, readEntry } from './entry-rows.ts'
import { askedAt, type EntryAnswer, type EntryField, type EntryFieldTime } from './form.ts'
import { readAnswers, type ReadAnswers, refuseWrong } from './read-answers.ts'
import { shownFields } from './shown-form.ts'
import type { EntryPlace } from './entry-place.ts'
import { findVisitorEntry, type FoundEntry } from './visitor-entries.ts'

/** What visitors are asked after the entry: after a win, or when they claim a prize. */
export type LaterTime = Exclude<EntryFieldTime, 'entry'>

/** A player in a campaign. Only one who entered it as a visitor is asked anything. */
export type PlayerInCampaign = {
  merchantId: number
  player: Pick<Player, 'shard' | 'playerNo' | 'playCount' | 'playerId'>
  campaign: CampaignRef
  now: Date
}

/** What a page sends. The version is that of the form which it showed. */
export type LaterAnswers = {
  formVersion: number
  language: string
  answers: Record<string, EntryAnswer>
}

/** A visitor's entry of a campaign, with the form as it is now. */
export type VisitorInCampaign = { entry: CampaignEntry; entered: FoundEntry; place: EntryPlace }

export async function findVisitorIn(
  { db }: Context,
  { merchantId, player, campaign: { campaignId } }: PlayerInCampaign,
): Promise<VisitorInCampaign | undefined> {
  const place = { shard: player.shard, playerNo: player.playerNo, merchantId, campaignId }
  return untilDone(async () => {
    const [entry, entered] = [await readEntry(db, place), await findVisitorEntry(db, place)]
    return entry && entered && { entry, entered, place }
  })
}

/** The forms after the entry, in one language. Nothing is asked after a win that was answered before. */
export async function showLaterForms(ctx: Context, where: PlayerInCampaign, language: string) {
  const visitor = await findVisitorIn(ctx, where)
  const fieldsAt = (when: LaterTime) =>
    visitor === undefined ? [] : shownFields(visitor.entry.fields, language, when)
  return {
    formVersion: visitor?.entry.version ?? 0,
    afterWin: visitor?.entered.afterWinAt === null ? fieldsAt('afterWin') : [],
    toClaim: fieldsAt('toClaim'),
  }
}

/** The answers, if they fit the form as it is now. */
export function readLaterAnswers(
  { fields, version }: Pick<CampaignEntry, 'fields' | 'version'>,
  when: LaterTime,
  { formVersion, answers }: LaterAnswers,
): { asked: EntryField[]; read: ReadAnswers } {
  const asked = askedAt(fields, when)
  if (asked.length > 0 && formVersion !== version) throw new Refusal('form_outdated')
  const read = readAnswers(asked, answers)
  refuseWrong(read)
  return { asked, read }
}
