import { type Transaction, untilDone } from '../db/database.ts'
import { findPlayer } from '../players/players.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './entry-context.ts'
import { keyOfSession, lockLive, readSessionId } from './ask-for-code.ts'
import { isCode } from './codes.ts'
import { enterVisitor } from './enter-visitor.ts'
import { openGame } from './entry-game.ts'
import type { EntryVerdict } from './entry-order.ts'
import { readEntryWithForm } from './entry-rows.ts'
import { countAttempt, endSession, type EntrySession } from './entry-sessions.ts'
import { findOpenEntry, type PublicEntry } from './find-entry.ts'
import { readVisitorKeys } from './visitor-keys.ts'
import { readWaiting } from './waiting.ts'

type Proof = { verdict: EntryVerdict; timeZone?: string | undefined } | { attemptsLeft: number }

/** The code in the mail: it shows that the visitor has the address, and so may enter, or come back, on this browser. */
export async function proveAddress(
  ctx: Context,
  address: { merchant: string; campaign: string },
  { session: token, code }: { session: string; code: string },
) {
  const found = await findOpenEntry(ctx, address)
  try {
    const sessionId = await readSessionId(ctx, found, token)
    const proof = await ctx.entryTurns.run(found.entry.merchantId, () =>
      untilDone(() => ctx.db.transaction((tx) => proveInTransaction(tx, found, { sessionId, code }))),
    )
    ctx.events.sequencer.nudge()
    if ('attemptsLeft' in proof) throw new Refusal('code_wrong', { attemptsLeft: proof.attemptsLeft })
    const { verdict, timeZone } = proof
    if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
    return await openGame(ctx, found, { ...verdict, isProved: true, timeZone })
  } catch (error) {
    if (error instanceof Refusal) ctx.happenings.countRefusal(found.entry, error, found.now)
    throw error
  }
}

/** A wrong code is a value, so that the attempt is committed. */
async function proveInTransaction(
  tx: Transaction,
  found: PublicEntry,
  { sessionId, code }: { sessionId: string; code: string },
): Promise<Proof> {
  const { merchant, now } = found
  const session = await lockLive(tx, sessionId, now)
  const key = await keyOfSession(tx, session)
  if (session.codeExpiresAt <= now) throw new Refusal('code_expired')
  if (session.attemptsLeft === 0) throw new Refusal('code_attempts_used')
  if (!isCode(session, code, key)) {
    await countAttempt(tx, sessionId)
    return { attemptsLeft: session.attemptsLeft - 1 }
  }
  // A repeat, because the answer was lost on its way to the same browser.
  if (session.playerId !== null) return { verdict: await enteredBefore(tx, merchant, session.playerId, now) }
  const { fold, answers, consents, timeZone } = readWaiting(session, key)
  const order = { merchant, campaign: found.wheel.campaign, fold, answers, consents, now }
  const { language } = session
  const proved = {
    ...order,
    language,
    entry: await entryOf(tx, session),
    proof: { code: true as const },
  }
  const verdict = await enterVisitor(tx, proved, await readVisitorKeys(tx))
  if (verdict.outcome === 'entered') await endSession(tx, sessionId, verdict.playerId)
  return { verdict, timeZone }
}

/** The entry as it is now, with the form that the visitor saw. */
async function entryOf(tx: Transaction, session: EntrySession) {
  const entry = await readEntryWithForm(tx, session, session.formVersion)
  if (entry === undefined) throw new Refusal('entry_session_invalid')
  return entry
}

async function enteredBefore(
  tx: Transaction,
  { merchantId }: { merchantId: number },
  playerId: string,
  now: Date,
): Promise<EntryVerdict> {
  const player = await findPlayer(tx, { merchantId, playerId }, now)
  if (player === undefined) return { outcome: 'refused', code: 'entry_session_invalid' }
  if (player.blockedAt !== null) return { outcome: 'refused', code: 'player_blocked' }
  return { outcome: 'entered', playerId, playerNo: player.playerNo }
}
