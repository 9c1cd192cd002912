import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { readAuditLog } from '../../src/audit-log/audit-log.ts'
import { issueToken, revokeToken } from '../../src/merchants/service-tokens.ts'
import { publishWheel, setPause } from '../../src/wheels/wheels.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { databaseUrl, makeDatabase, makeMerchant, makeServer, post, runCli } from '../scenes/scene.ts'

async function emitted(db: Database, merchantId: number, type: string) {
  await numberAllPages(db)
  const events = await readEvents(db, { merchantId, after: 0, limit: 1_000 })
  return events.filter((event) => event.type.startsWith(type))
}

test('issuing, revoking and rotating tokens emit events without secrets', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const { merchantId } = merchant
  const first = token.split(':')[0] as string
  const env = { DATABASE_URL: databaseUrl(target) }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], env)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Record<string, string>
  }
  const issued = await run(
    'token',
    'issue',
    merchant.slug,
    '--name',
    'shop',
    '--scopes',
    'events',
    '--expires',
    '9d',
  )
  const second = (issued.token as string).split(':')[0] as string
  const rotated = await run('token', 'rotate', first)
  await run('token', 'revoke', second)
  await run('token', 'revoke', second)
  const third = (rotated.token as string).split(':')[0]
  const events = await emitted(db, merchantId, 'token.')
  assert.deepEqual(
    events.map((event) => [event.type, (event.data as { tokenId: string }).tokenId]),
    [
      ['token.issued', first],
      ['token.issued', second],
      ['token.issued', third],
      ['token.revoked', first],
      ['token.revoked', second],
    ],
  )
  const [, issue, , rotation] = events
  assert.deepEqual(issue?.type === 'token.issued' && issue.data.scopes, ['events'])
  assert.equal(rotation?.type === 'token.revoked' && rotation.data.deadFrom, rotated.oldTokenDies)
  assert.ok(new Date(rotated.oldTokenDies as string) > new Date(rotation?.at as string))
  const text = JSON.stringify(events)
  for (const whole of [token, issued.token as string, rotated.token as string])
    assert.ok(!text.includes(whole.split(':')[1] as string))
  const filter = { subjectKind: 'token' }
  const { entries: log } = await readAuditLog(db, merchantId, {
    before: Number.MAX_SAFE_INTEGER,
    limit: 9,
    filter,
  })
  assert.deepEqual(
    log.map(({ action, subject }) => [action, subject]).toReversed(),
    [
      ['token.issue', second],
      ['token.issue', third],
      ['token.revoke', first],
      ['token.revoke', second],
    ],
    'the audit log contains them too',
  )
  assert.ok(!JSON.stringify(log).includes((issued.token as string).split(':')[1] as string))
})

test('a rolled-back token emits no event', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const before = await emitted(db, merchant.merchantId, 'token.')
  await assert.rejects(
    db.transaction(async (tx) => {
      const order = { name: 'x', scopes: ['spins' as const], expiresAt: null, now: new Date() }
      const token = await issueToken(tx, merchant, order)
      await revokeToken(tx, token.split(':')[0] as string, new Date())
      throw new Error('rolled back by the test')
    }),
    /rolled back by the test/,
  )
  assert.deepEqual(await emitted(db, merchant.merchantId, 'token.'), before)
})

test('publishing, pausing and resuming a wheel emit events, and a change without effect emits none', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const key = { merchantId: merchant.merchantId, slug: 'main' }
  const now = new Date()
  await publishWheel(db, { ...key, now })
  const paused = await setPause(db, { ...key, isPaused: true, now })
  const again = await setPause(db, { ...key, isPaused: true, now: new Date(now.getTime() + 1000) })
  assert.deepEqual(again.pausedAt, paused.pausedAt)
  await setPause(db, { ...key, isPaused: false, now })
  await setPause(db, { ...key, isPaused: false, now })
  await assert.rejects(setPause(db, { ...key, slug: 'none', isPaused: true, now }), {
    code: 'wheel_not_found',
  })
  const events = await emitted(db, merchant.merchantId, 'wheel.')
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, data })),
    [
      { type: 'wheel.published', data: { wheel: 'main', version: 1 } },
      { type: 'wheel.published', data: { wheel: 'main', version: 2 } },
      { type: 'wheel.paused', data: { wheel: 'main' } },
      { type: 'wheel.resumed', data: { wheel: 'main' } },
    ],
  )
})

test('each opening of a link emits an event; a refused one and a page that asks again emit none', async (t) => {
  const { ctx, url } = await makeServer(t)
  const { merchant, token } = await makeMerchant(ctx.db)
  const link = await post(`${url}/api/game/sso`, token, { playerId: 'alice' })
  const open = (game: unknown, session?: unknown) =>
    post(`${url}/api/v1/game/session`, undefined, { token: game, session })
  const first = await open(link.body.token)
  assert.equal(first.status, 200)
  assert.equal((await open(link.body.token, first.body.session)).status, 200)
  const other = await post(`${url}/api/game/sso`, token, { playerId: 'bob' })
  assert.equal((await open(other.body.token, first.body.session)).status, 200, 'not a session of that link')
  assert.equal((await open(other.body.token, 'x.y.z')).status, 200)
  assert.equal((await open(`${String(link.body.token)}x`)).status, 401)
  const events = await emitted(ctx.db, merchant.merchantId, 'link.')
  assert.deepEqual(
    events.map((event) => event.type),
    ['link.created', 'link.opened', 'link.created', 'link.opened', 'link.opened'],
  )
  const [created, opened] = events.map((event) => event.data as { playerId: string; linkId: string })
  assert.deepEqual([opened?.playerId, opened?.linkId], ['alice', created?.linkId])
  assert.ok(!JSON.stringify(events).includes(String(link.body.token)))
})
