// The audit detects manual edits of rows that were sealed before.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { auditLedger, auditWithSeals } from '../../src/integrity/audit.ts'
import { readNewestSeals } from '../../src/integrity/ledger-seals.ts'
import { sealHash, sealKeyOf } from '../../src/integrity/seal-hash.ts'
import { LedgerSealer, sealAll } from '../../src/integrity/seal-ledger.ts'
import { alwaysWins, type ManagementApi, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  makeFolder,
  makeServer,
  runCli,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const key = sealKeyOf('ab'.repeat(32))
const against = { keys: [key], kept: [] }

let server: Server
let api: ManagementApi
const lifetime = suiteLifetime()
before(async () => {
  server = await makeServer(lifetime, { env: { SEAL_INTERVAL_SECONDS: '0' } })
  api = await makeManagementApi(server)
  await api.publish(alwaysWins({ stock: 100 }))
  for (const player of ['ann', 'bob']) {
    for (const spins of [5, 3, 7]) await api.grant(player, spins)
    await api.play(player)
  }
  await sealAll(server.ctx.db, { now: new Date(), key })
  await api.grant('ann', 2)
  await api.grant('cid', 4)
  await sealAll(server.ctx.db, { now: new Date(), key })
})

const check = (one: { check: string }) => one.check
const changedRows = 'entries and plays have not changed since they were sealed'
const brokenChain = "every merchant's seals are a chain without a gap"
const otherParts = 'every seal has all its parts'

/**
 * Edits as a superuser with all constraints disabled, audits, and rolls back. The edits keep balances and counts
 * consistent, so that only the seals can reveal them.
 */
async function found(...edits: string[]): Promise<string[]> {
  const { database } = server.target
  return asSuperuser(database, async (client) => {
    // The audit's statements run in this open transaction, because only this transaction sees the edits.
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    try {
      for (const edit of edits) await client.query(edit)
      const { findings } = await auditWithSeals(queryingThrough(client), against)
      return findings.map(check)
    } finally {
      await client.query('rollback')
    }
  })
}

/** A database whose queries run in the transaction of the edits. */
function queryingThrough(client: pg.Client): Server['ctx']['db'] {
  const query = async (sql: { text: string }, values: unknown[] = []) => {
    if (sql.text.startsWith('set transaction')) return []
    const { rows } = await client.query(sql.text, values)
    return rows.map((row: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          ['entries', 'plays', 'count', 'players'].includes(name) ? Number(value) : value,
        ]),
      ),
    )
  }
  return { longTransaction: async (work: (tx: unknown) => unknown) => work({ query }) } as never
}

const ann = `(select player_no from players where player_id = 'ann')`

