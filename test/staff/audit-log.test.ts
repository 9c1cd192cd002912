import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { readAuditLog, recordChanges } from '../../src/audit-log/audit-log.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { alwaysWins, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import {
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  runCli,
  type Server,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'

/** The entries of a merchant's log, oldest first. */
async function logOf(db: Database, merchantId: number) {
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 100 }
  return (await readAuditLog(db, merchantId, page)).entries.toReversed()
}

describe('the audit log', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('records invitations, joins, role changes, resets and removals, each with its actor', async () => {
    const { merchant } = await makeMerchant(server.ctx.db)
    const { slug, merchantId } = merchant
    const owner = await makeStaff(server.ctx.db, [[merchant, 'owner']])
    const operator = await makeStaff(server.ctx.db, [], { isOperator: true })
    const api = await signInAs(server, owner)
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await api.call(method, `/api/v1${path}`, { merchant: slug, body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as any
    }
    await ask('POST', '/staff-invitations', { email: 'gone@example.com', role: 'viewer' })
    const { invitations } = await ask('GET', '/staff')
    await ask('DELETE', `/staff-invitations/${invitations[0].invitationId}`)
    const { link } = await ask('POST', '/staff-invitations', { email: 'eva@example.com', role: 'editor' })
    const eva = makeBrowser(server)
    const token = String(link).split('#')[1]
    await eva.call('POST', '/api/v1/session/acceptance', { body: { token, name: 'Eva', password } })
    const { staff } = await ask('GET', '/staff')
    const { staffId } = staff.find((one: any) => one.email === 'eva@example.com')
    await ask('PUT', `/staff/${staffId}/role`, { role: 'support' })
    await ask('PUT', `/staff/${staffId}/role`, { role: 'support' })
    const resets = { body: { email: 'eva@example.com' } }
    const reset = await (await signInAs(server, operator)).call('POST', '/api/v1/staff/resets', resets)
    const used = { token: String(reset.body.link).split('#')[1], password: 'another long passphrase' }
    assert.equal((await eva.call('POST', '/api/v1/session/acceptance', { body: used })).status, 200)
    await ask('DELETE', `/staff/${staffId}`)
    const log = await logOf(server.ctx.db, merchantId)
    assert.deepEqual(
      log.map(({ action, subject, actorId, before: was, after }) => [action, subject, actorId, was, after]),
      [
        ['staff.invite', 'gone@example.com', owner.email, null, { role: 'viewer' }],
        ['staff.withdraw', 'gone@example.com', owner.email, { role: 'viewer' }, null],
        ['staff.invite', 'eva@example.com', owner.email, null, { role: 'editor' }],
        ['staff.join', 'eva@example.com', 'eva@example.com', null, { role: 'editor' }],
        ['staff.role', 'eva@example.com', owner.email, { role: 'editor' }, { role: 'support' }],
        ['staff.reset', 'eva@example.com', operator.email, null, null],
        ['staff.new_password', 'eva@example.com', 'eva@example.com', null, null],
        ['staff.remove', 'eva@example.com', owner.email, { role: 'support' }, null],
      ],
    )
    assert.ok(log.every((entry) => entry.requestId !== null && entry.subjectKind === 'staff'))
  })

  test('records each webhook change once, without secrets', async () => {
    const api = await makeManagementApi(server)
    const made = (await api.call('POST', '/webhooks', { url: 'https://shop.example/a' })).body
    const path = `/webhooks/${made.webhookId}`
    await api.call('PATCH', path, { url: 'https://shop.example/b' })
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) await api.call(method, `${path}/pause`)
    const rotated = (await api.call('POST', `${path}/secret`)).body
    await api.call('DELETE', path)
    const log = await logOf(server.ctx.db, api.merchant.merchantId)
    assert.deepEqual(
      log.map(({ action, subject }) => [action, subject]),
      ['add', 'change', 'pause', 'resume', 'rotate_secret', 'delete'].map((command) => [
        `webhook.${command}`,
        made.webhookId,
      ]),
    )
    const [, change] = log as any[]
    assert.deepEqual(
      [change.before.url, change.after.url],
      ['https://shop.example/a', 'https://shop.example/b'],
    )
    for (const secret of [made.secret, rotated.secret]) assert.ok(!JSON.stringify(log).includes(secret))
  })

  test('records an upload of codes in the same transaction as the codes', async () => {
    const api = await makeManagementApi(server)
    await api.call('POST', '/code-pools/ten/codes', { codes: ['A', 'B'] })
    const refused = await api.call('POST', '/code-pools/ten/uploads', 'C\n\u0001bad\n', {
      'Content-Type': 'text/csv',
    })
    assert.equal(refused.status, 400)
    const { left } = (await api.call('GET', '/code-pools/ten')).body
    const log = await logOf(server.ctx.db, api.merchant.merchantId)
    const added = log.map((entry) => (entry.after as { added: number }).added)
    assert.equal(
      added.reduce((sum, one) => sum + one, 0),
      left,
    )
  })
})

