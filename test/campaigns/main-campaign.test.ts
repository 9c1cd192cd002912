// Every merchant has a row for its campaign `main`, however the merchant came to be
// (docs/decisions/0100-main-is-a-row.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { makeDemoMerchant } from '../../src/cli/merchants/demo-merchant.ts'
import { type Queryable, statement } from '../../src/db/database.ts'
import { giveFirstWheel } from '../../src/merchants/create-merchant.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { callApi, makeManagementApi } from '../scenes/management-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  runCli,
  until,
} from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

type MainRow = { merchant: string; name: string | null; revision: number | null; isAsOld: boolean | null }

/** All merchants in the order of their ids, each with its `main`. */
function readMains(db: Queryable): Promise<MainRow[]> {
  return db.query(
    statement<MainRow>(`
select
  merchants.slug as merchant,
  campaigns.name,
  campaigns.revision,
  campaigns.created_at = merchants.created_at as "isAsOld"
from merchants
left join campaigns
  on campaigns.merchant_id = merchants.merchant_id
  and campaigns.slug = 'main'
order by 1`),
  )
}

const unchanged = (merchant: string): MainRow => ({ merchant, name: 'Main', revision: 0, isAsOld: true })

/** As a server of the version before creates a merchant. */
const insertWithoutMain = statement(`
insert into merchants (slug, name, created_at)
values ($1, $1, date_trunc('day', now()))`)

test('every way to create a merchant creates it, and its first change is revision 1', async (t) => {
  const { target, db } = await makeDatabase(t)
  await makeDemoMerchant(db, { now: new Date(), show: async () => {} })
  const env = { DATABASE_URL: databaseUrl(target) }
  assert.equal((await runCli(['merchant', 'create', 'by-command'], env)).code, 0)
  const server = await makeServer(t, { database: { target, db } })
  const operator = await signInAs(server, await makeStaff(db, [], { isOperator: true }))
  const body = { merchant: 'by-operator', name: 'By operator' }
  assert.equal((await operator.call('POST', '/api/v1/operator/merchants', { body })).status, 200)
  const { merchant, token } = await makeMerchant(db)
  const call = async (method: string, path: string, sent?: object) => {
    const answer = await callApi(
      server,
      token,
      method,
      `/api/v1${path}`,
      sent === undefined ? {} : { body: sent },
    )
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  await call('PUT', '/test-merchant')
  await call('PUT', '/test-merchant?test=ci')
  const made = await callApi(server, token, 'POST', '/api/v1/test-merchant', { body: {} })
  assert.equal((await callApi(server, made.body.token, 'POST', '/api/v1/test/reset')).status, 200)
  const mains = await readMains(db)
  assert.deepEqual(
    mains,
    mains.map((row) => unchanged(row.merchant)),
  )
  assert.equal(mains.length, 7)

  const shown = await call('GET', '/campaigns/main')
  assert.equal(shown.headers.get('ETag'), '"0"')
  assert.equal(shown.body.createdAt, merchant.createdAt.toISOString())
  await call('PATCH', '/campaigns/main', { name: 'Wheel of the week' })
  assert.equal((await call('GET', '/campaigns/main')).headers.get('ETag'), '"1"')
})

test('a merchant that a server of the version before creates during the upgrade gets it soon', async (t) => {
  const server = await makeServer(t)
  const { db } = server.ctx
  await db.query(insertWithoutMain, ['late'])
  const merchant = await findMerchant(db, 'late')
  const order = { name: 'x', scopes: ['manage'] as const, expiresAt: null, now: new Date() }
  const token = await db.transaction(async (tx) => {
    await giveFirstWheel(tx, merchant.merchantId, new Date())
    return issueToken(tx, merchant, order)
  })
  const listed = async () => (await callApi(server, token, 'GET', '/api/v1/campaigns')).body
  await until(async () => (await listed()).campaigns.length === 1)
  assert.deepEqual(await readMains(db), [unchanged('late')])
  assert.partialDeepStrictEqual(await listed(), { campaigns: [{ campaign: 'main', wheel: 'main' }] })
})

test('the audit finds an entry and a play with the number of the row, where `main` is null', async (t) => {
  const server = await makeServer(t)
  const { db } = server.ctx
  const api = await makeManagementApi(server)
  await api.grant('ann', 1)
  await api.play('ann')
  const found = async () => (await auditLedger(db)).findings.map(({ check }) => check)
  assert.deepEqual(await found(), [])
  for (const table of ['ledger_entries', 'plays']) {
    const set = (value: string) =>
      asSuperuser(server.target.database, (client) =>
        client.query(`update ${table} set campaign_id = ${value}`),
      )
    await set('(select campaign_id from campaigns)')
    assert.match((await found()).join('\n'), /^campaigns and purses of entries and plays belong to /m, table)
    await set('null')
  }
  assert.deepEqual(await found(), [])
})