describe('manual edits are detected', () => {
  test('an unedited database has no findings', async () => {
    assert.deepEqual(await found(), [])
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
    const { seals } = await auditWithSeals(server.ctx.db, against)
    assert.deepEqual([seals.seals, seals.keyed], [2, 2])
    const [counted] = await server.ctx.db.query<{ count: number }>({
      name: '',
      text: 'select count(*) from ledger_entries',
    })
    assert.equal(seals.entries, counted?.count)
  })

  const edits: Record<string, string[]> = {
    'an entry with another amount, and all later balances adjusted': [
      `update ledger_entries set amount = amount + 100 where player_no = ${ann} and entry_no = 2`,
      `update ledger_entries set balance_after = balance_after + 100 where player_no = ${ann} and entry_no >= 2`,
      `update players set balance = balance + 100 where player_id = 'ann'`,
    ],
    'an entry with another time': [
      `update ledger_entries set created_at = created_at - interval '1 microsecond' where player_no = ${ann} and entry_no = 1`,
    ],
    'an entry with an added reason': [
      `update ledger_entries set reason = 'because' where player_no = ${ann} and entry_no = 1`,
    ],
    'the last entry deleted, with counts and balance': [
      `update players set entry_count = entry_count - 1, balance = balance - 4 where player_id = 'cid'`,
      `delete from ledger_entries where player_no = (select player_no from players where player_id = 'cid')`,
    ],
    'a deleted player with all rows': [
      `delete from ledger_entries where player_no = (select player_no from players where player_id = 'cid')`,
      `delete from players where player_id = 'cid'`,
    ],
    'two swapped entries': [
      `update ledger_entries set entry_no = 1000 + entry_no where player_no = ${ann} and entry_no in (2, 3)`,
      `update ledger_entries set entry_no = 1005 - entry_no where player_no = ${ann} and entry_no > 1000`,
      `update ledger_entries set balance_after = case entry_no when 2 then 12 else 15 end where player_no = ${ann} and entry_no in (2, 3)`,
    ],
    'an entry inserted in the middle': [
      `update ledger_entries set entry_no = 1000 + entry_no where player_no = ${ann} and entry_no >= 2`,
      `update ledger_entries set entry_no = entry_no - 999, balance_after = balance_after + 9 where player_no = ${ann} and entry_no > 1000`,
      `insert into ledger_entries
       select player_no, created_at, shard, merchant_id, 2, 9, balance_after + 9, kind,
         substring(sha256(convert_to(kind || chr(10) || merchant_id || chr(10) || 'forged' || chr(10) || 'ann', 'UTF8')) from 1 for 16),
         'forged', null
       from ledger_entries where player_no = ${ann} and entry_no = 1`,
      `update players set entry_count = entry_count + 1, balance = balance + 9 where player_id = 'ann'`,
    ],
    'a play with another player seed': [
      `update plays set player_seed = sha256('x') where player_no = ${ann}`,
    ],
    'a play with a code that was never issued': [`update plays set code = 'GOLD' where player_no = ${ann}`],
    'a play with a later claim deadline': [
      `update plays set claim_before = timestamptz '2099-01-01' where player_no = ${ann}`,
    ],
  }
  for (const [name, statements] of Object.entries(edits)) {
    test(name, async () => assert.deepEqual(await found(...statements), [changedRows]))
  }

  test('two players with swapped ids', async () => {
    const exchange = `
      update players set player_id = case player_id when 'ann' then 'bob' else 'ann' end, shard = shard
      where player_id in ('ann', 'bob')`
    const drop = 'alter table players drop constraint players_pkey'
    assert.ok((await found(drop, exchange)).includes("every entry is found by its player's name"))
  })

  test('a part or a seal that was changed, removed or added', async () => {
    const last = '(select max(seal_no) from ledger_seals)'
    assert.deepEqual(await found(`delete from ledger_seal_parts where player_no = ${ann} and seal_no = 2`), [
      otherParts,
    ])
    assert.deepEqual(await found(`delete from ledger_seals where seal_no = 1`), [otherParts, brokenChain])
    assert.deepEqual(await found(`update ledger_seals set sealed_at = now() where seal_no = ${last}`), [
      brokenChain,
    ])
    assert.deepEqual(
      await found(`
        insert into ledger_seals
        select merchant_id, 3, sealed_at, 0, 0, sha256(''), null, sha256('') from ledger_seals where seal_no = ${last}`),
      [otherParts, brokenChain],
    )
  })
})

test(
  'recomputing all seals after an edit needs the key, and a seal kept outside reveals it',
  onLanding,
  async (t) => {
    // Only this test seals.
    const own = await makeServer(t, { env: { SEAL_INTERVAL_SECONDS: '0' } })
    const { db } = own.ctx
    const testMerchant = await makeManagementApi(own)
    const env = { DATABASE_URL: databaseUrl(own.target), SEAL_KEY: 'ab'.repeat(32) }
    await testMerchant.grant('ann', 5)
    const [kept] = await sealAll(db, { now: new Date(), key })
    const file = join(makeFolder(t), 'seals.jsonl')
    const printed = await runCli(['seals'], env)
    writeFileSync(file, printed.stdout)
    assert.partialDeepStrictEqual(JSON.parse(printed.stdout), {
      merchant: testMerchant.merchant.slug,
      sealNo: 1,
      hash: kept?.hash,
    })
    const clean = await runCli(['audit', '--seals', file], env)
    assert.deepEqual([clean.code, clean.stderr], [0, ''])
    assert.match(clean.stdout, /^Clean: .*\nSealed: 1 entry, by 1 seal\.\n$/)

    const forge = async () =>
      asSuperuser(own.target.database, async (client) => {
        await client.query('update ledger_entries set amount = 500, balance_after = 500')
        await client.query('update players set balance = 500')
        await client.query('delete from ledger_seal_parts; delete from ledger_seals')
      })
    await forge()
    await sealAll(db, { now: new Date() })
    // All hashes fit now. Without the key the seals can't be what they were; the kept one says more.
    const betrayed = await runCli(['audit', '--seals', file], env)
    assert.equal(betrayed.code, 2)
    assert.match(betrayed.stdout, /"sealNo":1,"problem":"differs from the copy that was kept outside"/)
    assert.match(betrayed.stdout, /1 have no key/)
    await asSuperuser(own.target.database, (client) =>
      client.query('delete from ledger_seal_parts; delete from ledger_seals'),
    )
    const missed = await auditWithSeals(db, { keys: [key], kept: kept === undefined ? [] : [kept] })
    assert.match(JSON.stringify(missed.findings), /no longer exists/)

    // A forger who keeps the older, keyed seals cannot continue the chain without the key.
    await sealAll(db, { now: new Date(), key })
    await testMerchant.grant('ann', 1)
    const [forged] = await sealAll(db, { now: new Date() })
    assert.equal(forged?.keyId, null)
    const { findings } = await auditWithSeals(db, against)
    assert.deepEqual(findings.map(check), [brokenChain])
    assert.match(JSON.stringify(findings), /has no key, although/)
    // Nor can one avoid the check by naming another key. Without any key the audit fails too: it checked no seals.
    const unknown = /"sealNo":1,"problem":"has a key that is not in SEAL_KEY, so its hash was not checked"/
    const withoutKey = await runCli(['audit'], { DATABASE_URL: env.DATABASE_URL })
    assert.equal(withoutKey.code, 2)
    assert.match(withoutKey.stdout, unknown)
    await asSuperuser(own.target.database, (client) =>
      client.query(
        `update ledger_seals set key_id = 'ffffffffffffffff', hash = sha256('x') where seal_no = 1`,
      ),
    )
    const avoided = await runCli(['audit'], env)
    assert.equal(avoided.code, 2)
    assert.match(avoided.stdout, unknown)
  },
)

