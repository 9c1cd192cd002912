import assert from 'node:assert/strict'
import { createHash, createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as jose from 'jose'
import { type GameClaims, signGameToken, verifyGameToken } from '../../src/crypto/game-token.ts'
import { readLinkId } from '../../src/links/game-links.ts'
import { revokeLink } from '../../src/links/link-states.ts'
import { revokeSigningKey, rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { revokeLinksOfMerchant, setSettings, setSuspension } from '../../src/merchants/merchants.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { findPlayer, revokeLinksOfPlayer } from '../../src/players/players.ts'
import {
  type Answer,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  type Server,
  spawnServer,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

const contract = (isBound: boolean) => () => {
  const lifetime = suiteLifetime()
  let server: Server
  let token: string
  let merchantId: number
  before(async () => {
    server = await makeServer(lifetime, { env: { GAME_URL: 'https://play.example.com/' } })
    const made = await makeMerchant(server.ctx.db, { isBound })
    token = made.token
    merchantId = made.merchant.merchantId
  })
  const link = (body: unknown, by = token): Promise<Answer> => post(`${server.url}/api/game/sso`, by, body)
  const spins = async (playerId: string, amount: number): Promise<unknown> =>
    (await post(`${server.url}/api/player/increaseSpin`, token, { playerId, spinNumber: amount })).body
      .spinCount

  test('the response has exactly the link to the game and its token', async () => {
    const { status, body } = await link({ playerId: 'ann' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['link', 'token'])
    assert.equal(body.link, `https://play.example.com/spinthewheel/?token=${body.token as string}`)
  })

  test('every call creates a new token', async () => {
    const answers = await Promise.all(times(20, () => link({ playerId: 'ann' })))
    assert.equal(new Set(answers.map((answer) => answer.body.token)).size, 20)
  })

  test('initialSpin is granted once, by the first link with more than 0', async () => {
    await link({ playerId: 'bea' })
    await link({ playerId: 'bea', initialSpin: 0 })
    await link({ playerId: 'bea', initialSpin: 3 })
    await link({ playerId: 'bea', initialSpin: 3 })
    await link({ playerId: 'bea', initialSpin: 500 })
    assert.equal(await spins('bea', 1), 4)
  })

  test('initialSpin is also granted to a player that increaseSpin created', async () => {
    await spins('cem', 10)
    await link({ playerId: 'cem', initialSpin: 5 })
    assert.equal(await spins('cem', 1), 16)
  })

  test("a merchant's idempotency key with the name of the initial grant does not block that grant", async () => {
    const key = { 'Idempotency-Key': 'initial' }
    await post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'dan', spinNumber: 1 }, key)
    await link({ playerId: 'dan', initialSpin: 5 })
    assert.equal(await spins('dan', 1), 7)
  })

  test('an initialSpin above a limit is refused and creates no link and no player', async () => {
    const careful = await makeMerchant(server.ctx.db, { isBound, settings: { grantMax: 5 } })
    const answer = await link({ playerId: 'eli', initialSpin: 6 }, careful.token)
    assert.deepEqual([answer.status, answer.body.code], [422, 'grant_limit_exceeded'])
    assert.equal(
      await findPlayer(
        server.ctx.db,
        { merchantId: careful.merchant.merchantId, playerId: 'eli' },
        new Date(),
      ),
      undefined,
    )
  })

  test('the token is a JWT that a library accepts, with every claim set', async () => {
    const { body } = await link({ playerId: 'Zoë 😀' })
    const text = body.token as string
    const { keyId, secret } = await server.ctx.linkKeys.newest()
    const verified = await jose.jwtVerify(text, createSecretKey(secret), {
      algorithms: ['HS256'],
      typ: 'wheelhouse-game+jwt',
      issuer: 'wheelhouse',
      audience: 'wheelhouse-game',
    })
    assert.equal(verified.protectedHeader.kid, keyId)
    assert.equal(verified.payload.sub, 'Zoë 😀')
    assert.equal(verified.payload.merchant, merchantId)
    assert.equal(verified.payload.campaign, isBound ? 'summer' : undefined)
    assert.match(verified.payload.jti ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(Math.round((verified.payload.exp ?? 0) - (verified.payload.iat ?? 0)), 86_400)
  })

  test('links have the lifetime that the merchant set', async () => {
    const brief = await makeMerchant(server.ctx.db, { isBound, settings: { linkLifetimeSeconds: 300 } })
    const { payload } = {
      payload: jose.decodeJwt((await link({ playerId: 'x' }, brief.token)).body.token as string),
    }
    assert.equal(Math.round((payload.exp ?? 0) - (payload.iat ?? 0)), 300)
  })
}

describe('POST /api/game/sso', contract(false))
describe('POST /api/game/sso with a token that is bound to a campaign', contract(true))

describe('opening a link', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let now = new Date()
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
  })
  async function makeLink(playerId = 'pia', initialSpin = 3) {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const make = async () =>
      (await post(`${server.url}/api/game/sso`, token, { playerId, initialSpin })).body.token as string
    return { merchant, make, gameToken: await make() }
  }
  const open = (gameToken: unknown): Promise<Answer> =>
    post(`${server.url}/api/v1/game/session`, undefined, { token: gameToken })
  const codeOf = async (gameToken: unknown) => (await open(gameToken)).body.code

  test('the session contains the player and its spins, and opening a link changes nothing', async () => {
    const { gameToken } = await makeLink()
    for (const _ of times(3, () => 0)) {
      const { status, body } = await open(gameToken)
      assert.equal(status, 200)
      assert.deepEqual([body.playerId, body.spinCount], ['pia', 3])
    }
  })

  test('an expired link is refused, to the millisecond', async () => {
    const { gameToken } = await makeLink()
    const expiresAt = new Date((await open(gameToken)).body.expiresAt as string)
    now = new Date(expiresAt.getTime() - 1)
    assert.equal((await open(gameToken)).status, 200)
    now = expiresAt
    assert.equal(await codeOf(gameToken), 'game_token_expired')
    now = new Date()
  })

  test("one link can be revoked while the player's other links keep working", async () => {
    const { merchant, gameToken, make } = await makeLink()
    const other = await make()
    const key = { linkId: readLinkId(gameToken) ?? '', merchantId: merchant.merchantId }
    const actor = { kind: 'worker' as const, id: 'test', name: null }
    await revokeLink(server.ctx.db, key, { actor, requestId: null, now })
    assert.equal(await codeOf(gameToken), 'game_token_revoked')
    assert.equal((await open(other)).status, 200)
  })

  test('all links of a player, or of a merchant, can be revoked, and the next one works', async () => {
    for (const scope of ['player', 'merchant'] as const) {
      const { merchant, gameToken, make } = await makeLink()
      now = new Date(now.getTime() + 1)
      if (scope === 'player')
        await revokeLinksOfPlayer(server.ctx.db, { merchantId: merchant.merchantId, playerId: 'pia' }, now)
      else await revokeLinksOfMerchant(server.ctx.db, merchant.merchantId, now)
      assert.equal(await codeOf(gameToken), 'game_token_revoked', scope)
      assert.equal((await open(await make())).status, 200, scope)
    }
  })

  test("a suspended merchant's games are closed", async () => {
    const { merchant, gameToken } = await makeLink()
    await setSuspension(server.ctx.db, merchant.slug, now)
    assert.equal(await codeOf(gameToken), 'merchant_suspended')
  })

  test('rotating a key keeps live links valid, and revoking a key invalidates its links', async () => {
    const { gameToken, make } = await makeLink()
    const old = await server.ctx.linkKeys.newest()
    const newest = await rotateSigningKeys(server.ctx.db, 'links', new Date(Date.now() + 1))
    await until(async () => jose.decodeProtectedHeader(await make()).kid === newest)
    const { session } = (await open(gameToken)).body
    const key = jose.decodeProtectedHeader(session as string).kid
    assert.equal(key, old.keyId, 'so a session ends with the key of its link')
    await revokeSigningKey(server.ctx.db, old.keyId, now)
    await until(async () => (await open(gameToken)).status === 401)
    assert.equal(await codeOf(gameToken), 'game_token_invalid')
    const play = { session, playId: randomUUID(), playerSeed: '0'.repeat(64), commitment: '0'.repeat(64) }
    const body = { ...play, versionHash: '0'.repeat(64) }
    const played = await post(`${server.url}/api/v1/game/plays`, undefined, body)
    assert.deepEqual([played.status, played.body.code], [401, 'game_token_invalid'])
    assert.equal((await open(await make())).status, 200)
  })

  test('forged, swapped, unsigned, foreign and malformed tokens get the same refusal', async () => {
    const { merchant, gameToken } = await makeLink()
    const key = await server.ctx.linkKeys.newest()
    const [header, payload, signature] = gameToken.split('.') as [string, string, string]
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const sign = (head: unknown, body: unknown, secret: Buffer = key.secret) => {
      const text = `${encode(head)}.${encode(body)}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const head = { alg: 'HS256', typ: 'wheelhouse-game+jwt', kid: key.keyId }
    const claims = jose.decodeJwt(gameToken)
    const forgeries = {
      'not a token': 'x',
      'two parts': `${header}.${payload}`,
      'four parts': `${gameToken}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'another signature': `${header}.${payload}.${Buffer.from(randomBytes(32)).toString('base64url')}`,
      'changed player': `${header}.${encode({ ...claims, sub: 'other' })}.${signature}`,
      'alg none': `${encode({ ...head, alg: 'none' })}.${payload}.`,
      'alg none, signed': sign({ ...head, alg: 'none' }, claims),
      'another algorithm': sign({ ...head, alg: 'HS512' }, claims),
      'another type': sign({ ...head, typ: 'JWT' }, claims),
      'no key id': sign({ alg: 'HS256', typ: head.typ }, claims),
      'unknown key id': sign({ ...head, kid: 'nobody' }, claims),
      'key id of a prototype': sign({ ...head, kid: '__proto__' }, claims),
      'another secret': sign(head, claims, randomBytes(32)),
      'another issuer': sign(head, { ...claims, iss: 'evil' }),
      'another audience': sign(head, { ...claims, aud: 'evil' }),
      'no player': sign(head, { ...claims, sub: undefined }),
      'a number as player': sign(head, { ...claims, sub: 5 }),
      'no expiry': sign(head, { ...claims, exp: undefined }),
      'an unknown merchant': sign(head, { ...claims, merchant: 999_999 }),
      'a payload that is not an object': sign(head, 'x'),
      'a key inside the header': sign(
        { ...head, kid: 'x', jwk: { kty: 'oct', k: 'AAAA' } },
        claims,
        Buffer.from([0, 0, 0]),
      ),
      oversized: sign(head, { ...claims, filler: 'x'.repeat(2_500) }),
    }
    for (const [name, forged] of Object.entries(forgeries)) {
      const answer = await open(forged)
      assert.deepEqual([answer.status, answer.body.code], [401, 'game_token_invalid'], name)
    }
    // Only our own key signs this one. Its player must have been erased since.
    const ofErased = await open(sign(head, { ...claims, sub: 'ghost' }))
    assert.deepEqual([ofErased.status, ofErased.body.code], [401, 'game_token_revoked'])
    assert.equal((await open(gameToken)).status, 200)
    assert.ok(merchant.merchantId > 0)
  })

  test('GET of a link shows a page, is not cached, sends no referrer, and changes nothing', async () => {
    const { gameToken } = await makeLink()
    const earlier = await auditLedger(server.ctx.db)
    const response = await fetch(`${server.url}/spinthewheel/?token=${gameToken}`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /text\/html/)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const html = await response.text()
    const inline = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(inline).digest('base64')
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
    assert.ok(!html.includes(gameToken.slice(0, 30)))
    assert.deepEqual(await auditLedger(server.ctx.db), earlier)
  })
})

