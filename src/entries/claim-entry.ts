import { allInOrder, type Database, type Queryable, type Transaction } from '../db/database.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { carryOut } from '../orders/carry-out.ts'
import { findPlayer } from '../players/players.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'
import type { Clocked } from '../test-clock.ts'
import { findAddress } from './address-keys.ts'
import { entryBudget, useBudgets } from './budgets.ts'
import { enterVisitors } from './enter-visitor.ts'
import type { EntryVerdict } from './entry-order.ts'
import {
  dropRequests,
  type EarlierRequest,
  type EntryRequest,
  findRequests,
  insertRequests,
  type SettledRequest,
} from './entry-requests.ts'
import { type EntrySession, readSession } from './entry-sessions.ts'
import { RefusedEntries, refuseSome } from './refused-entries.ts'
import { isAsked, type Solution, type Solved, spendSolutions } from './spent-challenges.ts'
import { budgetSecret, readVisitorKeys, type VisitorKeys } from './visitor-keys.ts'
import { askForCodes, type WaitingOrder } from './wait-for-codes.ts'

/** What a submission leads to: an entry at once, or a code that must be typed first. */
export type ClaimVerdict = (EntryVerdict | { outcome: 'code_sent'; session: EntrySession }) & {
  /** The same submission was made before. */
  isRepeat?: true
}

/** A submission whose form was checked. */
type Claim = WaitingOrder & { request: EntryRequest; solved: Solved }

/** The same as it waits for others to share a transaction with, which gives it its time. */
export type EntryClaim = Omit<Claim, 'now'> & Clocked & { merchantId: number }

/**
 * Makes entries together, with a verdict for each in the order given. One key, one entry, one answer: a lost answer can
 * be asked for again. A refused entry changes nothing and does not affect the others.
 */
export async function claimEntries(
  db: Database,
  claims: readonly EntryClaim[],
  now: Date,
): Promise<(ClaimVerdict | Refusal)[]> {
  return carryOut<Claim, ClaimVerdict | Refusal, never>(
    db,
    claims.map((claim) => ({ ...claim, now })),
    {
      // On a cluster, visitors are on several machines, and a transaction of one entry is on few of them.
      divide: (left) => (db.isCluster ? left.map((claim) => [claim]) : roundsOf(left)),
      inTransaction: (round) =>
        withoutRefused(round, (some) => db.transaction((tx) => claimInTransaction(tx, some, now))),
    },
  )
}

/** No two of one transaction have the same address or key: the second waits for what becomes of the first. */
function roundsOf(claims: readonly Claim[]): Claim[][] {
  const rounds: Claim[][] = []
  const nextRounds = new Map<string, number>()
  for (const claim of claims) {
    const { merchantId, campaignId, keyHash } = claim.request
    const names = [`${merchantId} ${claim.fold}`, `${merchantId} ${campaignId} ${keyHash.toString('hex')}`]
    const round = Math.max(...names.map((name) => nextRounds.get(name) ?? 0))
    for (const name of names) nextRounds.set(name, round + 1)
    rounds[round] = [...(rounds[round] ?? []), claim]
  }
  return rounds
}

type Verdicts = ReadonlyMap<Claim, ClaimVerdict>

/**
 * Runs a transaction of entries again without those that it refused. It is also run again if another process has used
 * one of the keys in the meantime; then that entry is found.
 */
async function withoutRefused(
  claims: readonly Claim[],
  work: (claims: readonly Claim[]) => Promise<Verdicts>,
): Promise<(ClaimVerdict | Refusal)[]> {
  const verdicts = new Map<object, ClaimVerdict | Refusal>()
  let left = claims
  for (let overtaken = 0; left.length > 0; left = left.filter((claim) => !verdicts.has(claim)))
    try {
      for (const [claim, verdict] of await work(left)) verdicts.set(claim, verdict)
    } catch (error) {
      const isOvertaken =
        error instanceof Overtaken || (error instanceof DatabaseFailure && error.isDuplicate)
      if (error instanceof RefusedEntries)
        for (const [claim, refusal] of error.refusals) verdicts.set(claim, refusal)
      else if (!isOvertaken || ++overtaken > overtakenMax) throw error
    }
  return claims.map((claim) => verdicts.get(claim) as ClaimVerdict | Refusal)
}

/** Another process has used the key of one of the entries. */
class Overtaken extends Error {}
const overtakenMax = 5

async function claimInTransaction(tx: Transaction, claims: readonly Claim[], now: Date): Promise<Verdicts> {
  const requests = claims.map(({ request }) => request)
  const [earlier, keys] = await allInOrder([findRequests(tx, requests), readVisitorKeys(tx)])
  const repeats = await answerRepeats(tx, claims, { earlier, now })
  const fresh = claims.filter((claim) => !repeats.has(claim))
  if (fresh.length === 0) return repeats
  await useUp(tx, fresh, { secret: budgetSecret(keys), now })
  const made = await enterOrWait(tx, fresh, { keys, now })
  await refuseOvertaken(tx, made)
  await tx.commitWith([insertRequests(tx, settled(made), now)])
  return new Map([...repeats, ...made])
}

