/**
 * Changes to Wheelhouse's source for servers of the harness only: fail points, and builds that are broken on purpose.
 * Preloaded with `--import`, this file edits the named modules while Node loads them, so the source itself contains
 * none of it. If an edit's text is not found exactly once, the process ends: the source has changed, and the edit must
 * be updated.
 */
import { registerHooks } from 'node:module'

export type Edit = { file: string; find: string; replace: string }

/** Points at which a server can be made to kill itself. */
export const failPoints = {
  'before-batch': [
    {
      file: 'src/orders/group-commit.ts',
      find: 'const verdicts = await this.#options.run(',
      replace: `globalThis.failPoint('before-batch')\n      const verdicts = await this.#options.run(`,
    },
  ],
  // Data written in this turn of the event loop is sent at its end, so by setImmediate the commit has been sent.
  'after-sending': [
    {
      file: 'src/db/database.ts',
      find: 'commitOne: (sql, values) => withoutWarning(client, () => send(sql, values)),',
      replace: `commitOne: (sql, values) => {
          setImmediate(() => globalThis.failPoint('after-sending'))
          return withoutWarning(client, () => send(sql, values))
        },`,
    },
  ],
  'after-commit': [
    {
      file: 'src/orders/group-commit.ts',
      find: 'assert.equal(verdicts.length, batch.length)',
      replace: `globalThis.failPoint('after-commit')\n      assert.equal(verdicts.length, batch.length)`,
    },
  ],
  'after-webhook': [
    {
      file: 'src/webhooks/sending/webhook-sender.ts',
      find: 'if (this.#isAborted) return\n    this.#inFlight.delete(job)',
      replace: `globalThis.failPoint('after-webhook')\n    if (this.#isAborted) return\n    this.#inFlight.delete(job)`,
    },
  ],
} satisfies Record<string, Edit[]>

/** Bugs that the harness must find. */
export const brokenBuilds = {
  // Waits for the results of the statements, but not for that of the commit.
  'acknowledged-before-commit': [
    {
      file: 'src/db/database.ts',
      find: 'if (!hasFailed) await connection.commitOne(commit, [])',
      replace: 'if (!hasFailed) connection.commitOne(commit, []).catch(() => undefined)',
    },
  ],
  // Locks players in the order in which their requests arrived.
  'unsorted-batch': [
    {
      file: 'src/players/ledger.ts',
      find: `place)
  order by shard, merchant_id, player_id collate "C"
) as wanted`,
      replace: `place)
  order by place
) as wanted`,
    },
    {
      file: 'src/grants/grant-at-once.ts',
      find: `order by shard, merchant_id, player_id collate "C"`,
      replace: 'order by place',
    },
  ],
  // Reads earlier entries before it holds the lock, so a copy that waited for the lock does not see the first one.
  'duplicate-check-too-early': [
    {
      file: 'src/grants/grant-spins.ts',
      find: `    lockPlayers(tx, wanted),
    keys.length > 0 ? readEntriesByKey(tx, keys) : [],
    readPurses(tx, keys, ({ campaign }) => campaign),
  ])`,
      replace: `    Promise.resolve([]),
    keys.length > 0 ? readEntriesByKey(tx, keys) : [],
    readPurses(tx, keys, ({ campaign }) => campaign),
  ]).then(async ([created, , earlier, give]) => [created, await lockPlayers(tx, wanted), earlier, give])`,
    },
  ],
  // Changes the player's balance before it checks whether the key was used before.
  'duplicate-check-after-debit': [
    {
      file: 'src/grants/grant-spins.ts',
      find: `    if (before !== undefined) return verdictOfRepeat(grant, before)
    const player = players.get(playerName(grant))`,
      replace: `    const player = players.get(playerName(grant))
    if (before !== undefined) {
      if (player !== undefined) {
        const other = grant.keyHash.slice(8) + Math.random().toString(16).slice(2).padEnd(8, '0').slice(0, 8)
        entries.push(enter(player, { ...grant, keyHash: other }))
        carriedOut.push(grant)
        changed.add(player)
      }
      return verdictOfRepeat(grant, before)
    }`,
    },
  ],
  // Reads a run of a paced prize without a lock, so two processes give the same unit.
  'pace-run-unlocked': [{ file: 'src/pacing/pace-runs.ts', find: 'for update of pace_runs`', replace: '`' }],
  // Does not look whether another entry has taken the address in the meantime.
  'address-taken-twice': [
    {
      file: 'src/entries/address-keys.ts',
      find: 'if (other === undefined) return { playerId }',
      replace: 'if (other !== undefined || other === undefined) return { playerId }',
    },
  ],
  // Gives every period but the last one, so a clock that goes back gives old periods again.
  'free-spins-of-any-other-period': [
    {
      file: 'src/free-spins/decide-free-spins.ts',
      find: 'return period.number > taken.period && period.startsAt >= taken.periodEndsAt',
      replace: 'return period.number !== taken.period',
    },
  ],
  // Writes events after the commit, in a transaction of their own.
  'outbox-outside': [
    {
      file: 'src/grants/grant-spins.ts',
      find: `        events: eventsOfGrants(accounts.created, decided, now),
        now,
      }),
    ),
  ])`,
      replace: `        events: [],
        now,
      }),
    ),
  ])
  await insertEvents(tx, eventsOfGrants(accounts.created, decided, now))`,
    },
    {
      file: 'src/grants/grant-spins.ts',
      find: 'import type { NewEvent }',
      replace: 'import { insertEvents, type NewEvent }',
    },
  ],
} satisfies Record<string, Edit[]>

