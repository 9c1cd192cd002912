// Archives of a merchant with campaigns: balances of all purses, lots and marks of forced plays come through.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { archiveLedger } from '../../src/integrity/archive/archive-ledger.ts'
import { readArchivedPlays, readArchivedRows } from '../../src/integrity/archive/archived-rows.ts'
import { readArchives } from '../../src/integrity/archive/archives.ts'
import { restoreArchive } from '../../src/integrity/archive/restore-archive.ts'
import { auditWithSeals } from '../../src/integrity/audit.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { statement } from '../../src/db/database.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { findPlayer } from '../../src/players/players.ts'
import { readPlaysAfter } from '../../src/plays/plays.ts'
import type { WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { asSuperuser, makeFolder, makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

describe('the archives of a merchant with campaigns', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let folder: string
  let token: string
  let merchantId: number
  /** The rows that an archive takes away, when all were in the database. */
  let allRows: string[]
  let allPlays: Record<string, unknown>[]

  before(async () => {
    server = await makeServer(lifetime, { env: { SEAL_INTERVAL_SECONDS: '0' } })
    folder = makeFolder(lifetime)
    const live = await makeManagementApi(server)
    // Part of the budget is released by the time of the plays. The gate of a budget has no segment.
    const budget = { amount: 50, periods: [{ from: inDays(1), until: inDays(30) }] }
    const wheel = alwaysWins({ cost: 1 }, { budget })
    const cup = { ...wheel.segments[1], id: 'cup', prize: { kind: 'handover' } } as WheelSegment
    await live.publish({ ...wheel, segments: [...wheel.segments, cup] })
    for (const campaign of ['summer', 'autumn'])
      await live.call('POST', '/campaigns', { campaign, name: campaign, wheel: 'main' })
    const made = await live.call('POST', '/test-merchant', {})
    token = made.body.token
    merchantId = (await findMerchant(server.ctx.db, made.body.merchant)).merchantId
    assert.equal((await call('PUT', '/test/clock', { now: inDays(2) })).status, 200)
  })

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    callApi(server, token, method, `/api/v1${path}`, { body, ...(headers === undefined ? {} : { headers }) })
  const grant = (playerId: string, campaign: string, key: string, more: object = {}) =>
    call('POST', '/grants', { playerId, campaign, spins: 5, ...more }, { 'Idempotency-Key': key })
  const play = async (playerId: string, campaign: string) => {
    const link = await call('POST', '/links', { playerId, campaign })
    const session = (await call('POST', '/game/session', { token: link.body.token })).body
    const played = await call('POST', '/game/plays', {
      session: session.session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.next.commitment,
      versionHash: session.wheel.hash,
    })
    assert.equal(played.status, 200, played.text)
  }
  const seal = () => sealAll(server.ctx.db, { now: new Date() })
  const archive = async () => {
    const now = () => new Date(Date.now() + 1)
    await archiveLedger(server.ctx.db, { folder, before: now(), now, nameOf: () => 'shop', merchantId })
  }
  const findings = async () => {
    const report = await auditWithSeals(server.ctx.db, { keys: [], kept: [], archiveDir: folder })
    return report.findings.map(({ check }) => check)
  }
  const query = (text: string) => server.ctx.db.query(statement<{ row: string }>(text))
  const rows = async () => {
    const tables = ['ledger_entries', 'plays', 'forced_plays', 'ledger_seal_parts']
    const all = tables.map((table) => `select '${table}' || it::text as row from ${table} as it`)
    return (await query(`select row from (${all.join(' union all ')}) as every order by 1`)).map(
      ({ row }) => row,
    )
  }
  const plays = () => {
    const first = { playerNo: 0, playNo: 0 }
    return server.ctx.db.longTransaction((tx) => readPlaysAfter(tx, merchantId, first, 100))
  }
  const spinsOf = async (playerId: string) => {
    const { purses, lots } = (await call('GET', `/players/${playerId}`)).body
    return { purses, lots }
  }

  test('carry the balance of every purse and what is left of every lot forward', async () => {
    await grant('ann', 'main', 'k1', { expiresAt: inDays(10) })
    await grant('ann', 'summer', 'k2', { expiresAt: inDays(20) })
    await grant('ann', 'summer', 'k3')
    await grant('ann', 'autumn', 'k4')
    for (const playerId of ['force-nothing-1', 'force-cup-1']) {
      await grant(playerId, 'summer', 'k5')
      await play(playerId, 'summer')
    }
    for (const campaign of ['main', 'summer', 'autumn']) await play('ann', campaign)
    await seal()
    const [first, ...others] = await plays()
    assert.ok(first)
    await archive()
    assert.deepEqual(await findings(), [])
    // The lot of `main` is used up here, in the second file.
    for (const _ of times(4, (index) => index)) await play('ann', 'main')
    await play('ann', 'summer')
    await grant('ann', 'autumn', 'k6', { expiresAt: inDays(5) })
    await seal()
    allRows = await rows()
    const spins = await spinsOf('ann')
    assert.equal(spins.lots.length, 2)
    allPlays = [first, ...others, ...(await plays())]
    await archive()
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await spinsOf('ann'), spins)
    assert.equal((await query('select from ledger_entries')).length, 0)
    assert.equal((await readArchives(server.ctx.db, merchantId)).length, 2)

    const elsewhere = await grant('ann', 'autumn', 'k3')
    assert.equal(elsewhere.body.code, 'idempotency_key_reused', 'the same key in another campaign')
    assert.equal((await grant('ann', 'summer', 'k3')).headers.get('idempotent-replayed'), 'true')
  })

  test('have every play as it was, with its gates and the mark of a forced one', async () => {
    const read = await Array.fromAsync(readArchivedPlays(server.ctx.db, { folder, merchantId }))
    const byPlay = (list: any[]) => list.toSorted((one, other) => (one.playId < other.playId ? -1 : 1))
    // Prizes that staff check are kept out of archives.
    const withoutHolds = allPlays.map(({ holdState, heldUntil, ...rest }) => {
      assert.deepEqual([holdState, heldUntil], [null, null])
      return rest
    })
    assert.deepEqual(byPlay(read), byPlay(withoutHolds))
    assert.deepEqual([read.length, read.filter(({ isForced }) => isForced).length], [10, 2])
    assert.ok(read.some(({ gates }) => gates?.some(({ segment }) => segment === null)))
    const ann = await findPlayer(server.ctx.db, { merchantId, playerId: 'ann' }, new Date())
    assert.ok(ann)
    const own = await Array.fromAsync(readArchivedRows(server.ctx.db, { folder, merchantId, ...ann }))
    const entries: any[] = own.flatMap((row) => ('entry' in row ? [row.entry] : []))
    assert.deepEqual(
      [entries.length, entries.filter((entry) => entry.lots !== undefined).length],
      [13, 7],
      'entries keep their lots',
    )
    assert.equal(new Set(entries.map((entry) => entry.purse_id)).size, 3)
  })

  test('are missed by the audit when what was carried forward is changed', async () => {
    for (const [damage, mend, check] of [
      [
        'update archived_purses set balance = balance + 1',
        'update archived_purses set balance = balance - 1',
        'every other purse',
      ],
      [
        'update carried_lots set spins = spins + 1',
        'update carried_lots set spins = spins - 1',
        'what is left of each lot',
      ],
      [
        'create table kept as select * from forced_plays; delete from forced_plays',
        'insert into forced_plays select * from kept; drop table kept',
        'every archive is there',
      ],
    ] as const)
      await asSuperuser(server.target.database, async (client) => {
        await client.query(damage)
        const found = await findings()
        assert.ok(
          found.some((one) => one.startsWith(check)),
          `${damage}: ${found.join()}`,
        )
        await client.query(mend)
      })
    assert.deepEqual(await findings(), [])
  })

  test('are put back, also after lots were used up, until every row is as it was', async () => {
    for (const _ of times(5, (index) => index)) await play('ann', 'autumn')
    for (const _ of times(3, (index) => index)) await play('ann', 'summer')
    const spins = await spinsOf('ann')
    assert.deepEqual(spins.lots, [])
    assert.deepEqual(await findings(), [])
    for (const _ of [1, 2]) {
      await restoreArchive(server.ctx.db, { folder, merchantId })
      assert.deepEqual(await findings(), [])
    }
    const restored = new Set(await rows())
    for (const row of allRows) assert.ok(restored.has(row), row)
    const carried =
      'select from archived_purses union all select from carried_lots union all select from archived_keys'
    assert.equal((await query(carried)).length, 0)
    assert.deepEqual(await spinsOf('ann'), spins)
    await seal()
    await archive()
    assert.deepEqual(await findings(), [])
  })
})