describe('wheels in the audit log', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('many saves by the console make one entry, at publication, with all differences and the actor', async () => {
    const { merchant } = await makeMerchant(server.ctx.db)
    const at = { merchant: merchant.slug }
    const [anna, bert] = [
      await makeStaff(server.ctx.db, [[merchant, 'editor']]),
      await makeStaff(server.ctx.db, [[merchant, 'owner']]),
    ]
    const [first, second] = [await signInAs(server, anna), await signInAs(server, bert)]
    const secret = 'SECRET-CODE-1'
    const save = async (browser: typeof first, label: string) => {
      const prize = { kind: 'fixed', code: secret } as const
      const body = alwaysWins({ label, prize, instructions: 'x'.repeat(300) })
      const saved = await browser.call('PUT', '/api/v1/wheels/main', { ...at, body })
      assert.equal(saved.status, 200, JSON.stringify(saved.body))
    }
    for (const label of ['A', 'A c', 'A cu', 'A cup']) await save(first, label)
    await save(second, 'A cup')
    const publish = async (browser: typeof first) => {
      const answer = await browser.call('POST', '/api/v1/wheels/main/publication', at)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    await publish(second)
    await save(first, 'A jug')
    await publish(first)
    const log = await logOf(server.ctx.db, merchant.merchantId)
    assert.deepEqual(
      log.map(({ action, actorId }) => [action, actorId]),
      [
        ['wheel.publish', bert.email],
        ['wheel.publish', anna.email],
      ],
    )
    const [one, other] = log as any[]
    assert.deepEqual([one.before.version, one.after.version], [1, 2])
    assert.deepEqual(one.after.editors, [`staff:${anna.email}`, `staff:${bert.email}`])
    assert.equal(one.after['/segments/mug'].label, 'A cup')
    assert.match(one.after['/segments/mug'].instructions, /^x{200}… \(300\)$/)
    assert.ok(!JSON.stringify(log).includes(secret))
    assert.deepEqual(other.before, { version: 2, '/segments/mug/label': 'A cup' })
    assert.equal(other.after['/segments/mug/label'], 'A jug')
    assert.deepEqual(other.after.editors, [`staff:${anna.email}`])
  })

  test('a save by a token is recorded with before and after; a save without changes is not recorded', async () => {
    const api = await makeManagementApi(server)
    await api.call('PUT', '/wheels/second', alwaysWins({ weight: 1 }))
    await api.call('PUT', '/wheels/second', alwaysWins({ weight: 7 }))
    await api.call('PUT', '/wheels/second', alwaysWins({ weight: 7 }))
    const log = await logOf(server.ctx.db, api.merchant.merchantId)
    assert.deepEqual(
      log.map(({ action, before: was, after }) => [action, was, after]),
      [
        ['wheel.create', null, { name: alwaysWins({}).name }],
        ['wheel.save', { '/segments/mug/weight': 1 }, { '/segments/mug/weight': 7 }],
      ],
    )
  })
})