/** Limits so small that the queues are always full. */
export const otherLimits = {
  'small-limits': [
    { file: 'src/limits.ts', find: 'export const queueMax = 900', replace: 'export const queueMax = 12' },
    {
      file: 'src/limits.ts',
      find: 'export const queueMaxPerMerchant = 600',
      replace: 'export const queueMaxPerMerchant = 8',
    },
    {
      file: 'src/limits.ts',
      find: 'export const requestsInFlightMax = 1_200',
      replace: 'export const requestsInFlightMax = 20',
    },
    { file: 'src/limits.ts', find: 'export const batchMax = 250', replace: 'export const batchMax = 3' },
  ],
} satisfies Record<string, Edit[]>

/** Builds whose pacing is broken. test/pacing/paced-builds.test.ts shows that `verify` notices each. */
export const paceBuilds = {
  'pace-gate-off-by-one': [
    {
      file: 'src/fairness/verify-gates.ts',
      find: 'return awards + units <= released + returned',
      replace: 'return awards + units <= released + returned + 1',
    },
  ],
  'pace-award-early': [
    {
      file: 'src/pacing/pace-gates.ts',
      find: 'paceKey(run.secret, key, hashing), at, hashing)',
      replace: 'paceKey(run.secret, key, hashing), at + 120_000, hashing)',
    },
  ],
  'pace-unit-skipped': [
    {
      file: 'src/pacing/pace-gates.ts',
      find: 'const unit = units + (',
      replace: 'const unit = (run.entries === 3 ? 2 : units) + (',
    },
  ],
  'pace-head-kept': [
    {
      file: 'src/pacing/pace-gates.ts',
      find: 'Object.assign(run, advance(run, entry, hashing))',
      replace: 'Object.assign(run, { ...advance(run, entry, hashing), head: run.head })',
    },
  ],
  'pace-key-changed': [
    {
      file: 'src/pacing/pace-gates.ts',
      find: 'paceKey(run.secret, key, hashing)',
      replace: 'paceKey(run.secret, { ...key, run: 99 }, hashing)',
    },
  ],
  'pace-no-last-call': [
    {
      file: 'src/pacing/pace-gates.ts',
      find: 'isLastCall(pace, now.getTime())',
      replace: 'isLastCall(pace, now.getTime() - 86_400_000)',
    },
  ],
} satisfies Record<string, Edit[]>

declare global {
  var failPoint: (name: string) => void
}

const wanted = (process.env.FAULT_EDITS ?? '').split(',').filter(Boolean)
if (wanted.length > 0) edit(wanted)

function edit(names: readonly string[]): void {
  const [point, count] = (process.env.FAIL_POINT ?? '').split(':')
  let left = Number(count)
  globalThis.failPoint = (name) => {
    if (name === point && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
  const all: Record<string, Edit[]> = { ...failPoints, ...brokenBuilds, ...otherLimits, ...paceBuilds }
  const edits = names.flatMap((name) => {
    const own = all[name]
    if (own === undefined) throw new Error(`there is no edit ${name}`)
    return own
  })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const own = edits.filter(({ file }) => url.endsWith(`/${file}`))
      if (own.length === 0) return loaded
      return { ...loaded, source: own.reduce(applied, Buffer.from(loaded.source as Uint8Array).toString()) }
    },
  })
}

export function applied(source: string, { file, find, replace }: Edit): string {
  const parts = source.split(find)
  if (parts.length !== 2)
    throw new Error(`${file} has changed: the edit's text occurs ${parts.length - 1} times`)
  return parts.join(replace)
}
