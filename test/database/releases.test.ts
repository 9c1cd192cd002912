// Databases that earlier releases have made, upgraded to this version. test/database/releases has them, recorded by the
// code of each release (scripts/record-release.ts).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { hashing } from '../../src/fairness/hashing.ts'
import { ExportVerifier, type VerifiedLine } from '../../src/fairness/verify-export.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { loadRelease, readRelease, type RecordedRelease, releaseFolder } from './recorded-release.ts'
import {
  asSuperuser,
  databaseUrl,
  defer,
  type Lifetime,
  main,
  makeDatabase,
  makeEmptyDatabase,
  makeFolder,
  makeServer,
  node,
  notOnCluster,
  openTestDatabase,
  post,
  runCli,
  type Server,
  until,
} from '../scenes/scene.ts'
import { makeBrowser } from '../scenes/staff-scene.ts'

const releases = readdirSync(releaseFolder).map((file) => file.replace('.json.gz', ''))
/** The first migration after 0.2.0 that changes this table has many others before it and after it. */
const blocked = { table: 'service_tokens', version: 28 }

describe('a database of an earlier release', { concurrency: 2, ...notOnCluster }, () => {
  for (const release of releases) {
    const recorded = readRelease(release)
    const before = recorded.contents.schema
    const isKilled = before < blocked.version - 1
    test(`${release}: is upgraded${isKilled ? ' after kill -9 half-way' : ''}, and nothing is lost`, async (t) => {
      const target = await makeEmptyDatabase(t)
      await loadRelease(recorded, target)
      if (isKilled) assert.equal(await killHalfWay(t, target), blocked.version - 1)
      const env = { DATABASE_URL: databaseUrl(target), SEAL_KEY: recorded.sealKey }
      const migrated = await runCli(['migrate'], env)
      assert.deepEqual([migrated.code, migrated.stderr], [0, ''])
      assert.deepEqual(await shapeOf(target), await shapeOf((await makeDatabase(t)).target))
      assert.deepEqual(await merchantsWithoutMain(target), [])

      // Links live for 30 days, so the time is that of the recording.
      const time = Date.parse(recorded.recordedAt) + 3_600_000
      const database = { target, db: openTestDatabase(t, target) }
      const server = await makeServer(t, { database, env, now: () => new Date(time) })
      await sameBalances(server, recorded)
      await sameEvents(server, recorded)
      await sameAnswers(server, recorded)
      await sameBalances(server, recorded)
      await staffSignIn(server, recorded)
      sameProofs(recorded)
      const exported = await runCli(['plays', 'export', 'acme'], env)
      sameProofs({ ...recorded, proofs: exported.stdout })
      const played = await playOn(server, recorded)
      assert.equal(played.playNumber, 4)

      const kept = join(makeFolder(t), 'seals.ndjson')
      writeFileSync(kept, recorded.seals)
      const audit = await runCli(['audit', '--seals', kept], env)
      assert.match(audit.stdout, /^Clean: 3 players, .*\nSealed: [1-9]/)
      const doctor = await runCli(['doctor'], env)
      assert.match(doctor.stdout, /^schema +ok /m)
    })
  }
})

