import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Database, statement } from '../../src/db/database.ts'
import { grantAtOnce } from '../../src/grants/grant-at-once.ts'
import { type KeyedGrant, withHashes } from '../../src/grants/grant.ts'
import { decideGrants, grantSpins } from '../../src/grants/grant-spins.ts'
import { balanceMax } from '../../src/limits.ts'
import {
  dayNumber,
  type LockedPlayer,
  lockPlayers,
  playerName,
  readEntriesByKey,
} from '../../src/players/ledger.ts'
import { makeDatabase, makeMerchant } from '../scenes/scene.ts'
import { orderOf } from '../scenes/batch-scene.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2_147_483_647)
const now = new Date('2026-11-15T12:00:00Z')
const today = dayNumber(now)

/** A player's state, undefined if it does not exist yet. Small numbers and those near a limit are interesting. */
const anyState = fc.option(
  fc.record({
    balance: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: balanceMax - 20, max: balanceMax })),
    // Tomorrow: another server's clock is ahead.
    grantedDay: fc.constantFrom(0, today - 1, today, today + 1),
    grantedDayTotal: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 * balanceMax })),
    isBlocked: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  }),
  { nil: undefined, freq: 8 },
)

/** A grant to one player. The statement is only used for amounts within `callMax`. */
const anyCase = fc.record({
  state: anyState,
  amount: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(1_000_000, balanceMax)),
  dailyMax: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 40 }), fc.constant(balanceMax)),
  isRepeat: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
})
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never

test('the statement that grants at once and the rules in TypeScript agree', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const outcomes = new Set<string>()
  const property = fc.asyncProperty(fc.array(anyCase, { minLength: 1, maxLength: 12 }), async (cases) => {
    const grants = cases.map(({ amount, dailyMax }) =>
      withHashes(orderOf(merchant, { playerId: randomUUID(), amount, dailyMax, callMax: balanceMax })),
    )
    await makePlayers(db, grants, cases)
    const before = await read(db, grants)
    const decided = decideGrants(grants, { ...before, now })
    const balances = await db.session((connection) => grantAtOnce(connection, grants, now))

    // A used key stops the whole statement at the unique index, unless something else prevents its grant anyway.
    const used = new Set(before.earlier.map(({ keyHash }) => keyHash))
    const withoutKeys = decideGrants(grants, { ...before, earlier: [], now })
    const isStopped = withoutKeys.carriedOut.some(({ keyHash }) => used.has(keyHash))
    const expected = decided.verdicts.map((verdict) =>
      verdict.outcome === 'granted' && !isStopped ? verdict.balance : undefined,
    )
    assert.deepEqual(balances, expected)
    const after = await read(db, grants)
    assert.deepEqual(
      byName(after.players),
      byName([...before.players, ...(isStopped ? [] : decided.changed)]),
    )
    for (const verdict of decided.verdicts) {
      const name = isStopped ? 'stopped' : verdict.outcome === 'refused' ? verdict.code : verdict.outcome
      outcomes.add(name)
    }
  })
  await fc.assert(property, { seed, numRuns: 300 })
  // Otherwise the test would compare less than it says.
  for (const name of [
    'balance_limit_exceeded',
    'daily_grant_limit_exceeded',
    'granted',
    'player_blocked',
    'player_not_found',
    'stopped',
  ])
    assert(outcomes.has(name), name)
})

/** Creates the players, uses the keys of repeats, and then sets the states. */
async function makePlayers(
  db: Database,
  grants: readonly KeyedGrant[],
  cases: readonly Case[],
): Promise<void> {
  const existing = grants.flatMap((grant, index) => {
    const { state, isRepeat } = cases[index] as Case
    return state === undefined ? [] : [{ grant, state, isRepeat }]
  })
  if (existing.length === 0) return
  const first = existing.map(({ grant, isRepeat }) => ({
    ...grant,
    amount: 1,
    dailyMax: null,
    ...(isRepeat ? {} : withHashes({ ...grant, amount: 1, dailyMax: null, key: 'first' })),
  }))
  await grantSpins(db, first, now)
  await db.query(setStates, [
    existing.map(({ grant }) => grant.playerId),
    existing.map(({ state }) => state.balance),
    existing.map(({ state }) => state.grantedDay),
    existing.map(({ state }) => state.grantedDayTotal),
    existing.map(({ state }) => state.isBlocked),
  ])
}

const setStates = statement(`
update players
set
  balance = given.balance,
  granted_day = given.granted_day,
  granted_day_total = given.granted_day_total,
  blocked_at = case when given.is_blocked then now() end
from unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bool[])
  as given (player_id, balance, granted_day, granted_day_total, is_blocked)
where players.player_id = given.player_id`)

async function read(db: Database, grants: readonly KeyedGrant[]) {
  return db.transaction(async (tx) => ({
    players: await lockPlayers(tx, grants),
    earlier: await readEntriesByKey(tx, grants),
  }))
}

/** The last state of each player. */
function byName(players: readonly LockedPlayer[]): Map<string, LockedPlayer> {
  return new Map(players.map((player) => [playerName(player), player]))
}
