import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { statement } from '../../src/db/database.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { callApi } from '../scenes/management-scene.ts'
import { databaseUrl, makeDatabase, makeServer, post, runCli } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'

test('wheelhouse demo creates weeks of realistic data through the real operations', onLanding, async (t) => {
  const { db, target } = await makeDatabase(t)
  const now = new Date()
  const merchant = await createMerchant(db, { slug: 'demo', name: 'Demo', now })
  const token = await issueToken(db, merchant, { name: 't', scopes: ['read'], expiresAt: null, now })
  const env = { DATABASE_URL: databaseUrl(target) }
  for (const wrong of [['--days', '0'], ['--players', 'many'], ['nobody']])
    assert.equal((await runCli(['demo', ...wrong], env)).code, 1, wrong.join(' '))
  const run = await runCli(['demo', '--players', '24', '--days', '14', '--json'], env)
  assert.equal(run.code, 0, run.stderr)
  const made = JSON.parse(run.stdout) as { players: number; grants: number; plays: number }

  const server = await makeServer(t, { database: { db, target } })
  const read = async (path: string) => {
    const answer = await callApi(server, token, 'GET', `/api/v1${path}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const { players } = await read('/players?limit=100')
  assert.equal(players.length, 24)
  const plays = players.map((one: any) => one.playCount as number)
  assert.equal(
    plays.reduce((sum: number, one: number) => sum + one, 0),
    made.plays,
  )
  assert.ok(Math.max(...plays) >= 2 * Math.min(...plays), 'some players play far more often than others')
  const from = new Date(now.getTime() - 15 * 86_400_000).toISOString().slice(0, 10)
  const { days } = await read(`/reports/days?from=${from}`)
  const busy = days.filter((day: any) => day.plays > 0)
  assert.ok(busy.length >= 7, `${busy.length} days with plays`)
  assert.ok(new Set(busy.map((day: any) => day.plays)).size > 3, 'the number of plays differs between days')
  const states = new Set((await read('/prizes?limit=200')).prizes.map((prize: any) => prize.state))
  assert.ok(states.has('won') && states.has('redeemed'), [...states].join(', '))
  const { prizes } = await read(`/reports/prizes?from=${from}`)
  assert.ok(prizes.filter((prize: any) => prize.drawn > 0).length >= 4, 'most prizes were drawn')
  assert.deepEqual((await auditLedger(db)).findings, [])
})

test(
  'wheelhouse demo refuses a real merchant and changes nothing; it fills new and test merchants',
  onLanding,
  async (t) => {
    const { db, target } = await makeDatabase(t)
    const server = await makeServer(t, { database: { db, target } })
    const env = { DATABASE_URL: databaseUrl(target) }
    const demo = (slug: string) => runCli(['demo', slug, '--players', '1', '--days', '1'], env)
    const countRows = async () => {
      const rows = await Promise.all(
        ['players', 'wheel_versions', 'pool_codes', 'event_pages'].map((table) =>
          db.query(statement<{ count: number }>(`select count(*)::int as count from ${table}`)),
        ),
      )
      return rows.map(([row]) => row?.count)
    }
    for (const slug of ['played', 'published', 'fresh'])
      await createMerchant(db, { slug, name: slug, now: new Date() })
    const { token } = JSON.parse((await runCli(['token', 'issue', 'played', '--json'], env)).stdout) as {
      token: string
    }
    const granted = { playerId: 'ann', spinNumber: 1 }
    assert.equal((await post(`${server.url}/api/player/increaseSpin`, token, granted)).status, 200)
    const order = { name: 't', scopes: ['manage'] as const, expiresAt: null, now: new Date() }
    const owner = await issueToken(db, await findMerchant(db, 'published'), order)
    const published = await callApi(server, owner, 'POST', '/api/v1/wheels/main/publication')
    assert.equal(published.status, 200, published.text)

    const before = await countRows()
    for (const [slug, reason] of [
      ['played', 'has players'],
      ['published', 'has a wheel that somebody has edited or published'],
    ] as const) {
      const { code, stdout, stderr } = await demo(slug)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        new RegExp(`^wheelhouse: Merchant ${slug} ${reason}\\. .*test create ${slug}.*\n$`),
      )
    }
    assert.deepEqual(await countRows(), before)
    assert.equal((await runCli(['test', 'create', 'played'], env)).code, 0)
    // As before the first start of a server.
    await db.query(statement('delete from signing_keys'))
    for (const slug of runsAll ? ['fresh', 'test-played'] : ['test-played'])
      for (const [added, end] of [
        ['1 player', '1 day\\.'],
        ['0 players', '1 day, also of players of an earlier run\\.'],
      ] as const) {
        const { code, stdout, stderr } = await demo(slug)
        assert.deepEqual([code, stderr], [0, ''])
        assert.match(
          stdout,
          new RegExp(`^Added ${added} to ${slug}, and \\d+ grants? and \\d+ plays? over ${end}\n$`),
        )
      }
  },
)
