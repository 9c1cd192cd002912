import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { readLinkId } from '../../src/links/game-links.ts'
import { alwaysWins, forgeCursor, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import { makeServer, post, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'

describe('/api/v1/players', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let laterMs = 0
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(Date.now() + laterMs) })
  })
  const path = (playerId: string) => `/players/${encodeURIComponent(playerId)}`

  test('players are listed by id page by page, each once, even while players are added', async () => {
    const api = await makeManagementApi(server)
    const ids = times(130, (index) => `p${index}`)
    await Promise.all(ids.map((id) => api.grant(id, 1)))
    const first = await api.call('GET', '/players?limit=50')
    assert.equal(first.body.players.length, 50)
    await api.grant('a-newcomer-before-the-cursor', 1)
    const second = await api.call('GET', `/players?limit=50&cursor=${first.body.next}`)
    const third = await api.call('GET', `/players?limit=50&cursor=${second.body.next}`)
    assert.equal(third.body.next, null)
    const names = (players: any[]) => players.map((player) => player.playerId)
    assert.deepEqual(
      [first, second, third].flatMap((page) => names(page.body.players)),
      ids.toSorted(),
    )
    assert.deepEqual(names(await readAll(api, '/players?limit=40', 'players')), [
      'a-newcomer-before-the-cursor',
      ...ids.toSorted(),
    ])
  })

  test('a prefix search finds exactly the ids that start with it, in any script', async () => {
    const api = await makeManagementApi(server)
    const ids = [
      'al',
      'alice',
      'alicia',
      'Alice',
      'am',
      'ålice',
      '日本',
      '日本語',
      'a%',
      'a_b',
      '\u{10FFFF}x',
    ]
    for (const id of ids) await api.grant(id, 1)
    const found = async (prefix: string) =>
      (await api.call('GET', `/players?prefix=${encodeURIComponent(prefix)}`)).body.players.map(
        (player: any) => player.playerId,
      )
    assert.deepEqual(await found('al'), ['al', 'alice', 'alicia'])
    assert.deepEqual(await found('日本'), ['日本', '日本語'])
    assert.deepEqual(await found('a%'), ['a%'])
    assert.deepEqual(await found('\u{10FFFF}'), ['\u{10FFFF}x'])
    assert.deepEqual(await found('zz'), [])
  })

  test('a search finds every id that contains the text in any case, first those that begin with it', async () => {
    const api = await makeManagementApi(server)
    const ids = [
      'Anna-1',
      'anna-2',
      'joanna',
      'HANNAH',
      'ÄNNA',
      'bob',
      'an%na',
      ...times(30, (n) => `x-anna-${n}`),
    ]
    await Promise.all(ids.map((id) => api.grant(id, 1)))
    const found = async (search: string, limit = 50) =>
      (await readAll(api, `/players?limit=${limit}&search=${encodeURIComponent(search)}`, 'players')).map(
        (player): string => player.playerId,
      )
    const wanted = ids.filter((id) => id.toLowerCase().includes('anna')).toSorted()
    assert.deepEqual((await found('anna')).toSorted(), wanted)
    assert.equal((await found('anna'))[0], 'anna-2')
    assert.deepEqual((await found('ANNA', 7)).toSorted(), wanted, 'over many pages')
    assert.deepEqual(await found('%'), ['an%na'])
    assert.deepEqual(await found('ÄN'), ['ÄNNA'])
    assert.deepEqual(await found('nobody'), [])
    const both = await api.call('GET', '/players?search=a&prefix=b')
    assert.deepEqual([both.status, both.body.errors[0].pointer], [400, '/search'])
    await api.call('PUT', `${path('joanna')}/block`)
    assert.deepEqual(
      (await readAll(api, '/players?blocked=true&search=OAN', 'players')).map((player) => player.playerId),
      ['joanna'],
    )
  })

  test('a player with any id is read by its path, with only the requested fields', async () => {
    const api = await makeManagementApi(server)
    for (const id of ['a/b', 'a b', '100%', '?x=1#y', '日'.repeat(128), '.hidden']) {
      await api.grant(id, 7)
      const read = await api.call('GET', path(id))
      assert.deepEqual([read.status, read.body.playerId, read.body.spinCount], [200, id, 7], id)
    }
    const small = await api.call('GET', '/players?fields=playerId,spinCount&prefix=100')
    assert.deepEqual(small.body.players, [{ playerId: '100%', spinCount: 7 }])
    const wrong = await api.call('GET', '/players?fields=playerId,secret')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/fields'])
    assert.equal((await api.call('GET', path('nobody'))).body.code, 'player_not_found')
  })

  test('an invalid cursor, or one of another list, filter or merchant, is refused', async () => {
    const [api, other] = [await makeManagementApi(server), await makeManagementApi(server)]
    for (const one of [api, other]) for (const player of ['x1', 'x2']) await one.grant(player, 1)
    await api.publish(alwaysWins({}))
    for (const _ of [1, 2, 3]) await api.play('x1')
    const nextOf = async (list: string, from = api) =>
      (await from.call('GET', `${list}${list.includes('?') ? '&' : '?'}limit=1`)).body.next as string
    const wrong: [string, string][] = [
      ['/players', 'abc'],
      ['/players', await forgeCursor(api, '/players', '[1]')],
      ['/players', await forgeCursor(api, '/players', '{}')],
      ['/players', await nextOf('/wheels')],
      ['/players', await nextOf('/players', other)],
      ['/players?prefix=x', await nextOf('/players')],
      ['/players', await nextOf('/players?prefix=x')],
      [`${path('x1')}/ledger`, await nextOf('/plays?playerId=x1')],
      [`${path('x2')}/ledger`, await nextOf(`${path('x1')}/ledger`)],
    ]
    for (const [list, cursor] of wrong) {
      const answer = await api.call('GET', `${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`)
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], list)
      assert.match(answer.body.detail, /^\/cursor must be the `next` of a page of the same list/)
    }
    const next = await nextOf('/players?prefix=x')
    const second = await api.call('GET', `/players?fields=playerId&cursor=${next}&prefix=x`)
    assert.deepEqual(second.body.players, [{ playerId: 'x2' }], 'limit, fields and order may differ')
    for (const limit of ['0', '501', '-1', 'x', '1&limit=2'])
      assert.equal((await api.call('GET', `/players?limit=${limit}`)).status, 400, limit)
  })

  test('a blocked player gets no spins until it is unblocked, and both changes are in the audit log and the events once', async () => {
    const api = await makeManagementApi(server)
    await api.grant('b', 1)
    for (const _ of times(2, () => 0))
      assert.notEqual((await api.call('PUT', `${path('b')}/block`)).body.blockedAt, null)
    const refused = await post(`${server.url}/api/player/increaseSpin`, api.token, {
      playerId: 'b',
      spinNumber: 1,
    })
    assert.equal(refused.body.code, 'player_blocked')
    assert.deepEqual(
      (await api.call('GET', '/players?blocked=true')).body.players.map((player: any) => player.playerId),
      ['b'],
    )
    assert.equal((await api.call('DELETE', `${path('b')}/block`)).body.blockedAt, null)
    await api.grant('b', 1)
    assert.equal((await api.call('PUT', `${path('nobody')}/block`)).status, 404)
    const log = await api.call('GET', '/audit-log')
    assert.deepEqual(
      log.body.entries.map((entry: any) => [entry.action, entry.subject, entry.actor.kind, entry.actor.id]),
      ['player.unblock', 'player.block'].map((action) => [action, 'b', 'token', api.token.split(':')[0]]),
    )
    const types = 'player.blocked,player.unblocked'
    const events = async () => (await api.call('GET', `/events?types=${types}`)).body.events
    await until(async () => (await events()).length === 2)
    assert.deepEqual(
      (await events()).map(({ type, data }: any) => [type, data]),
      types.split(',').map((type) => [type, { playerId: 'b', by: `token:${api.token.split(':')[0]}` }]),
    )
  })

  test('a correction adds or removes spins once per key, never below zero, and records reason and actor', async () => {
    const api = await makeManagementApi(server)
    await api.grant('c', 5)
    const correct = (amount: number, key: string, reason = 'shown twice') =>
      api.call('POST', `${path('c')}/corrections`, { amount, reason }, { 'Idempotency-Key': key })
    assert.deepEqual((await correct(-2, 'k1')).body, { playerId: 'c', spinCount: 3 })
    const again = await correct(-2, 'k1')
    assert.deepEqual([again.body.spinCount, again.headers.get('idempotent-replayed')], [3, 'true'])
    assert.deepEqual([(await correct(-3, 'k1')).body.code], ['idempotency_key_reused'])
    assert.deepEqual([(await correct(-4, 'k2')).body.code], ['balance_too_low'])
    assert.deepEqual([(await correct(1_000_000_000, 'k3')).body.code], ['balance_limit_exceeded'])
    assert.equal((await correct(10, 'k4')).body.spinCount, 13)
    const keyless = await api.call('POST', `${path('c')}/corrections`, { amount: 1, reason: 'x' })
    assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_missing'])
    for (const body of [
      { amount: 0, reason: 'x' },
      { amount: 1.5, reason: 'x' },
      { amount: 1 },
      { amount: 1, reason: '' },
    ]) {
      const answer = await api.call('POST', `${path('c')}/corrections`, body, { 'Idempotency-Key': 'k5' })
      assert.equal(answer.body.code, 'validation_failed', JSON.stringify(body))
    }
    const entries = await readAll(api, `${path('c')}/ledger?limit=2`, 'entries')
    assert.deepEqual(
      entries.map(({ entry, kind, amount, balanceAfter, reason }) => [
        entry,
        kind,
        amount,
        balanceAfter,
        reason,
      ]),
      [
        [3, 'correction', 10, 13, 'shown twice'],
        [2, 'correction', -2, 3, 'shown twice'],
        [1, 'grant', 5, 5, null],
      ],
    )
    const [newest] = (await api.call('GET', '/audit-log?action=player.correct')).body.entries
    assert.deepEqual(
      [newest.before, newest.after],
      [{ spinCount: 3 }, { spinCount: 13, amount: 10, reason: 'shown twice' }],
    )
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('fifty concurrent corrections with one key change the balance once', async () => {
    const api = await makeManagementApi(server)
    await api.grant('f', 5)
    const answers = await Promise.all(
      times(50, () =>
        api.call(
          'POST',
          `${path('f')}/corrections`,
          { amount: 3, reason: 'r' },
          { 'Idempotency-Key': 'same' },
        ),
      ),
    )
    assert.deepEqual(new Set(answers.map((answer) => answer.body.spinCount)), new Set([8]))
    assert.equal((await api.call('GET', path('f'))).body.spinCount, 8)
  })

  test("a player's links are revoked immediately, and new links work", async () => {
    const api = await makeManagementApi(server)
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId: 'l' })
    assert.equal((await api.call('PUT', `${path('l')}/links/revocation`)).status, 200)
    const open = (token: unknown) => post(`${server.url}/api/v1/game/session`, undefined, { token })
    assert.equal((await open(link.body.token)).body.code, 'game_token_revoked')
    const fresh = await post(`${server.url}/api/game/sso`, api.token, { playerId: 'l' })
    assert.equal((await open(fresh.body.token)).status, 200)
  })

  test("an erased player's id is gone, its totals stay, its links stop working, and the id can be used by a new player", async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const secret = 'ada.lovelace@example.com'
    await api.grant(secret, 5, 'order-1')
    await api.play(secret)
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId: secret })
    const makeKeyed = () => api.call('POST', '/links', { playerId: secret }, { 'Idempotency-Key': 'visit-1' })
    const keyed = await makeKeyed()
    await api.call('PUT', `${path(secret)}/block`)
    const data = await api.call('GET', `${path(secret)}/personal-data`)
    const lines = data.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map((line) => Object.keys(line)[0]),
      ['player', 'entry', 'entry', 'entry', 'play', 'prize'],
    )
    const known = await api.call('GET', path(secret))
    const erased = await api.call('DELETE', `${path(secret)}/personal-data`)
    assert.equal(erased.status, 200, erased.text)
    const { pseudonym } = erased.body
    assert.match(pseudonym, /^erased-[\w-]{22}$/)
    assert.equal((await api.call('GET', path(secret))).status, 404)
    const after = await api.call('GET', path(pseudonym))
    assert.deepEqual(
      [after.body.spinCount, after.body.playCount],
      [known.body.spinCount, known.body.playCount],
    )
    const isNamedBy = async (table: string) => {
      const text = `select count(*) as count from ${table} as t where t::text like '%ada.lovelace%'`
      const [row] = (await server.ctx.db.query({ name: '', text })) as { count: number }[]
      return row?.count !== 0
    }
    await until(async () => !(await isNamedBy('event_pages')))
    // This table keeps the id for an hour, to erase it from events: see test/events/erasure.test.ts.
    const tables = await server.ctx.db.query({
      name: '',
      text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'event_erasures'`,
    })
    for (const { name } of tables as { name: string }[]) assert.equal(await isNamedBy(name), false, name)
    const open = ({ body } = link) =>
      post(`${server.url}/api/v1/game/session`, undefined, { token: body.token })
    const repeated = await makeKeyed()
    assert.deepEqual([repeated.status, repeated.body], [200, keyed.body], 'the first answer')
    for (const made of [link, repeated]) assert.equal((await open(made)).body.code, 'game_token_revoked')
    assert.equal((await api.call('GET', path(secret))).status, 404, 'and no new player')
    assert.equal((await api.call('DELETE', `${path(pseudonym)}/block`)).body.code, 'player_erased')
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
    await api.grant(secret, 5, 'order-1')
    assert.equal((await api.call('GET', path(secret))).status, 404, 'an old key grants nothing again')
    await api.grant(secret, 2, 'order-2')
    assert.equal((await api.call('GET', path(secret))).body.spinCount, 2)
    assert.equal((await open()).body.code, 'game_token_revoked', 'though the link is seconds old')
    for (const initialSpin of [3, 4])
      await post(`${server.url}/api/game/sso`, api.token, { playerId: secret, initialSpin })
    assert.equal((await api.call('GET', path(secret))).body.spinCount, 2, 'no initial spins again')
    assert.equal((await api.call('DELETE', `${path('nobody')}/personal-data`)).status, 404)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('initial spins come once per player id, however often it is erased', async () => {
    const api = await makeManagementApi(server)
    const start = async (playerId: string) => {
      await post(`${server.url}/api/game/sso`, api.token, { playerId, initialSpin: 3 })
      return (await api.call('GET', path(playerId))).body.spinCount
    }
    const counts = []
    for (const playerId of ['ida', 'ida', 'ida', 'ivy']) {
      counts.push(await start(playerId))
      assert.equal((await api.call('DELETE', `${path(playerId)}/personal-data`)).status, 200)
    }
    assert.deepEqual(counts, [3, 0, 0, 3])
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test("a player's live links are listed newest first, without expired and revoked links", async () => {
    const api = await makeManagementApi(server)
    const link = async (playerId: string) => {
      const made = await post(`${server.url}/api/game/sso`, api.token, { playerId })
      assert.equal(made.status, 200)
      return readLinkId(String(made.body.token)) as string
    }
    const links = async (playerId: string): Promise<string[]> =>
      (await readAll(api, `${path(playerId)}/links?limit=2`, 'links')).map((one) => one.linkId)
    const old = await link('lin')
    laterMs += 24 * 60 * 60 * 1000
    const first = await link('lin')
    await link('linus')
    await link('lin"x')
    const [second, third] = [await link('lin'), await link('lin')]
    await until(async () => (await links('lin')).length === 3)
    assert.deepEqual(await links('lin'), [third, second, first])
    assert.ok(!(await links('lin')).includes(old), 'an expired link is not live')
    assert.equal((await links('lin"x')).length, 1)
    await api.call('PUT', `/links/${second}/revocation`)
    assert.deepEqual(await links('lin'), [third, first])
    laterMs += 1_000
    await api.call('PUT', `${path('lin')}/links/revocation`)
    assert.deepEqual(await links('lin'), [])
    laterMs += 1_000
    const fourth = await link('lin')
    await until(async () => (await links('lin')).length > 0)
    assert.deepEqual(await links('lin'), [fourth])
    assert.equal((await api.call('GET', `${path('nobody')}/links`)).body.code, 'player_not_found')
    assert.equal((await api.call('GET', `${path('lin')}/links?cursor=e30`)).status, 400)
  })
})
