import assert from 'node:assert/strict'
import { allInOrder, type Database, type Transaction, untilDone } from '../db/database.ts'
import { grantsPerCallMax } from '../limits.ts'
import { actorText, type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { type Grant, type GrantVerdict, type KeyedGrant, withHashes } from './grant.ts'
import { type DecidedGrants, decideGrants, eventsOfGrants, mayCreate, openAccounts } from './grant-spins.ts'
import { type KeyedEntry, readEntriesByKey } from '../players/ledger.ts'
import { afterExpiry } from '../players/expire-spins.ts'
import { writeEntries } from '../players/write-entries.ts'
import { type Giver, lockAllowance, useAllowance } from '../staff/staff-allowance.ts'

type ManualOrder = {
  /** The person and the daily limit; undefined for a program, which has none. */
  giver: Giver | undefined
  cause: Cause
  /** The lines of the audit log for the grants that were carried out. */
  changesOf: (done: DecidedGrants) => Change[]
}

/**
 * Carries out grants of one merchant in one transaction. The ledger, the events and the audit log name the person who
 * asked for them. The spins count against the person's daily limit.
 */
export async function grantByHand(
  db: Database,
  grants: readonly Grant[],
  order: ManualOrder,
): Promise<GrantVerdict[]> {
  assert(grants.length > 0 && grants.length <= grantsPerCallMax)
  const origin = actorText(order.cause.actor)
  const keyed = grants.map((grant) => withHashes({ ...grant, origin }))
  return untilDone(() => db.transaction((tx) => grantInTransaction(tx, keyed, order)))
}

async function grantInTransaction(
  tx: Transaction,
  grants: readonly KeyedGrant[],
  { giver, cause, changesOf }: ManualOrder,
): Promise<GrantVerdict[]> {
  const { merchantId } = grants[0] as KeyedGrant
  const { now } = cause
  const spinsLeft = giver === undefined ? Infinity : await lockAllowance(tx, merchantId, giver)
  const affordable = withinAllowance(grants, await readEntriesByKey(tx, grants), spinsLeft)
  const accounts = await openAccounts(tx, {
    players: grants,
    creating: affordable.filter((grant) => mayCreate(grant, now)),
    keys: grants,
    now,
    known: undefined,
  })
  const decided = decideGrants(grants, { ...accounts, now, spinsLeft })
  const { entries, changed } = decided
  const spins = entries.reduce((sum, entry) => sum + entry.amount, 0)
  const events = eventsOfGrants(accounts.created, decided, now)
  await allInOrder([
    writeEntries(tx, afterExpiry(accounts.expired, { entries, players: changed, events, now })),
    recordChanges(tx, changesOf(decided), cause),
    giver === undefined ? undefined : useAllowance(tx, merchantId, { giver, spins }),
  ])
  return decided.verdicts
}

/** New grants within the daily limit. A refused grant, or a repeat, must not create its player. */
function withinAllowance(
  grants: readonly KeyedGrant[],
  earlier: readonly KeyedEntry[],
  spinsLeft: number,
): KeyedGrant[] {
  const done = new Set(earlier.map((entry) => entry.keyHash))
  let left = spinsLeft
  return grants.filter(({ keyHash, amount }) => {
    if (done.has(keyHash) || amount > left) return false
    left -= amount
    done.add(keyHash)
    return true
  })
}