test('the hash of a seal never changes', () => {
  const seal = {
    merchantId: 7,
    sealNo: 3,
    sealedAt: new Date('2026-11-15T10:00:00.000Z'),
    entries: 12,
    plays: 4,
    partsSha256: '11'.repeat(32),
    keyId: key.keyId,
  }
  const vectors = [
    sealHash(seal, '22'.repeat(32), key),
    sealHash({ ...seal, keyId: null }, '22'.repeat(32), undefined),
    key.keyId,
  ]
  assert.deepEqual(vectors, [
    '170948fb0b2d3881fba85b4a126855e2f35f33b6086d9e0fb3e57bd2c5474dd6',
    '812bfaee5524b61a31de738a0f7fb9bcea00741b66309dd93997e39127e6e513',
    '95adc9bbb5aad650',
  ])
})

test('the sealer skips no open transaction and seals each row once, beside writers and other sealers', async (t) => {
  const own = await makeServer(t)
  const { db } = own.ctx
  const testMerchant = await makeManagementApi(own)
  await testMerchant.grant('slow', 1)
  const sealers = times(2, () => new LedgerSealer({ db, now: () => new Date(), key, intervalMs: 0 }))
  const round = () => Promise.all(sealers.map((sealer) => sealer.step()))
  await asSuperuser(own.target.database, async (client) => {
    // Begun first, committed last; its rows have the older time.
    await client.query('begin')
    await client.query(`update players set entry_count = 2, balance = 3 where player_id = 'slow'`)
    await client.query(`
      insert into ledger_entries
      select player_no, created_at - interval '30 days', shard, merchant_id, 2, 2, 3, kind,
        substring(sha256(convert_to(kind || chr(10) || merchant_id || chr(10) || 'late' || chr(10) || 'slow', 'UTF8')) from 1 for 16),
        'late', null
      from ledger_entries`)
    for (let turn = 0; turn < 5; turn++) {
      await Promise.all([...times(20, (index) => testMerchant.grant(`p${index}`, 1)), round()])
      assert.deepEqual((await auditLedger(db)).findings, [])
    }
    await client.query('commit')
  })
  await testMerchant.grant('p0', 1)
  // Events are numbered a moment after the commit, which wakes the sealer.
  await until(async () => {
    await round()
    const { seals, entries } = await auditWithSeals(db, against)
    return seals.entries === entries
  })
  const { findings, entries } = await auditWithSeals(db, against)
  assert.deepEqual([findings, entries], [[], 103])
})

test('a merchant reads only its own chain, page by page', async () => {
  const seals = await readAll(api, '/seals?limit=1', 'seals')
  assert.deepEqual(
    seals.map(({ seal }) => seal),
    [2, 1],
  )
  const [newest] = await readNewestSeals(server.ctx.db, [api.merchant.merchantId])
  assert.equal(seals[0].hash, newest?.hash)
  const other = await makeManagementApi(server)
  assert.deepEqual((await other.call('GET', '/seals')).body.seals, [])
})