describe('searching the audit log', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let now = new Date('2026-11-16T12:00:00Z')
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
  })

  test('filters by actor, action, object and time, and pages through the results', async () => {
    const api = await makeManagementApi(server)
    const person = await makeStaff(server.ctx.db, [[api.merchant, 'support']])
    const browser = await signInAs(server, person)
    for (const playerId of ['ada', 'bob']) await api.grant(playerId, 5)
    for (let hour = 0; hour < 6; hour++) {
      now = new Date(Date.UTC(2026, 10, 16, 13 + hour))
      const playerId = hour % 2 === 0 ? 'ada' : 'bob'
      const body = { amount: 1, reason: 'x' }
      const order = { merchant: api.merchant.slug, body, headers: { 'Idempotency-Key': `k${hour}` } }
      await browser.call('POST', `/api/v1/players/${playerId}/corrections`, order)
      await api.call('PUT', `/players/${playerId}/block`)
      await api.call('DELETE', `/players/${playerId}/block`)
    }
    const find = async (query: string) => {
      const entries = await readAll(api, `/audit-log?${query}`, 'entries')
      return entries.map(({ action, subject, at }) => `${action} ${subject} ${at.slice(11, 13)}`)
    }
    assert.equal((await find('limit=4')).length, 18)
    assert.equal((await find(`actor=${person.name.toUpperCase().replace(' ', '%20')}&limit=4`)).length, 6)
    assert.equal((await find(`actorId=${person.email}&limit=1`)).length, 6)
    assert.deepEqual(await find('action=player.correct&subject=bob&limit=1'), [
      'player.correct bob 18',
      'player.correct bob 16',
      'player.correct bob 14',
    ])
    assert.deepEqual(
      await find('action=player.block&from=2026-11-16T14:00:00Z&to=2026-11-16T16:00:00Z&limit=1'),
      ['player.block ada 15', 'player.block bob 14'],
    )
    assert.deepEqual(await find('subject=nobody'), [])
    for (const wrong of ['from=yesterday', 'subject=', 'actor=%00'])
      assert.equal((await api.call('GET', `/audit-log?${wrong}`)).status, 400, wrong)
    const other = await makeManagementApi(server)
    assert.deepEqual(
      await readAll(other, '/audit-log?subject=ada', 'entries'),
      [],
      'none of another merchant',
    )
  })

  test('in a long log a page may be empty and still have a next page; no entry is skipped', async () => {
    const api = await makeManagementApi(server)
    const { db } = server.ctx
    const { merchantId } = api.merchant
    const actor = { kind: 'worker' as const, id: 'w', name: null }
    const noise = times(10_000, () => ({ merchantId, action: 'noise', subject: { kind: 'x', id: 'x' } }))
    const needle = [{ merchantId, action: 'needle', subject: { kind: 'x', id: 'x' } }]
    const cause = { actor, requestId: null, now }
    await recordChanges(db, needle, cause)
    for (let part = 0; part < 21; part++) await recordChanges(db, noise, cause)
    await recordChanges(db, needle, cause)
    const first = (await api.call('GET', '/audit-log?action=needle')).body
    assert.deepEqual([first.entries.length, typeof first.next], [1, 'string'])
    assert.equal((await readAll(api, '/audit-log?action=needle', 'entries')).length, 2)
  })
})

test('changes from the command line are recorded with the name of the user', async (t) => {
  const { db, target } = await makeDatabase(t)
  const env = { DATABASE_URL: databaseUrl(target) }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], env)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  await run('merchant', 'create', 'acme')
  await run('merchant', 'set', 'acme', '--grant-max', '50')
  await run('token', 'issue', 'acme')
  await run('link', 'revoke', 'acme', '--all')
  await run('staff', 'invite', 'anna@example.com', '--merchant', 'acme', '--role', 'editor')
  const { merchantId } = await findMerchant(db, 'acme')
  const log = await logOf(db, merchantId)
  assert.deepEqual(
    log.map(({ action }) => action),
    ['merchant.create', 'merchant.set', 'token.issue', 'merchant.revoke_links', 'staff.invite'],
  )
  assert.ok(log.every((one) => one.actorKind === 'command' && one.actorName !== null))
})