/** What submissions with the same keys led to before. */
async function answerRepeats(
  tx: Transaction,
  claims: readonly Claim[],
  { earlier, now }: { earlier: readonly (EarlierRequest | undefined)[]; now: Date },
): Promise<Map<Claim, ClaimVerdict>> {
  const repeats = claims.flatMap((claim, index) => {
    const before = earlier[index]
    return before === undefined ? [] : [{ claim, before }]
  })
  refuseSome(repeats.map(({ claim, before }) => [claim, before.isSame ? undefined : otherAnswers()]))
  const verdicts = await allInOrder(
    repeats.map(({ claim, before }) => verdictOfEarlier(tx, claim.merchant, before, now)),
  )
  // What they led to is gone, for example a session that has ended. They are made anew.
  const gone = repeats.filter((_, index) => verdicts[index] === undefined)
  await dropRequests(
    tx,
    gone.map(({ claim }) => claim.request),
  )
  return new Map(
    repeats.flatMap(({ claim }, index) => {
      const verdict = verdicts[index]
      return verdict === undefined ? [] : [[claim, verdict] as const]
    }),
  )
}

/** Uses up what one entry may use only so often: the budget of its network, and the solution of a challenge. */
async function useUp(
  tx: Transaction,
  claims: readonly Claim[],
  { secret, now }: { secret: Buffer; now: Date },
): Promise<void> {
  const uses = claims.map(({ merchant, network }) => {
    return { merchantId: merchant.merchantId, budgets: [entryBudget(network)] }
  })
  const used = await useBudgets(tx, { secret, now }, uses)
  const asked = claims.filter(({ solved }, index) => isAsked(solved, used[index]?.before[0] ?? 0))
  const solutions = asked.map(({ solved }) => solved.solution ?? new Refusal('challenge_required'))
  refuseSome([
    ...asked.map((claim, index) => [claim, refusalAmong(solutions[index])] as const),
    ...claims.map((claim, index) => [claim, used[index]?.refusal] as const),
  ])
  const spent = await spendSolutions(tx, solutions as Solution[])
  const seen = new Set<string>()
  refuseSome(
    asked.map((claim, index) => {
      const { nonce } = solutions[index] as Solution
      const isFirst = spent.has(nonce) && !seen.has(nonce)
      seen.add(nonce)
      return [claim, isFirst ? undefined : usedBefore()]
    }),
  )
}

function refusalAmong(solution: Solution | Refusal | undefined): Refusal | undefined {
  return solution instanceof Refusal ? solution : undefined
}

function usedBefore(): Refusal {
  return new Refusal('challenge_invalid', { detail: 'The solution was used before.' })
}

async function enterOrWait(
  tx: Transaction,
  claims: readonly Claim[],
  { keys, now }: { keys: VisitorKeys; now: Date },
): Promise<Map<Claim, ClaimVerdict>> {
  const isWaiting = await allInOrder(claims.map((claim) => needsCode(tx, claim)))
  const waiting = claims.filter((_, index) => isWaiting[index] === true)
  const entering = claims.filter((_, index) => isWaiting[index] === false)
  const sessions = await askForCodes(tx, waiting, { keys, now })
  // Last, because it ends with the row at which all entries of a campaign meet.
  const entries = await enterVisitors(tx, entering, keys)
  return new Map<Claim, ClaimVerdict>([
    ...waiting.map((claim, index) => {
      return [claim, { outcome: 'code_sent', session: sessions[index] as EntrySession }] as const
    }),
    ...entering.map((claim, index) => [claim, entries[index] as EntryVerdict] as const),
  ])
}

/** A browser that has proved the address before needs no code. Without a pass, nobody looks the address up. */
async function needsCode(tx: Transaction, { merchant, entry, fold, proof }: Claim): Promise<boolean> {
  if (entry.verify === 'none') return false
  if (proof === undefined || !('passOf' in proof) || !proof.isProved) return true
  return (await findAddress(tx, { merchant, fold }))?.playerId !== proof.passOf
}

/**
 * An address is known to the same submission too, if another process has made its entry while this one waited for the
 * address. Then the answer is that of a repeat.
 */
async function refuseOvertaken(tx: Transaction, made: Verdicts): Promise<void> {
  const refused = [...made].flatMap(([{ request }, { outcome }]) => (outcome === 'refused' ? [request] : []))
  const found = await findRequests(tx, refused)
  if (found.some((earlier) => earlier !== undefined)) throw new Overtaken()
}

/** What the submissions led to. A refusal is not kept, so the submission may be made again. */
function settled(made: Verdicts): SettledRequest[] {
  return [...made].flatMap(([{ request }, verdict]): SettledRequest[] => {
    if (verdict.outcome === 'refused') return []
    if (verdict.outcome === 'entered') return [{ ...request, playerId: verdict.playerId }]
    return [{ ...request, sessionId: verdict.session.sessionId }]
  })
}

/** What an earlier submission with the same key led to; undefined if that is gone. */
export async function verdictOfEarlier(
  db: Queryable,
  { merchantId }: { merchantId: number },
  { isSame, playerId, sessionId }: EarlierRequest,
  now: Date,
): Promise<ClaimVerdict | undefined> {
  if (!isSame) throw otherAnswers()
  const session = sessionId === null ? undefined : await readSession(db, sessionId)
  if (session !== undefined) return { outcome: 'code_sent', session, isRepeat: true }
  const player = playerId === null ? undefined : await findPlayer(db, { merchantId, playerId }, now)
  if (player === undefined) return undefined
  if (player.blockedAt !== null) return { outcome: 'refused', code: 'player_blocked', isRepeat: true }
  return { outcome: 'entered', playerId: player.playerId, playerNo: player.playerNo, isRepeat: true }
}

function otherAnswers(): Refusal {
  return new Refusal('idempotency_key_reused', { detail: otherThanBefore('other answers') })
}