test('only origins listed by the merchant may embed its game', async (t) => {
  const server = await makeServer(t)
  const listed = await makeMerchant(server.ctx.db, { settings: { embedOrigins: ['https://shop.example'] } })
  const other = await makeMerchant(server.ctx.db)
  const ancestors = async (query: string) => {
    const response = await fetch(`${server.url}/spinthewheel/${query}`)
    return /frame-ancestors (.*)$/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
  }
  const linkOf = async (token: string) =>
    `?token=${(await post(`${server.url}/api/game/sso`, token, { playerId: 'pia' })).body.token as string}`
  assert.equal(await ancestors(await linkOf(listed.token)), "'self' https://shop.example")
  assert.equal(await ancestors(await linkOf(other.token)), "'self'")
  assert.equal(await ancestors(`${await linkOf(listed.token)}x`), "'self'", 'a forged token lists nothing')
  assert.equal(await ancestors(''), "'self'")

  // The value that the page keeps in its address instead of the token.
  const passOf = async (token: string) => {
    const { body } = await post(`${server.url}/api/game/sso`, token, { playerId: 'pia' })
    const session = await post(`${server.url}/api/v1/game/session`, undefined, { token: body.token })
    return session.body.framePass as string
  }
  const pass = await passOf(listed.token)
  assert.equal(pass, await passOf(listed.token), 'the frame token belongs to the merchant, not to the player')
  assert.equal(await ancestors(`?frame=${pass}`), "'self' https://shop.example")
  assert.equal(await ancestors(`?lang=de&frame=${pass}`), "'self' https://shop.example")
  assert.equal(await ancestors(`?frame=${await passOf(other.token)}`), "'self'")
  const forOther = pass.replace(/^\d+/, String(other.merchant.merchantId))
  await setSettings(server.ctx.db, other.merchant.slug, {
    ...other.merchant,
    embedOrigins: ['https://other.example'],
  })
  await until(async () => (await ancestors(await linkOf(other.token))) === "'self' https://other.example")
  for (const forged of [
    forOther,
    pass.slice(0, -1),
    `${pass}A`,
    pass.replace(/\..*/, ''),
    `${pass}&frame=${pass}`,
  ])
    assert.equal(await ancestors(`?frame=${forged}`), "'self'", forged)
  assert.equal(
    await ancestors(`${await linkOf(other.token)}&frame=${pass}`),
    "'self' https://other.example",
    'it is ignored beside a token',
  )
  assert.equal(await ancestors(`?token=&frame=${pass}`), "'self'")
  assert.equal(
    (await post(`${server.url}/api/v1/game/session`, undefined, { token: pass })).body.code,
    'game_token_invalid',
    'it opens no session',
  )
})

