import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Database } from '../src/db/database.ts'
import { readAuditLog } from '../src/merchants/audit-log.ts'
import { findMerchant } from '../src/merchants/merchants.ts'
import { alwaysWins, makeDesk } from './management-scene.ts'
import {
  databaseUrl,
  makeDatabase,
  makeFolder,
  makeMerchant,
  makeServer,
  runCli,
  type Server,
  suiteLifetime,
} from './scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from './staff-scene.ts'

/** What stands in a merchant's log, the oldest first. */
async function logOf(db: Database, merchantId: number) {
  const filter = { action: null, subjectKind: null, actorId: null }
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 100, filter }
  return (await readAuditLog(db, merchantId, page)).toReversed()
}

describe('the audit log', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('tells who was invited, joined, got another role, was reset and was removed, and by whom', async () => {
    const { merchant } = await makeMerchant(server.ctx.db)
    const { slug, merchantId } = merchant
    const owner = await makeStaff(server.ctx.db, [[merchant, 'owner']])
    const operator = await makeStaff(server.ctx.db, [], { isOperator: true })
    const desk = await signInAs(server, owner)
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await desk.call(method, `/api/v1${path}`, { merchant: slug, body })
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

  test('tells what was done to webhooks, once each, and never shows a secret', async () => {
    const desk = await makeDesk(server)
    const made = (await desk.call('POST', '/webhooks', { url: 'https://shop.example/a' })).body
    const path = `/webhooks/${made.webhookId}`
    await desk.call('PATCH', path, { url: 'https://shop.example/b' })
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) await desk.call(method, `${path}/pause`)
    const rotated = (await desk.call('POST', `${path}/secret`)).body
    await desk.call('DELETE', path)
    const log = await logOf(server.ctx.db, desk.merchant.merchantId)
    assert.deepEqual(
      log.map(({ action, subject }) => [action, subject]),
      ['add', 'change', 'pause', 'resume', 'rotate_secret', 'delete'].map((verb) => [
        `webhook.${verb}`,
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

  test('tells of an upload only if the codes are there, and of the codes only if it tells', async () => {
    const desk = await makeDesk(server)
    await desk.call('POST', '/code-pools/ten/codes', { codes: ['A', 'B'] })
    const refused = await desk.call('POST', '/code-pools/ten/uploads', 'C\n\u0001bad\n', {
      'Content-Type': 'text/csv',
    })
    assert.equal(refused.status, 400)
    const { left } = (await desk.call('GET', '/code-pools/ten')).body
    const log = await logOf(server.ctx.db, desk.merchant.merchantId)
    const added = log.map((entry) => (entry.after as { added: number }).added)
    assert.equal(
      added.reduce((sum, one) => sum + one, 0),
      left,
    )
  })
})

test('what is changed at the command line stands in the log, by the name of who did it', async (t) => {
  const { db, target } = await makeDatabase(t)
  const env = { DATABASE_URL: databaseUrl(target) }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], env)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const folder = makeFolder(t)
  const wheel = join(folder, 'wheel.json')
  writeFileSync(wheel, JSON.stringify(alwaysWins({})))
  const codes = join(folder, 'codes.csv')
  writeFileSync(codes, 'ONE\nTWO\n')
  await run('merchant', 'create', 'acme')
  await run('wheel', 'import', 'acme', 'second', wheel)
  await run('wheel', 'publish', 'acme', 'second', '--links')
  await run('codes', 'upload', 'acme', 'ten', codes)
  await run('link', 'revoke', 'acme', '--all')
  await run('webhook', 'add', 'acme', 'https://shop.example/hook')
  await run('staff', 'invite', 'anna@example.com', '--merchant', 'acme', '--role', 'editor')
  const { merchantId } = await findMerchant(db, 'acme')
  const log = await logOf(db, merchantId)
  assert.deepEqual(
    log.map(({ action }) => action),
    [
      'merchant.create',
      'wheel.save',
      'wheel.publish',
      'wheel.open_by_links',
      'codes.upload',
      'merchant.revoke_links',
      'webhook.add',
      'staff.invite',
    ],
  )
  assert.ok(log.every((one) => one.actorKind === 'command' && one.actorName !== null))
})
