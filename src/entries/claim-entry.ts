import { allInOrder, type Queryable, type Transaction } from '../db/database.ts'
import { findPlayer } from '../players/players.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'
import { findAddress } from './address-keys.ts'
import { askForCode } from './ask-for-code.ts'
import { entryBudget, useBudgets } from './budgets.ts'
import { type EntryOrder, type EntryVerdict, enterVisitor } from './enter-visitor.ts'
import {
  claimRequest,
  dropRequest,
  type EarlierRequest,
  type EntryRequest,
  settleRequest,
} from './entry-requests.ts'
import { type EntrySession, readSession } from './entry-sessions.ts'
import { budgetSecret, readVisitorKeys, type VisitorKeys } from './visitor-keys.ts'

/** What a submission leads to: an entry at once, or a code that must be typed first. */
export type ClaimVerdict = EntryVerdict | { outcome: 'code_sent'; session: EntrySession }

type Claim = {
  order: EntryOrder
  request: EntryRequest
  /** As it was typed: mail goes there. */
  address: string
  network: string
  timeZone: string | undefined
  /** Uses up the solution of a challenge, in the transaction. */
  spendChallenge: (tx: Queryable) => Promise<void>
}

/** One key, one entry, one answer: a lost answer can be asked for again. */
export async function claimEntry(tx: Transaction, claim: Claim): Promise<ClaimVerdict> {
  const { order, request, network } = claim
  const { merchant, entry, now } = order
  const [before, keys] = await allInOrder([claimRequest(tx, entry, request, now), readVisitorKeys(tx)])
  const again = before && (await verdictOfEarlier(tx, merchant, before, now))
  if (again !== undefined) return again
  const budget = { merchantId: merchant.merchantId, secret: budgetSecret(keys), now }
  await allInOrder([useBudgets(tx, budget, [entryBudget(network)]), claim.spendChallenge(tx)])
  const verdict = (await needsCode(tx, order))
    ? await waitForCode(tx, claim, keys)
    : await enterVisitor(tx, order, keys)
  await tx.commitWith([settle(tx, claim, verdict)])
  return verdict
}

/** Keeps what the submission led to. A refusal changes nothing, so it may be asked for again. */
async function settle(tx: Queryable, { order, request }: Claim, verdict: ClaimVerdict): Promise<void> {
  const { entry } = order
  if (verdict.outcome === 'refused') return dropRequest(tx, entry, request)
  const result =
    verdict.outcome === 'entered' ? { playerId: verdict.playerId } : { sessionId: verdict.session.sessionId }
  return settleRequest(tx, entry, request, result)
}

/** A browser whose pass belongs to the address needs no code. Without a pass, nobody looks the address up. */
async function needsCode(tx: Transaction, { merchant, entry, fold, proof }: EntryOrder): Promise<boolean> {
  if (entry.verify === 'none') return false
  if (proof === undefined || !('passOf' in proof)) return true
  return (await findAddress(tx, { merchant, fold }))?.playerId !== proof.passOf
}

async function waitForCode(
  tx: Transaction,
  { order, address, network, timeZone }: Claim,
  keys: VisitorKeys,
): Promise<ClaimVerdict> {
  const { fold, answers, consents } = order
  const waiting = { fold, address, answers, consents, timeZone }
  return { outcome: 'code_sent', session: await askForCode(tx, order, { waiting, network, keys }) }
}

/** What an earlier submission with the same key led to; undefined if that is gone. */
export async function verdictOfEarlier(
  db: Queryable,
  { merchantId }: { merchantId: number },
  { isSame, playerId, sessionId }: EarlierRequest,
  now: Date,
): Promise<ClaimVerdict | undefined> {
  if (!isSame) throw new Refusal('idempotency_key_reused', { detail: otherThanBefore('other answers') })
  const session = sessionId === null ? undefined : await readSession(db, sessionId)
  if (session !== undefined) return { outcome: 'code_sent', session }
  const player = playerId === null ? undefined : await findPlayer(db, { merchantId, playerId }, now)
  if (player === undefined) return undefined
  if (player.blockedAt !== null) return { outcome: 'refused', code: 'player_blocked' }
  return { outcome: 'entered', playerId: player.playerId, playerNo: player.playerNo }
}