test('fifty concurrent links with initialSpin over two processes grant it once', async (t) => {
  const { target, db } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const env = { DATABASE_URL: databaseUrl(target) }
  const servers = await Promise.all([spawnServer(t, env), spawnServer(t, env)])
  const ask = (index: number) =>
    post(`${servers[index % 2]?.url}/api/game/sso`, token, { playerId: 'new', initialSpin: 7 })
  const answers = await Promise.all(
    times(50, async (index) => {
      let answer = await ask(index)
      // A server that gets too little processor time says so, and a merchant asks again.
      await until(async () => answer.status !== 503 || (answer = await ask(index)).status !== 503)
      return answer
    }),
  )
  assert.deepEqual(
    answers.map((answer) => answer.status),
    times(50, () => 200),
  )
  assert.equal(
    (await findPlayer(db, { merchantId: merchant.merchantId, playerId: 'new' }, new Date()))?.balance,
    7,
  )
  assert.partialDeepStrictEqual(await auditLedger(db), { players: 1, entries: 1, findings: [] })
})

test('the signed bytes of a game token never change', () => {
  const claims: GameClaims = {
    merchantId: 42,
    playerId: 'Zoë',
    linkId: '01a1dd1a-bcdc-72a0-bd41-b346f40242d7',
    issuedAt: new Date('2026-11-15T12:00:00.250Z'),
    expiresAt: new Date('2026-11-16T12:00:00.250Z'),
    campaign: 'main',
  }
  const key = { keyId: 'k1', secret: Buffer.alloc(32, 7) }
  const frozen =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IndoZWVsaG91c2UtZ2FtZStqd3QiLCJraWQiOiJrMSJ9.eyJpc3MiOiJ3aGVlbGhvdXNlIiwiYXVkIjoid2hlZWxob3VzZS1nYW1lIiwic3ViIjoiWm_DqyIsIm1lcmNoYW50Ijo0MiwianRpIjoiMDFhMWRkMWEtYmNkYy03MmEwLWJkNDEtYjM0NmY0MDI0MmQ3IiwiaWF0IjoxNzk0NzQ0MDAwLjI1LCJleHAiOjE3OTQ4MzA0MDAuMjV9.j1ZCEb5MkqHBzVdXXIJfikWli5mvtBdvcY6blHk4COM'
  assert.equal(signGameToken(claims, key), frozen)
  assert.deepEqual(verifyGameToken(frozen, key), claims)
  assert.deepEqual(verifyGameToken(frozen, key), claims, 'and again, from the cache')
  assert.equal(verifyGameToken(frozen, key, 'session'), undefined)
  assert.equal(verifyGameToken(`${frozen.slice(0, -1)}N`, key), undefined)
  assert.equal(verifyGameToken(frozen, { keyId: 'k1', secret: Buffer.alloc(32, 8) }), undefined)
  const session = signGameToken(claims, key, 'session')
  assert.deepEqual(verifyGameToken(session, key, 'session'), claims)
  assert.equal(verifyGameToken(session, key), undefined)
})