/** Starts the upgrade, kills it while it waits for a table, and returns the version that the schema has then. */
async function killHalfWay(t: Lifetime, target: DatabaseTarget): Promise<number> {
  return asSuperuser(target.database, async (client) => {
    await client.query('begin')
    await client.query(`lock table ${blocked.table} in access share mode`)
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl(target) }
    const child = spawn(node, [main, 'migrate'], { cwd: tmpdir(), env, stdio: ['ignore', 'ignore', 'pipe'] })
    defer(t, () => child.kill('SIGKILL'))
    const complaints = text(child.stderr)
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the upgrade has ended: ${await complaints}`)
      const waiting = await asSuperuser(target.database, (other) => other.query(selectWaiting))
      return waiting.rowCount === 1
    })
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await client.query('commit')
    const { rows } = await client.query<{ version: number }>(
      'select max(version) as version from schema_migrations',
    )
    return rows[0]?.version ?? 0
  })
}

const selectWaiting = `
select
from pg_locks
where relation = '${blocked.table}'::regclass
and not granted`

/** Everything about the tables that migrations can change. */
async function shapeOf({ database }: DatabaseTarget): Promise<unknown> {
  const { rows } = await asSuperuser(database, (client) => client.query(selectShape))
  return rows
}

async function merchantsWithoutMain({ database }: DatabaseTarget): Promise<unknown[]> {
  const { rows } = await asSuperuser(database, (client) => client.query(selectWithoutMain))
  return rows
}

const selectWithoutMain = `
select slug
from merchants
where merchant_id not in (select merchant_id from campaigns where slug = 'main')`

const ours = `relnamespace = 'public'::regnamespace and not relispartition`
const selectShape = `
select relname::text as of, concat_ws(' ', relkind, relacl, reloptions) as is
from pg_class
where ${ours}
union all
select
  relname || '.' || attname,
  concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation, pg_get_expr(adbin, adrelid))
from pg_class
join pg_attribute on attrelid = pg_class.oid
left join pg_attrdef on adrelid = attrelid and adnum = attnum
where ${ours} and relkind in ('r', 'p') and attnum > 0 and not attisdropped
union all
select relname || ' ' || conname, concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), convalidated)
from pg_class
join pg_constraint on conrelid = pg_class.oid
where ${ours}
union all
select relname::text, pg_get_indexdef(pg_class.oid)
from pg_class
where ${ours} and relkind in ('i', 'I')
order by 1, 2`

async function get(server: Server, recorded: RecordedRelease, path: string): Promise<any> {
  const response = await fetch(`${server.url}${path}`, { headers: { Authorization: recorded.token } })
  assert.equal(response.status, 200, path)
  return response.json()
}

async function sameBalances(server: Server, recorded: RecordedRelease): Promise<void> {
  for (const [playerId, player] of Object.entries(recorded.players)) {
    const now = await get(server, recorded, `/api/v1/players/${encodeURIComponent(playerId)}`)
    assert.partialDeepStrictEqual(now, player)
  }
}

async function sameEvents(server: Server, recorded: RecordedRelease): Promise<void> {
  const { events } = await get(server, recorded, '/api/v1/events?after=0&limit=1000')
  assert.partialDeepStrictEqual(events.slice(0, recorded.events.length), recorded.events)
}

/** Repeats every call under its key or id. */
async function sameAnswers(server: Server, recorded: RecordedRelease): Promise<void> {
  for (const { key, body, answer } of recorded.grants) {
    const headers = { 'Idempotency-Key': key }
    const repeated = await post(`${server.url}/api/player/increaseSpin`, recorded.token, body, headers)
    assert.deepEqual([repeated.status, repeated.body], [200, answer])
    assert.equal(repeated.headers.get('Idempotent-Replayed'), 'true')
  }
  for (const { playerId, initialSpin, token } of recorded.links) {
    const again = { playerId, initialSpin }
    assert.equal((await post(`${server.url}/api/game/sso`, recorded.token, again)).status, 200)
    const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    assert.equal(opened.body.spinCount, recorded.players[playerId]?.spinCount)
    for (const { order, answer } of recorded.plays) {
      const { link, ...play } = order
      if (link !== token) continue
      const body = { session: opened.body.session, ...play }
      const repeated = await post(`${server.url}/api/v1/game/plays`, undefined, body)
      assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
      assert.partialDeepStrictEqual(repeated.body.play, answer.play)
    }
  }
}

/** The owner signs in with the old password, and the browser's next request is theirs. */
async function staffSignIn(server: Server, { staff }: RecordedRelease): Promise<void> {
  const browser = makeBrowser(server)
  const signedIn = await browser.call('POST', '/api/v1/session', { body: staff })
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
  const listed = await browser.call('GET', '/api/v1/staff', { merchant: 'acme' })
  assert.partialDeepStrictEqual(listed.body, { staff: [{ email: staff.email, role: 'owner' }] })
}

function sameProofs({ proofs, plays }: RecordedRelease): void {
  const verifier = new ExportVerifier(hashing)
  for (const line of proofs.trimEnd().split('\n')) verifier.add(JSON.parse(line) as VerifiedLine)
  const { plays: checked, wrong, complaints } = verifier.finish()
  assert.deepEqual({ checked, wrong, complaints }, { checked: plays.length, wrong: 0, complaints: [] })
}

/** One more play behind the first old link. */
async function playOn(server: Server, { links: [link] }: RecordedRelease): Promise<Record<string, unknown>> {
  const opened = (await post(`${server.url}/api/v1/game/session`, undefined, { token: link?.token }))
    .body as any
  const played = await post(`${server.url}/api/v1/game/plays`, undefined, {
    session: opened.session,
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: opened.next.commitment,
    versionHash: opened.wheel.hash,
  })
  assert.equal(played.status, 200, JSON.stringify(played.body))
  return played.body.play as Record<string, unknown>
}
