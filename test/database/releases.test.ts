// Databases that earlier releases have made. test/database/releases has them, recorded by the code of each release
// (scripts/record-release.ts). Those from before 0.3.0 are there twice: as they were, and as 0.3.0 has upgraded them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { baselineVersion } from '../../src/db/migrations.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { ExportVerifier, type VerifiedLine } from '../../src/fairness/verify-export.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { loadRelease, readRelease, type RecordedRelease, releaseFolder } from './recorded-release.ts'
import {
  asSuperuser,
  databaseUrl,
  defer,
  freePort,
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
import { onLanding } from '../scenes/selection.ts'
import { makeBrowser } from '../scenes/staff-scene.ts'

const recordings = readdirSync(releaseFolder).map((file) => {
  const name = file.replace('.json.gz', '')
  return { name, recorded: readRelease(name) }
})
const isOld = ({ recorded }: { recorded: RecordedRelease }) => recorded.contents.schema < baselineVersion

describe('a database of 0.3.0 or later', { concurrency: 2, ...notOnCluster }, () => {
  for (const { name, recorded } of recordings.filter((one) => !isOld(one)))
    test(
      `${name}: is used after kill -9 half-way, and nothing is lost`,
      name === '0.3.0' ? {} : onLanding,
      async (t) => {
        const target = await makeEmptyDatabase(t)
        await loadRelease(recorded, target)
        if (recorded.contents.schema === baselineVersion) {
          const before = await rowsOf(target, 'schema_migrations')
          await killHalfWay(t, target)
          assert.equal(await rowsOf(target, 'schema_migrations'), before)
        }
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
      },
    )
})

describe('a database from before 0.3.0', { concurrency: 2, ...notOnCluster }, () => {
  for (const { name, recorded } of recordings.filter(isOld))
    test(
      `${name}: is refused in one sentence that names 0.3.0, and nothing changes`,
      onLanding,
      async (t) => {
        const target = await makeEmptyDatabase(t)
        await loadRelease(recorded, target)
        const everything = async () => [
          await shapeOf(target),
          await Promise.all(recorded.contents.tables.map((table) => rowsOf(target, table.name))),
        ]
        const before = await everything()
        const env = { DATABASE_URL: databaseUrl(target), METRICS_ADDRESS: 'off', LOG_LEVEL: 'silent' }
        const sentence = `is of a Wheelhouse before 0\\.3\\.0 \\(schema version ${recorded.contents.schema}\\), .* Start Wheelhouse 0\\.3\\.0 with it once`
        for (const command of [['serve'], ['migrate'], ['merchant', 'list']]) {
          const refused = await runCli(command, { ...env, PORT: String(await freePort()) })
          assert.equal(refused.code, 1, command.join(' '))
          assert.match(refused.stderr, new RegExp(`^wheelhouse: [^\n]* ${sentence}[^\n]*\n$`))
        }
        const doctor = await runCli(['doctor'], env)
        assert.match(doctor.stdout, new RegExp(`^schema +wrong .* ${sentence}`, 'm'))
        assert.deepEqual(await everything(), before)
      },
    )
})

async function rowsOf({ database }: DatabaseTarget, table: string): Promise<string> {
  const hash = `select md5(coalesce(string_agg(rows::text, ';' order by rows::text), '')) as hash from ${table} as rows`
  return asSuperuser(
    database,
    async (client) => (await client.query<{ hash: string }>(hash)).rows[0]?.hash ?? '',
  )
}

/** Starts the upgrade, and kills it while the first migration after the baseline waits for a table. */
async function killHalfWay(t: Lifetime, target: DatabaseTarget): Promise<void> {
  await asSuperuser(target.database, async (client) => {
    await client.query('begin')
    await client.query('lock table schema_migrations in share mode')
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
  })
}

const selectWaiting = `
select
from pg_locks
where relation = 'schema_migrations'::regclass
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

// Partitions with bounds come and go. The chain of migrations before the baseline has left checks that were not made on
// older rows, and columns that were dropped.
const ours = `relnamespace = 'public'::regnamespace
and (not relispartition or pg_get_expr(relpartbound, pg_class.oid) = 'DEFAULT')`
const selectShape = `
select relname::text as of, concat_ws(' ', relkind, relpersistence, relacl, reloptions, obj_description(oid)) as is
from pg_class
where ${ours} and relkind not in ('i', 'I')
union all
select
  relname || '.' || attname,
  concat_ws(
    ' ', row_number() over (partition by attrelid order by attnum), format_type(atttypid, atttypmod), attnotnull,
    attcollation::regcollation, attidentity, attgenerated, attstorage, attcompression, attacl,
    pg_get_expr(adbin, adrelid), col_description(attrelid, attnum)
  )
from pg_class
join pg_attribute on attrelid = pg_class.oid
left join pg_attrdef on adrelid = attrelid and adnum = attnum
where ${ours} and relkind in ('r', 'p') and attnum > 0 and not attisdropped
union all
select
  relname || ' ' || case contype when 'n' then '' else conname end,
  replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', '')
from pg_class
join pg_constraint on conrelid = pg_class.oid
where ${ours}
union all
select relname::text, concat_ws(' ', pg_get_indexdef(pg_class.oid), indisvalid, indisreplident, indisclustered)
from pg_class
join pg_index on indexrelid = pg_class.oid
where relnamespace = 'public'::regnamespace and not relispartition
union all
select
  sequencename, concat_ws(' ', data_type, start_value, min_value, max_value, increment_by, cycle, cache_size)
from pg_sequences
where schemaname = 'public'
union all
select proname, pg_get_functiondef(oid)
from pg_proc
where pronamespace = 'public'::regnamespace
union all
select tgname, pg_get_triggerdef(oid)
from pg_trigger
where not tgisinternal
union all
select polname, polrelid::regclass::text
from pg_policy
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
