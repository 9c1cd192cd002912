// Closed periods move into files. Nothing is lost, whatever happens meanwhile, and the audit reads the files.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { archivePath } from '../../src/integrity/archive/archive-file.ts'
import { archiveLedger } from '../../src/integrity/archive/archive-ledger.ts'
import { readArchives } from '../../src/integrity/archive/archives.ts'
import { restoreArchive } from '../../src/integrity/archive/restore-archive.ts'
import { auditWithSeals } from '../../src/integrity/audit.ts'
import { sealKeyOf } from '../../src/integrity/seal-hash.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { statement } from '../../src/db/database.ts'
import { grantAtOnce } from '../../src/grants/grant-at-once.ts'
import { withHashes } from '../../src/grants/grant.ts'
import { erasePlayer } from '../../src/players/erase-player.ts'
import { expireNextSpins } from '../../src/players/expire-spins.ts'
import { alwaysWins, type ManagementApi, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  main,
  makeFolder,
  makeServer,
  node,
  post,
  runCli,
  type Server,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'

const secret = 'ab'.repeat(32)
const key = sealKeyOf(secret)
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
const cutoff = daysAgo(40)

describe('an archive', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  let folder: string
  let env: Record<string, string>
  before(async () => {
    server = await makeServer(lifetime, { env: { SEAL_INTERVAL_SECONDS: '0' } })
    api = await makeManagementApi(server)
    folder = makeFolder(lifetime)
    env = { DATABASE_URL: databaseUrl(server.target), ARCHIVE_DIR: folder, SEAL_KEY: secret }
    await api.publish(alwaysWins({ stock: 2 }))
    await api.grant('ann', 5, 'order-1')
    for (let play = 0; play < 4; play++) await api.play('ann')
    await api.grant('bob', 3, 'order-2')
    await sealAll(server.ctx.db, { now: daysAgo(60), key })
    await api.grant('ann', 2, 'order-3')
    await api.grant('cid', 4, 'order-4')
    await sealAll(server.ctx.db, { now: daysAgo(50), key })
    // Later than the archive.
    await api.grant('ann', 1, 'order-5')
    await sealAll(server.ctx.db, { now: new Date(), key })
    await api.grant('bob', 1, 'order-6')
  })

  const findings = async () =>
    (await auditWithSeals(server.ctx.db, { keys: [key], kept: [], archiveDir: folder })).findings
  const count = async (table: string) => {
    const [row] = await server.ctx.db.query(statement<{ count: number }>(`select count(*) from ${table}`))
    return row?.count
  }
  const archive = (options: Partial<Parameters<typeof archiveLedger>[1]> = {}) =>
    archiveLedger(server.ctx.db, {
      folder,
      before: cutoff,
      now: () => new Date(),
      nameOf: () => api.merchant.slug,
      ...options,
    })
  const grant = (playerId: string, spinNumber: number, idempotencyKey: string) =>
    post(
      `${server.url}/api/player/increaseSpin`,
      api.token,
      { playerId, spinNumber },
      { 'Idempotency-Key': idempotencyKey },
    )
  /** Waits until this many statements wait for a lock. */
  const waiting = (number: number) =>
    until(async () => {
      const found = await server.ctx.db.query(
        statement(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      return found.length === number
    })
  /** All rows that an archive takes away. */
  const rows = async () => {
    const tables = ['ledger_entries', 'plays', 'ledger_seal_parts', 'players']
    const all = tables.map((table) => `select it::text as row from ${table} as it`).join(' union all ')
    return server.ctx.db.query(statement<{ row: string }>(`select row from (${all}) as every order by 1`))
  }

  let rowsBefore: { row: string }[]

  test('is planned by a dry run, refuses a young period, and loses nothing if it is killed', async () => {
    rowsBefore = await rows()
    const date = cutoff.toISOString().slice(0, 10)
    const planned = await runCli(['archive', '--before', date, '--dry-run', '--json'], env)
    const [plan] = JSON.parse(planned.stdout) as { lastSealNo: number; entries: number; plays: number }[]
    assert.deepEqual([plan?.lastSealNo, plan?.entries, plan?.plays], [2, 9, 4], planned.stderr)
    const measured = await runCli(['sizes', '--rows', '--json'], env)
    const widths = JSON.parse(measured.stdout) as { table: string; name: string; bytesPerRow: number }[]
    const seed = widths.find(({ table, name }) => table === 'plays' && name === 'player_seed')
    assert.equal(seed?.bytesPerRow, 33)
    const young = await runCli(['archive', '--before', daysAgo(3).toISOString()], env)
    assert.match(young.stderr, /must be at least 31 days ago/)

    // Removal waits for bob's row, and is killed there.
    await asSuperuser(server.target.database, async (client) => {
      await client.query('begin')
      await client.query(`select from players where player_id = 'bob' for update`)
      const child = spawn(node, [main, 'archive', '--before', date], {
        cwd: tmpdir(),
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'inherit',
      })
      await waiting(1)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await client.query('rollback')
    })
    assert.deepEqual(await rows(), rowsBefore)
    assert.deepEqual(await findings(), [])
    const [unfinished] = await readArchives(server.ctx.db)
    assert.deepEqual([unfinished?.entries, unfinished?.removedAt], [9, null])
  })

  test('goes on where it was killed, in small steps; balances, prizes and keys stay', async () => {
    const finished = await archive({ partsRemovedMax: 1 })
    assert.deepEqual(
      finished.map(({ archiveNo, lastSealNo, entries, plays }) => [archiveNo, lastSealNo, entries, plays]),
      [[1, 2, 9, 4]],
    )
    assert.deepEqual(await archive(), [])
    assert.deepEqual(await findings(), [])
    // Two entries are younger. The two prizes stay.
    assert.deepEqual([await count('ledger_entries'), await count('plays')], [2, 2])
    assert.deepEqual((await readAll(api, '/prizes', 'prizes')).length, 2)

    const repeated = await grant('ann', 5, 'order-1')
    assert.deepEqual([repeated.status, repeated.body['spinCount']], [200, 5])
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
    assert.equal((await grant('ann', 6, 'order-1')).status, 422)
    assert.deepEqual((await grant('ann', 1, 'order-7')).body, {
      playerId: 'ann',
      spinCount: 5 + 1000 - 4 + 2 + 1 + 1,
    })
    // The first spins of a link are given once.
    assert.equal((await api.play('ann')).won, false)
    assert.deepEqual((await grant('cid', 1, 'order-8')).body, { playerId: 'cid', spinCount: 5 })
    await sealAll(server.ctx.db, { now: new Date(), key })
    assert.deepEqual(await findings(), [])
  })

  test('is known to the one statement of a grant, also while that waits for the rows to be archived', async () => {
    const { merchantId } = api.merchant
    const order = (playerId: string, text: string) =>
      withHashes({
        merchantId,
        playerId,
        kind: 'grant',
        amount: 1,
        key: text,
        reason: null,
        mayCreatePlayer: true,
        callMax: 9,
        dailyMax: null,
      })
    const atOnce = (hasArchive: boolean, ...orders: ReturnType<typeof order>[]) =>
      server.ctx.db.session((connection) => grantAtOnce(connection, orders, new Date(), hasArchive))
    assert.deepEqual(await atOnce(true, order('cid', 'order-4')), [undefined])
    assert.deepEqual(await atOnce(true, order('cid', 'order-4'), order('ann', 'order-9')), [undefined, 1005])
    assert.deepEqual(await atOnce(true, order('cid', 'order-9')), [6])
    assert.deepEqual(await atOnce(false, order('cid', 'order-10')), [undefined])

    await api.grant('dan', 1, 'order-11')
    await sealAll(server.ctx.db, { now: daysAgo(45), key })
    await asSuperuser(server.target.database, async (client) => {
      await client.query('begin')
      // Removal holds the player and waits here.
      await client.query('lock table ledger_seal_parts in share row exclusive mode')
      const archived = archive({ before: new Date() })
      await waiting(1)
      const granted = atOnce(true, order('dan', 'order-11'))
      await waiting(2)
      await client.query('commit')
      await archived
      assert.deepEqual(await granted, [undefined])
    })
    assert.deepEqual((await grant('dan', 1, 'order-11')).body, { playerId: 'dan', spinCount: 1 })
    assert.equal(await count('ledger_entries'), 0)
    assert.deepEqual(await findings(), [])
  })

  test('is exported and verified with all plays, and survives the erasure of a player', async (t) => {
    const file = join(makeFolder(t), 'plays.ndjson')
    const exported = await runCli(['plays', 'export', api.merchant.slug], env)
    writeFileSync(file, exported.stdout)
    const verified = await runCli(['verify', file], env)
    assert.equal(verified.stdout, '5 plays checked, 0 wrong.\n', exported.stderr)
    const shown = await runCli(['archive', 'show', api.merchant.slug, 'bob'], env)
    assert.match(
      shown.stdout,
      /^{"entry":{.*"key":"order-2".*}\n{"entry":{.*"key":"order-6".*}\n$/,
      shown.stderr,
    )
    const cause = {
      actor: { kind: 'command' as const, id: '1', name: 'test' },
      requestId: null,
      now: new Date(),
    }
    await erasePlayer(server.ctx.db, { merchantId: api.merchant.merchantId, playerId: 'bob' }, cause)
    assert.deepEqual(await findings(), [])
  })

  test('is missed by the audit when a file is gone or changed, or when what was kept is changed', async () => {
    const problemsOf = async () => (await findings()).map(({ check }) => check)
    const [first] = await readArchives(server.ctx.db)
    assert.ok(first)
    const path = archivePath(folder, first)
    const isDamaged = ['every archive is there, as it was sealed']
    renameSync(path, `${path}.away`)
    assert.deepEqual(await problemsOf(), isDamaged)
    const audit = await runCli(['audit'], env)
    assert.deepEqual([audit.code, /000001\.ndjson\.zst is missing/.test(audit.stdout)], [2, true])
    const bytes = readFileSync(`${path}.away`)
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40)
    writeFileSync(path, bytes)
    assert.deepEqual(await problemsOf(), isDamaged)
    renameSync(`${path}.away`, path)
    for (const [damage, check] of [
      [`delete from archived_keys where amount = 5`, isDamaged[0]],
      [`update plays set code = 'GOLD' where play_no = 1`, isDamaged[0]],
      [
        `update archived_players set balance = balance + 1 where play_no > 0`,
        "a player's balance is the sum",
      ],
      [`delete from ledger_archives where archive_no = 1`, 'the archived seals of a merchant'],
      [
        `update players set archived_entry_no = null where player_id = 'ann'`,
        'nothing is both in the database',
      ],
    ])
      await asSuperuser(server.target.database, async (client) => {
        for (const table of ['archived_keys', 'plays', 'archived_players', 'ledger_archives', 'players'])
          await client.query(`create table saved_${table} as select * from ${table}`)
        await client.query(damage as string)
        const found = await problemsOf()
        assert.ok(
          found.some((one) => one.startsWith(check as string)),
          `${damage}: ${found.join()}`,
        )
        for (const table of ['archived_keys', 'plays', 'archived_players', 'ledger_archives', 'players']) {
          await client.query(`truncate ${table}`)
          await client.query(
            `insert into ${table} ${table === 'players' ? 'overriding system value' : ''} select * from saved_${table}`,
          )
          await client.query(`drop table saved_${table}`)
        }
      })
    assert.deepEqual(await findings(), [])
    for (const table of ['ledger_entries', 'archived_keys', 'ledger_archives'])
      await assert.rejects(server.ctx.db.query(statement(`delete from ${table}`)), /permission denied/)
  })

  test('can be put back, the newest first, until every row is as it was; archived grants still expire', async () => {
    const { merchantId } = api.merchant
    const archives = await readArchives(server.ctx.db)
    for (const { archiveNo } of archives.toReversed()) {
      const restored = await restoreArchive(server.ctx.db, { folder, merchantId })
      assert.equal(restored.archiveNo, archiveNo)
      assert.deepEqual(await findings(), [])
    }
    await assert.rejects(restoreArchive(server.ctx.db, { folder, merchantId }), /has no archive/)
    assert.deepEqual([await count('archived_keys'), await count('archived_players')], [0, 0])
    const after = new Set((await rows()).map(({ row }) => row))
    const isLedger = ({ row }: { row: string }) => !/order-|ann|bob|cid/.test(row) || /order-/.test(row)
    for (const one of rowsBefore.filter(isLedger)) assert.ok(after.has(one.row), one.row)

    const give = (expiresAt: string) => {
      const body = { playerId: 'eva', spins: 5, expiresAt }
      return api.call('POST', '/grants', body, { 'Idempotency-Key': 'order-8' })
    }
    const expiresAt = daysAgo(-30).toISOString()
    assert.equal((await give(expiresAt)).body.spinCount, 5)
    await api.play('eva')
    await api.play('eva')
    await sealAll(server.ctx.db, { now: new Date(), key })
    await archive({ before: new Date() })
    assert.equal((await give(expiresAt)).headers.get('idempotent-replayed'), 'true')
    assert.equal((await give(daysAgo(-31).toISOString())).body.code, 'idempotency_key_reused')
    await api.play('eva')
    assert.deepEqual(await findings(), [])
    await restoreArchive(server.ctx.db, { folder, merchantId })
    assert.deepEqual(await findings(), [])
    await archive({ before: new Date() })
    while ((await expireNextSpins(server.ctx.db, daysAgo(-31))) === 'more');
    const [expiry] = (await api.call('GET', '/players/eva/ledger')).body.entries
    assert.deepEqual([expiry.kind, expiry.key, expiry.amount], ['expiry', 'lot-1', -2])
    assert.deepEqual(await findings(), [])
  })
})
