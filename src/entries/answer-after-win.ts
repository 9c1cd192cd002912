import { type Transaction, untilDone } from '../db/database.ts'
import { lockPlayers } from '../players/ledger.ts'
import { readWins } from '../plays/plays.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './entry-context.ts'
import { keepLaterAnswers } from './keep-later-answers.ts'
import { findVisitorIn, type LaterAnswers, type PlayerInCampaign, readLaterAnswers } from './later-forms.ts'
import { setAnsweredAfterWin } from './visitor-entries.ts'

/** A visitor who has won answers the form after a win. The win itself never depends on it. */
export async function answerAfterWin(
  ctx: Context,
  where: PlayerInCampaign,
  given: LaterAnswers,
): Promise<void> {
  const { merchantId, player, campaign, now } = where
  const visitor = await findVisitorIn(ctx, where)
  if (visitor === undefined) throw new Refusal('answers_not_asked')
  const { asked, read } = readLaterAnswers(visitor.entry, 'afterWin', given)
  const [win] = await untilDone(() => readWins(ctx.db, { ...player, campaignId: campaign.campaignId }, 1))
  if (asked.length === 0 || win === undefined) throw new Refusal('answers_not_asked')
  const keep = async (tx: Transaction) => {
    const [locked] = await lockPlayers(tx, [{ ...player, merchantId }])
    // Erased meanwhile.
    if (locked === undefined) throw new Refusal('game_token_revoked')
    await keepLaterAnswers(tx, where, visitor, { asked: 'afterWin', read, language: given.language })
    await setAnsweredAfterWin(tx, visitor.place, now)
  }
  await untilDone(() => ctx.db.transaction(keep))
  ctx.events.sequencer.nudge()
}
