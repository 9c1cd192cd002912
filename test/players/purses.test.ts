import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { expireNextSpins } from '../../src/players/expire-spins.ts'
import { LotModel } from './lot-model.ts'
import { makeManagementApi, type ManagementApi, type Reply } from '../scenes/management-scene.ts'
import { statement } from '../../src/db/database.ts'
import { asSuperuser, makeServer, notOnCluster, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'

const dayMs = 86_400_000
/** The digest of a player's only seal, computed as the version before campaigns did. */
const sealedBefore = statement<{ isSame: boolean }>(`
select digest = sha256(record_send(row(
  (
    select string_agg(record_send(row(
      merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at
    )), '' order by entry_no)
    from ledger_entries
    where ledger_entries.player_no = ledger_seal_parts.player_no
  ),
  (
    select string_agg(record_send(row(
      merchant_id, player_no, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
      fallback_reason, code, claim_before, created_at
    )), '' order by play_no)
    from plays
    where plays.player_no = ledger_seal_parts.player_no
  )
))) as "isSame"
from ledger_seal_parts
where merchant_id = $1`)
const seed = Number(process.env.SEED ?? randomBytes(3).readUIntBE(0, 3))

describe('campaigns and their purses', () => {
  const lifetime = suiteLifetime()
  /** Two servers on one database, as two processes. */
  let servers: [Server, Server]
  let laterMs = 0
  before(async () => {
    const now = () => new Date(Date.now() + laterMs)
    const first = await makeServer(lifetime, { now, env: { GAME_SESSIONS_PER_MINUTE: '100000' } })
    const { target, ctx } = first
    const env = { GAME_SESSIONS_PER_MINUTE: '100000', GAME_PLAYS_PER_MINUTE: '100000' }
    servers = [first, await makeServer(lifetime, { now, env, database: { target, db: ctx.db } })]
  })

  type Api = ManagementApi & {
    grant2: (body: object, key?: string) => Promise<Reply>
    link: (body: object, key?: string) => Promise<Reply>
    bind: (campaign: string) => Promise<string>
  }

  /** A merchant with `main`, `summer` and `winter`, and `extra`, which shares the spins of `summer`. */
  async function makeApi(): Promise<Api> {
    const api = await makeManagementApi(servers[0])
    for (const campaign of ['summer', 'winter', 'extra']) {
      await api.call('PUT', `/wheels/${campaign}`, { ...defaultWheel, name: campaign })
      await api.call('POST', `/wheels/${campaign}/publication`)
      const purse = campaign === 'extra' ? { purse: 'summer' } : {}
      const made = await api.call('POST', '/campaigns', {
        campaign,
        name: campaign,
        wheel: campaign,
        ...purse,
      })
      assert.equal(made.status, 200, made.text)
    }
    const keyed = (key: string | undefined): Record<string, string> =>
      key === undefined ? {} : { 'Idempotency-Key': key }
    return {
      ...api,
      grant2: (body, key = randomUUID()) => api.call('POST', '/grants', body, keyed(key)),
      link: (body, key) => api.call('POST', '/links', body, keyed(key)),
      bind: async (campaign) => {
        const order = { name: campaign, scopes: ['spins', 'links'], campaign }
        return (await api.call('POST', '/tokens', order)).body.token as string
      },
    }
  }

  async function post(server: Server, path: string, body: object, token?: string): Promise<Reply> {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: token }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
  }

  /** Opens a link and plays once. */
  async function play(server: Server, token: string, campaign?: string): Promise<Reply> {
    const session = await post(server, '/api/v1/game/session', { token, ...(campaign && { campaign }) })
    assert.equal(session.status, 200, session.text)
    return post(server, '/api/v1/game/plays', {
      session: session.body.session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.body.next.commitment,
      versionHash: session.body.wheel.hash,
    })
  }

  test(`random grants, plays, corrections and expiries over three purses match a list of lots (SEED=${seed})`, async () => {
    let state = seed
    const random = (max: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * max)
    }
    const api = await makeApi()
    await api.call('PATCH', '/campaigns/winter', { spinLifetimeDays: 2 })
    const winter = () => servers[1].ctx.wheels.current(api.merchant.merchantId, 'winter')
    await until(async () => (await winter()).spinExpiry !== undefined)
    const campaigns = ['main', 'summer', 'winter', 'extra'] as const
    const players = ['ann', 'bob', 'cy']
    const model = new LotModel()
    const links = new Map<string, string>()
    for (const playerId of players)
      for (const campaign of campaigns)
        links.set(
          `${playerId}:${campaign}`,
          (await api.link({ playerId, campaign, expiresIn: 2_592_000 })).body.token,
        )
    for (let step = 0; step < 90; step++) {
      const playerId = players[random(players.length)] as string
      const campaign = campaigns[random(campaigns.length)] as string
      const purse = `${playerId}:${campaign === 'extra' ? 'summer' : campaign}`
      const server = servers[random(2)] as Server
      const dice = random(20)
      if (dice < 7) {
        const spins = 1 + random(4)
        const endsAt = Date.now() + laterMs + (1 + random(60)) * 3_600_000
        const isDated = random(3) > 0
        const expiresAt = isDated ? { expiresAt: new Date(endsAt).toISOString() } : {}
        const { body } = await api.grant2({ playerId, campaign, spins, ...expiresAt })
        model.expire(Date.now() + laterMs)
        const last = campaign === 'winter' ? ((await newestExpiry(api, playerId)) ?? Infinity) : Infinity
        model.add(purse, { spins, endsAt: isDated ? endsAt : last, isWon: false })
        assert.equal(body.spinCount, model.balance(purse), `step ${step}`)
      } else if (dice < 15) {
        const answer = await play(server, links.get(`${playerId}:${campaign}`) as string)
        model.expire(Date.now() + laterMs)
        if (model.balance(purse) === 0) assert.equal(answer.body.code, 'no_spins')
        else {
          model.take(purse, 1)
          const won = answer.body.play.prize.spins ?? 0
          const endsAt = won > 0 && campaign === 'winter' ? await newestExpiry(api, playerId) : undefined
          if (won > 0) model.add(purse, { spins: won, endsAt: endsAt ?? Infinity, isWon: true })
          assert.equal(answer.body.spinCount, model.balance(purse), `step ${step}`)
        }
      } else if (dice < 17) {
        const amount = -1 - random(5)
        const order = { amount, reason: 'test', campaign }
        const headers = { 'Idempotency-Key': randomUUID() }
        const answer = await api.call('POST', `/players/${playerId}/corrections`, order, headers)
        model.expire(Date.now() + laterMs)
        if (model.balance(purse) + amount < 0) assert.equal(answer.body.code, 'balance_too_low')
        else {
          model.take(purse, -amount)
          assert.equal(answer.body.spinCount, model.balance(purse))
        }
      } else if (dice < 19) laterMs += random(30) * 3_600_000
      else await Promise.all(servers.map(({ ctx }) => expireNextSpins(ctx.db, ctx.now())))
      model.check((await api.call('GET', `/players/${playerId}`)).body, Date.now() + laterMs)
    }
    await sealAll(servers[0].ctx.db, { now: new Date() })
    assert.deepEqual((await auditLedger(servers[0].ctx.db)).findings, [])
  })

  /** When the spins that the player got last expire. */
  async function newestExpiry(api: Api, playerId: string): Promise<number | undefined> {
    const { entries } = (await api.call('GET', `/players/${playerId}/ledger?limit=1`)).body
    return entries[0].expiresAt === null ? undefined : Date.parse(entries[0].expiresAt)
  }

  test('the two merchant operations mean the campaign of their token, and main without one', async () => {
    const [server] = servers
    const api = await makeApi()
    const token = await api.bind('summer')
    const give = (by: string, spinNumber: number) =>
      post(server, '/api/player/increaseSpin', { playerId: 'dan', spinNumber }, by)
    assert.deepEqual((await give(token, 5)).body, { playerId: 'dan', spinCount: 5 })
    assert.deepEqual((await give(api.token, 2)).body, { playerId: 'dan', spinCount: 2 })
    const sso = (by: string) => post(server, '/api/game/sso', { playerId: 'dan', initialSpin: 3 }, by)
    const links = [await sso(token), await sso(api.token), await sso(token)]
    const opened = await Promise.all(
      links.map((link) => post(server, '/api/v1/game/session', { token: link.body.token })),
    )
    assert.deepEqual(
      opened.map(({ body }) => [body.campaign.campaign, body.spinCount]),
      [
        ['summer', 8],
        ['main', 5],
        ['summer', 8],
      ],
    )
    const played = await play(server, links[0]?.body.token)
    const ledger = (await api.call('GET', '/players/dan/ledger')).body.entries
    const debit = ledger.find((entry: any) => entry.kind === 'play')
    assert.deepEqual([debit.campaign, debit.purse, debit.key], ['summer', 'summer', played.body.play.playId])
    const shown = await api.call('GET', `/plays/${played.body.play.playId}`)
    assert.deepEqual([shown.body.campaign, shown.body.wheel], ['summer', 'summer'])
    assert.equal((await api.call('GET', '/players/dan')).body.spinCount, 5)
    const other = await api.call('GET', '/tokens')
    assert.deepEqual(
      other.body.tokens.map((one: any) => one.campaign),
      [null, 'summer'],
    )
    const events = (await readEvents(api, 'play.completed')).map((event: any) => event.data.campaign)
    assert.deepEqual(events, ['summer'])
  })

  async function readEvents(api: Api, type: string): Promise<any[]> {
    await until(async () => (await api.call('GET', `/events?types=${type}`)).body.events.length > 0)
    return (await api.call('GET', `/events?types=${type}`)).body.events
  }

  test('bad requests for campaigns are refused, and change nothing', async () => {
    const [server] = servers
    const api = await makeApi()
    const bound = await api.bind('summer')
    const asBound = (path: string, body: object) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: {
          Authorization: bound,
          'Content-Type': 'application/json',
          'Idempotency-Key': randomUUID(),
        },
        body: JSON.stringify(body),
      }).then((answer) => answer.json())
    const grant = { playerId: 'eve', spins: 2 }
    assert.equal((await asBound('/grants', { ...grant, campaign: 'winter' })).code, 'token_bound')
    assert.equal((await asBound('/grants', { ...grant, campaign: 'main' })).code, 'token_bound')
    assert.equal((await asBound('/links', { playerId: 'eve', campaign: 'winter' })).code, 'token_bound')
    assert.equal((await asBound('/links', { playerId: 'eve', campaign: '*' })).code, 'token_bound')
    const batch = { grants: [{ playerId: 'eve', spinNumber: 1, campaign: 'winter' }] }
    assert.equal((await asBound('/grant-batches', batch)).code, 'token_bound')
    assert.equal((await api.grant2({ ...grant, campaign: 'unknown' })).body.code, 'campaign_not_found')
    const mixed = {
      grants: ['summer', 'unknown'].map((campaign) => ({ playerId: 'eve', spinNumber: 1, campaign })),
    }
    const refused = await api.call('POST', '/grant-batches', mixed, { 'Idempotency-Key': randomUUID() })
    assert.deepEqual(
      [refused.body.code, refused.body.errors[0].pointer],
      ['campaign_not_found', '/grants/1/campaign'],
    )
    const unset = { playerId: 'null', spins: 1, campaign: 'summer', expiresAt: null }
    assert.equal((await api.grant2(unset)).status, 200, 'null is the same as no value')
    const lobby = { playerId: 'eve', campaign: '*', initialSpins: 2 }
    assert.equal((await api.link(lobby)).body.code, 'validation_failed')
    const manage = { name: 'x', scopes: ['manage'], campaign: 'summer' }
    assert.equal((await api.call('POST', '/tokens', manage)).body.code, 'token_not_bindable')
    assert.equal((await api.call('GET', '/players/eve')).body.code, 'player_not_found')

    const first = await api.grant2({ ...grant, campaign: 'winter' }, 'order-1')
    assert.equal(first.body.spinCount, 2)
    for (const campaign of ['summer', 'main'])
      assert.equal((await api.grant2({ ...grant, campaign }, 'order-1')).body.code, 'idempotency_key_reused')
    await api.call('PUT', '/wheels/draft', defaultWheel)
    await api.call('POST', '/campaigns', { campaign: 'draft', name: 'x', wheel: 'draft' })
    const unpublished = await api.link({ playerId: 'eve', campaign: 'draft' })
    assert.equal(unpublished.body.code, 'campaign_not_published')
    const ended = new Date(Date.now() + laterMs - dayMs).toISOString()
    await api.call('PATCH', '/campaigns/winter', { closesAt: ended })
    assert.equal((await api.grant2({ ...grant, campaign: 'winter' })).body.code, 'campaign_closed')
    assert.equal((await api.link({ playerId: 'eve', campaign: 'winter' })).body.code, 'campaign_closed')
    const repeat = await api.grant2({ ...grant, campaign: 'winter' }, 'order-1')
    assert.deepEqual(repeat.body, first.body)
    await api.call('PUT', '/campaigns/summer/archive')
    assert.equal((await api.grant2({ ...grant, campaign: 'summer' })).body.code, 'campaign_archived')
    const late = await post(server, '/api/player/increaseSpin', { playerId: 'eve', spinNumber: 1 }, bound)
    assert.equal(late.body.code, 'campaign_archived')
    const { body } = await api.call('GET', '/players/eve')
    assert.deepEqual([body.spinCount, body.purses], [0, [{ campaign: 'winter', spinCount: 2 }]])
    const { players } = (await api.call('GET', '/players')).body as { players: (typeof body)[] }
    const exported = (await api.call('GET', '/exports/players')).text
    const lines = exported
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const listed of [players, lines])
      assert.deepEqual(
        Object.fromEntries(listed.map((one: typeof body) => [one.playerId, one.purses])),
        { eve: body.purses, null: [{ campaign: 'summer', spinCount: 1 }] },
        'a list has all balances too',
      )
  })

  test('a link with a key is made once, and initial spins are granted once per campaign', async () => {
    const api = await makeApi()
    const body = { playerId: 'fay', campaign: 'summer', initialSpins: 4, language: 'de', expiresIn: 600 }
    const made = await Promise.all(['a', 'a', 'a', 'b'].map((key) => api.link(body, key)))
    assert.deepEqual(
      made.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(new Set(made.map((one) => one.body.linkId)).size, 2)
    assert.match(made[0]?.body.link, /&lang=de$/)
    const repeat = await api.link(body, 'a')
    assert.deepEqual(repeat.body, made[0]?.body)
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true')
    const other = await api.link({ ...body, campaign: 'winter' }, 'a')
    assert.equal(other.body.code, 'idempotency_key_reused')
    await api.link({ ...body, campaign: 'winter' }, 'c')
    await api.link({ playerId: 'fay', initialSpins: 1 })
    const { purses, spinCount } = (await api.call('GET', '/players/fay')).body
    assert.deepEqual([purses.map((one: any) => one.spinCount), spinCount], [[4, 4], 1])
  })

  test('the lobby has a card per campaign, the best first, and each can be opened', async () => {
    const [server] = servers
    const api = await makeApi()
    await api.call('PATCH', '/campaigns/winter', { priority: 5 })
    const opensAt = new Date(Date.now() + laterMs + dayMs).toISOString()
    await api.call('PATCH', '/campaigns/extra', { priority: 9, opensAt })
    await api.grant2({ playerId: 'gil', spins: 3, campaign: 'summer' })
    const { token } = (await api.link({ playerId: 'gil', campaign: '*' })).body
    // The server reads campaigns again after a second.
    await until(async () => {
      const { body } = await post(server, '/api/v1/game/lobby', { token })
      return body.campaigns[0]?.campaign === 'winter' && body.campaigns.at(-1)?.campaign === 'extra'
    })
    const lobby = (await post(server, '/api/v1/game/lobby', { token })).body
    assert.deepEqual(
      lobby.campaigns.map((card: any) => [card.campaign, card.state, card.spinCount]),
      [
        ['winter', 'open', 0],
        ['main', 'open', 0],
        ['summer', 'open', 3],
        ['extra', 'closed', 3],
      ],
    )
    assert.equal(lobby.campaigns.at(-1).opensAt, opensAt)
    const best = await post(server, '/api/v1/game/session', { token })
    assert.deepEqual([best.body.campaign.campaign, best.body.campaign.hasLobby], ['summer', true])
    assert.equal((await play(server, token, 'summer')).status, 200)
    assert.equal((await play(server, token, 'winter')).body.code, 'no_spins')
    const unknown = await post(server, '/api/v1/game/session', { token, campaign: 'nothing' })
    assert.equal(unknown.body.code, 'campaign_not_found')
    const one = (await api.link({ playerId: 'gil', campaign: 'summer' })).body.token
    const elsewhere = await post(server, '/api/v1/game/session', { token: one, campaign: 'winter' })
    assert.equal(elsewhere.body.code, 'campaign_not_found')
  })

  test('rows of main are sealed with the bytes that they always had', notOnCluster, async () => {
    const { ctx } = servers[0]
    const api = await makeApi()
    await api.grant('ivy', 3)
    await play(servers[0], (await api.link({ playerId: 'ivy' })).body.token)
    await sealAll(ctx.db, { now: new Date() })
    const [sealed] = await ctx.db.query(sealedBefore, [api.merchant.merchantId])
    assert.equal(sealed?.isSame, true)
  })

  test('the audit finds a wrong purse and an entry that was moved to another campaign', async () => {
    const api = await makeApi()
    const { ctx, target } = servers[0]
    await api.grant2({ playerId: 'hal', spins: 3, campaign: 'summer' })
    await api.grant2({ playerId: 'hal', spins: 4, campaign: 'winter' })
    await sealAll(ctx.db, { now: new Date() })
    const edit = (sql: string) => asSuperuser(target.database, (client) => client.query(sql))
    const found = async () => (await auditLedger(ctx.db)).findings.map(({ check }) => check)
    assert.deepEqual(await found(), [])
    const [row] = (await edit('select max(player_no) as no from player_purses')).rows
    const hal = `player_no = ${row.no}`
    await edit(`update player_purses set balance = balance + 1 where ${hal}`)
    assert.deepEqual(await found(), ['every other purse is the sum of its entries too'])
    await edit(`update player_purses set balance = balance - 1 where ${hal}`)
    const extra = `(select campaign_id from campaigns where slug = 'extra' and merchant_id = ${api.merchant.merchantId})`
    await edit(`update ledger_entries set campaign_id = ${extra} where ${hal} and amount = 3`)
    assert.deepEqual(await found(), ['entries and plays have not changed since they were sealed'])
  })
})
