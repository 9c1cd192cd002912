// Two real PostgreSQL servers: a primary and its synchronous standby. `npm run faults` does the same under load.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endAll } from '../../faults/children.ts'
import { Postgres } from '../../faults/postgres.ts'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { statement } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { writeHangMs } from '../../src/limits.ts'
import { type DatabaseTarget, parseDatabaseUrl } from '../../src/settings/database-url.ts'
import {
  defer,
  type Lifetime,
  makeMerchant,
  makeServer,
  openTestDatabase,
  post,
  runCli,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

after(endAll)

test(
  'hanging writes are noticed, the promoted standby takes over, and the replaced primary is never used again',
  onLanding,
  async (t) => {
    const { primary, standby, url } = await makePair(t)
    const targets = parseDatabaseUrl(url) as readonly DatabaseTarget[]
    const [target] = targets as [DatabaseTarget]
    const db = openTestDatabase(t, target, { targets, statementTimeoutMs: 4_000, lockTimeoutMs: 2_000 })
    await migrate(db)
    assert.deepEqual(await db.query(statement<{ jit: string }>('show jit')), [{ jit: 'off' }])
    for (const purpose of ['links', 'seeds'] as const) await rotateSigningKeys(db, purpose, new Date())
    const { token } = await makeMerchant(db)
    const server = await makeServer(t, { database: { target, db } })
    const readiness = async () => {
      const answer = await fetch(`${server.url}/readyz`)
      return [answer.status, (await answer.json()) as Record<string, string>] as const
    }
    const grant = () =>
      post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 1 })
    const grantsOn = async (postgres: Postgres) => {
      const [row] = await postgres.query<{ count: number }>(
        'select count(*)::int from ledger_entries',
        [],
        'wheelhouse',
      )
      return row?.count
    }
    await setSynchronous(primary)
    assert.deepEqual(await readiness(), [200, { status: 'ready' }])
    assert.equal((await grant()).status, 200)

    // A short stall changes nothing.
    const pausedAt = performance.now()
    standby.signal('SIGSTOP')
    for (;;) {
      const [status] = await readiness()
      if (performance.now() - pausedAt > writeHangMs - 1_000) break
      assert.equal(status, 200)
    }
    standby.signal('SIGCONT')
    await until(async () => (await grant()).status === 200)

    // Commits hang for good.
    await standby.stop('SIGKILL')
    await until(async () => (await readiness())[0] === 503)
    const [, trouble] = await readiness()
    assert.equal(trouble.status, 'writes hang')
    const reason = /^For \d+ seconds no test write was committed: commits wait for the synchronous standby, /
    assert.match(trouble.detail ?? '', reason)
    const doctor = await runCli(['doctor', '--json'], { DATABASE_URL: url })
    const findings = JSON.parse(doctor.stdout) as { check: string; state: string; finding: string }[]
    const writes = findings.find(({ check }) => check === 'writes')
    assert.equal(writes?.state, 'wrong')
    assert.match(writes?.finding ?? '', reason)

    // The old primary still runs and still takes connections.
    await standby.start()
    await standby.query('select pg_promote()')
    await until(async () => (await grant()).status === 200 && (await readiness())[0] === 200)
    const [before, promoted] = [await grantsOn(primary), (await grantsOn(standby)) as number]
    assert.equal((await grant()).status, 200)
    assert.deepEqual([await grantsOn(primary), await grantsOn(standby)], [before, promoted + 1])

    await standby.stop('SIGKILL')
    const refused = await grant()
    assert.deepEqual([refused.status, refused.body.code], [503, 'database_unavailable'])
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await readiness())[0], 503)
    assert.equal(await grantsOn(primary), before)
    await standby.start()
    await until(async () => (await grant()).status === 200)
  },
)

async function makePair(t: Lifetime) {
  const primary = await Postgres.start()
  defer(t, () => primary.remove())
  const follow = `host=127.0.0.1 port=${primary.port} user=postgres`
  const standby = await primary.copy({ primary_conninfo: follow, hot_standby: 'on' }, 'standby.signal')
  defer(t, () => standby.remove())
  await standby.start()
  const url = `postgresql://wheelhouse@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/wheelhouse`
  return { primary, standby, url }
}

async function setSynchronous(primary: Postgres): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  await until(async () => {
    const rows = await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)
    return rows.length === 1
  })
}
