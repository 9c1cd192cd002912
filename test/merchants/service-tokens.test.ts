import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import {
  failedTokensPerMinuteMax,
  guessesReadAtOnceMax,
  guessesWaitingMax,
  rateLimitWindowSeconds,
  serviceTokenCacheMs,
} from '../../src/limits.ts'
import { untilDone } from '../../src/db/database.ts'
import { setSuspension } from '../../src/merchants/merchants.ts'
import type { Scope } from '../../src/merchants/scopes.ts'
import { TokenVerifier } from '../../src/merchants/token-verifier.ts'
import { issueToken, listTokens, revokeToken } from '../../src/merchants/service-tokens.ts'
import {
  type Answer,
  asSuperuser,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  runCli,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { callApi } from '../scenes/management-scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

const idOf = (token: string) => token.split(':', 1)[0] as string
const secretOf = (token: string) => token.slice(token.indexOf(':') + 1)
const withSecret = (token: string, secret: string) => `${idOf(token)}:${secret}`
const grant = (server: { url: string }, token: string): Promise<Answer> =>
  post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 1 })
const link = (server: { url: string }, token: string): Promise<Answer> =>
  post(`${server.url}/api/game/sso`, token, { playerId: 'ann' })

/** The time until a change is known in all processes, and some more for a slow machine. */
const knownEverywhereMs = serviceTokenCacheMs + 30_000

/** Everything by which a caller could tell two refusals apart. */
function withoutVariableParts({ status, headers, body }: Answer) {
  const { requestId, ...rest } = body
  assert.equal(typeof requestId, 'string')
  const shown = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  return { status, headers: shown, body: rest }
}

// These tests mostly wait for caches to expire, so they run concurrently.
describe('service tokens', { concurrency: 4 }, () => {
  let server: Server
  const lifetime = suiteLifetime()
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('a token is an identifier, a colon and 64 hexadecimal digits, and no two are alike', async () => {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const order = { name: 'twin', scopes: ['spins'] as Scope[], expiresAt: null, now: new Date() }
    const issue = () => untilDone(() => issueToken(server.ctx.db, merchant, order))
    const tokens = await Promise.all(times(20, issue))
    for (const one of [token, ...tokens])
      assert.match(one, new RegExp(`^${merchant.slug}-[0-9a-f]{10}:[0-9a-f]{64}$`))
    assert.equal(new Set(tokens.map(idOf)).size, 20)
    assert.equal(new Set(tokens.map(secretOf)).size, 20)
  })

  test('only a SHA-256 of the secret is stored', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    await grant(server, token)
    const row = await asSuperuser(server.target.database, async (client) => {
      const found = await client.query<{ secret_sha256: Buffer; whole: string }>(
        'select secret_sha256, service_tokens::text as whole from service_tokens where token_id = $1',
        [idOf(token)],
      )
      return found.rows[0]
    })
    const secret = secretOf(token)
    assert.equal(row?.secret_sha256.toString('hex'), createHash('sha256').update(secret).digest('hex'))
    assert.ok(!row?.whole.includes(secret))
    assert.ok(!row?.whole.includes(Buffer.from(secret).toString('hex')))
  })

  test('an unknown identifier and a wrong secret get the same response, cached or not', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    const unknown = withoutVariableParts(await grant(server, `nobody:${'0'.repeat(64)}`))
    assert.deepEqual([unknown.status, unknown.body.code], [401, 'token_invalid'])
    const wrong = withSecret(token, '0'.repeat(64))
    assert.deepEqual(withoutVariableParts(await grant(server, wrong)), unknown)
    assert.equal((await grant(server, token)).status, 200)
    assert.deepEqual(withoutVariableParts(await grant(server, wrong)), unknown)
  })

  test('a scheme prefix gets a 401 that says to leave it out', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    for (const prefix of ['Bearer', 'bearer', 'Basic', 'Token']) {
      const answer = await grant(server, `${prefix} ${token}`)
      assert.deepEqual([answer.status, answer.body.code], [401, 'token_malformed'])
      assert.match(String(answer.body.detail), new RegExp(`remove the prefix "${prefix}"`, 'i'))
    }
  })

  test('the secret may be written in upper case', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    assert.equal((await grant(server, withSecret(token, secretOf(token).toUpperCase()))).status, 200)
    assert.equal((await grant(server, token.toUpperCase())).body.code, 'token_invalid')
  })

  test('a token stops working at its expiry, which is revealed only to a holder of the secret', async (t) => {
    const expiresAt = new Date('2030-01-01T00:00:00Z')
    let now = new Date(expiresAt.getTime() - 1)
    const clocked = await makeServer(t, { now: () => now })
    const { token } = await makeMerchant(clocked.ctx.db, { expiresAt })
    assert.equal((await grant(clocked, token)).status, 200)
    now = expiresAt
    const late = await grant(clocked, token)
    assert.deepEqual([late.status, late.body.code], [401, 'token_expired'])
    assert.equal((await grant(clocked, withSecret(token, '0'.repeat(64)))).body.code, 'token_invalid')
  })

  test('a revocation and a suspension take effect in two servers that had cached the token', async (t) => {
    const database = await makeDatabase(t)
    const servers = [await makeServer(t, { database }), await makeServer(t, { database })]
    const revoked = await makeMerchant(database.db)
    const suspended = await makeMerchant(database.db)
    const statuses = (token: string, act: typeof grant) =>
      Promise.all(servers.map(async (one) => (await act(one, token)).body.code ?? 'ok'))
    assert.deepEqual(await statuses(revoked.token, grant), ['ok', 'ok'])
    assert.deepEqual(await statuses(suspended.token, link), ['ok', 'ok'])
    await revokeToken(database.db, idOf(revoked.token), new Date())
    await setSuspension(database.db, suspended.merchant.slug, new Date())
    const areAll = async (code: string, token: string) =>
      (await statuses(token, grant)).every((found) => found === code)
    await Promise.all([
      until(() => areAll('token_revoked', revoked.token), knownEverywhereMs),
      until(() => areAll('merchant_suspended', suspended.token), knownEverywhereMs),
    ])
    assert.deepEqual(await statuses(suspended.token, link), ['merchant_suspended', 'merchant_suspended'])
    await setSuspension(database.db, suspended.merchant.slug, null)
    await until(() => areAll('ok', suspended.token), knownEverywhereMs)
    assert.deepEqual(await statuses(revoked.token, grant), ['token_revoked', 'token_revoked'])
  })

  test('a server applies its own changes at once', async () => {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const others = await Promise.all(
      times(2, () => {
        const order = { name: 'other', scopes: ['spins'] as Scope[], expiresAt: null, now: new Date() }
        return server.ctx.db.transaction((tx) => issueToken(tx, merchant, order))
      }),
    )
    const owner = await signInAs(server, await makeStaff(server.ctx.db, [[merchant, 'owner']]))
    const operator = await signInAs(server, await makeStaff(server.ctx.db, [], { isOperator: true }))
    const codes = () =>
      Promise.all([token, ...others].map(async (one) => (await grant(server, one)).body.code))
    const ok = undefined
    const suspension = `/api/v1/operator/merchants/${merchant.slug}/suspension`
    const settings = { body: { strictPlayers: true }, merchant: merchant.slug }
    assert.deepEqual(await codes(), [ok, ok, ok])
    assert.equal((await operator.call('PUT', suspension)).status, 200)
    assert.deepEqual(new Set(await codes()), new Set(['merchant_suspended']))
    assert.equal((await operator.call('DELETE', suspension)).status, 200)
    assert.deepEqual(await codes(), [ok, ok, ok])
    const revoke = (one = '') => `/api/v1/tokens/${idOf(one)}`
    await callApi(server, token, 'DELETE', revoke(others[0]))
    assert.deepEqual(await codes(), [ok, 'token_revoked', ok])
    assert.equal((await owner.call('DELETE', revoke(others[1]), { merchant: merchant.slug })).status, 200)
    assert.deepEqual(await codes(), [ok, 'token_revoked', 'token_revoked'])
    assert.equal((await owner.call('PATCH', '/api/v1/merchant', settings)).status, 200)
    const body = { playerId: 'nobody', spinNumber: 1 }
    const strict = await post(`${server.url}/api/player/increaseSpin`, token, body)
    assert.equal(strict.body.code, 'player_not_found')
    await callApi(server, token, 'DELETE', revoke(token))
    assert.equal((await codes())[0], 'token_revoked', 'a token can revoke itself')
  })

  test('a token that has expired already is not issued', async () => {
    const { token } = await makeMerchant(server.ctx.db, { scopes: ['manage'] })
    const body = { name: 'late', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }
    const refused = await callApi(server, token, 'POST', '/api/v1/tokens', { body })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].pointer, '/expiresAt')
  })

  test('a token can do only what its scopes allow', async () => {
    const cases: [Scope[], number, number][] = [
      [['spins'], 200, 403],
      [['links'], 403, 200],
      [['manage'], 403, 403],
      [['spins', 'links'], 200, 200],
    ]
    for (const [scopes, spins, links] of cases) {
      const { token } = await makeMerchant(server.ctx.db, { scopes })
      const answers = [await grant(server, token), await link(server, token)]
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [spins, links],
        scopes.join(),
      )
      for (const answer of answers.filter(({ status }) => status === 403)) {
        assert.equal(answer.body.code, 'scope_missing')
        assert.match(String(answer.body.detail), /needs the scope "(spins|links)"/)
      }
    }
  })

  test('after a rotation both tokens work for the grace period, then only the new one', async (t) => {
    let now = new Date()
    const clocked = await makeServer(t, { now: () => now })
    const { token: old } = await makeMerchant(clocked.ctx.db, { scopes: ['spins'] })
    const rotated = await runCli(['token', 'rotate', idOf(old), '--grace', '1h', '--json'], {
      DATABASE_URL: databaseUrl(clocked.target),
    })
    const { token: twin } = JSON.parse(rotated.stdout) as { token: string }
    assert.notEqual(secretOf(twin), secretOf(old))
    assert.deepEqual([(await grant(clocked, old)).status, (await grant(clocked, twin)).status], [200, 200])
    assert.equal((await link(clocked, twin)).body.code, 'scope_missing', 'the twin has the same scopes')
    now = new Date(now.getTime() + 3_660_000)
    assert.equal((await grant(clocked, old)).body.code, 'token_revoked')
    assert.equal((await grant(clocked, twin)).status, 200)
  })

  test('a rotation states the time at which the old token really ends', async () => {
    const { merchant } = await makeMerchant(server.ctx.db)
    const rotate = async (tokenId: string, grace: string) => {
      const env = { DATABASE_URL: databaseUrl(server.target) }
      const { stdout, stderr } = await runCli(['token', 'rotate', tokenId, '--grace', grace], env)
      assert.equal(stderr, '')
      return stdout.split("can't be shown again. ")[1]
    }
    const issue = async (expiresAt: Date | null, createdAt = new Date()) => {
      const order = { name: 't', scopes: ['spins'] as const, expiresAt, now: createdAt }
      return idOf(await issueToken(server.ctx.db, merchant, order))
    }
    const inAnHour = new Date(Date.now() + 3_600_000)
    const ending = await issue(inAnHour)
    assert.equal(await rotate(ending, '1d'), `${ending} works until ${inAnHour.toISOString()}.\n`)
    const anHourAgo = new Date(Date.now() - 3_600_000)
    const expired = await issue(anHourAgo, new Date(Date.now() - 7_200_000))
    const past = `${expired} has expired already, at ${anHourAgo.toISOString()}.\n`
    assert.equal(await rotate(expired, '1d'), past)
    const lasting = await issue(null)
    const first = await rotate(lasting, '1h')
    assert.match(first ?? '', / works until 2/)
    assert.equal(await rotate(lasting, '2h'), first)
  })

  test('the last use is recorded while the server runs', async () => {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const lastUse = async () => (await listTokens(server.ctx.db, merchant.merchantId))[0]?.lastUsedAt
    assert.equal(await lastUse(), null)
    const start = new Date()
    await grant(server, token)
    await until(async () => (await lastUse()) !== null)
    const used = await lastUse()
    assert.ok(used instanceof Date && used >= start && used <= new Date())
  })

  test('a token over its rate gets a 429 with Retry-After, and no other token is affected', async (t) => {
    const limited = await makeServer(t, { env: { RATE_LIMIT_PER_SECOND: '1' } })
    const other = await makeMerchant(limited.ctx.db)
    const quota = rateLimitWindowSeconds
    const { token, answers } = await inOneWindow(quota, async () => {
      const made = await makeMerchant(limited.ctx.db)
      return { ...made, answers: await Promise.all(times(quota + 1, () => grant(limited, made.token))) }
    })
    const [refused, ...more] = answers.filter(({ status }) => status !== 200)
    assert.ok(refused !== undefined && more.length === 0)
    assert.deepEqual([refused.status, refused.body.code, refused.body.retryable], [429, 'rate_limited', true])
    assert.match(String(refused.body.detail), /^Too many requests with this service token/)
    const waitSeconds = Number(refused.headers.get('retry-after'))
    assert.ok(waitSeconds >= 1 && waitSeconds <= quota)
    assert.equal(refused.headers.get('ratelimit'), `"token";r=0;t=${waitSeconds}`)
    const theirs = await grant(limited, other.token)
    assert.equal(theirs.status, 200)
    assert.match(theirs.headers.get('ratelimit') ?? '', /^"token";r=\d+;t=\d+$/)
    for (const answer of [refused, theirs])
      assert.equal(answer.headers.get('ratelimit-policy'), `"token";q=${quota};w=${quota}`)
    await until(async () => (await grant(limited, token)).status === 200)
  })

  test(
    'exactly the quota of concurrent requests passes, whichever path handles them',
    onLanding,
    async (t) => {
      const limited = await makeServer(t, { env: { RATE_LIMIT_PER_SECOND: '1' } })
      // The second content type is not that of the fast path.
      for (const type of ['application/json', 'application/json; charset=UTF-8']) {
        const answers = await inOneWindow(rateLimitWindowSeconds, async () => {
          const { token } = await makeMerchant(limited.ctx.db)
          const order = { playerId: 'ann', spinNumber: 1 }
          const send = () =>
            post(`${limited.url}/api/player/increaseSpin`, token, order, { 'Content-Type': type })
          return Promise.all(times(5 * rateLimitWindowSeconds, send))
        })
        assert.equal(answers.filter(({ status }) => status === 200).length, rateLimitWindowSeconds, type)
      }
    },
  )

  test('an address that guesses tokens is blocked, while valid tokens still work', async (t) => {
    const guessed = await makeServer(t)
    const { token } = await makeMerchant(guessed.ctx.db)
    const uncached = await makeMerchant(guessed.ctx.db)
    assert.equal((await grant(guessed, token)).status, 200)
    const guess = (index: number) => `guess-${index}:${'0'.repeat(64)}`
    const answers: Answer[] = []
    while (answers.at(-1)?.status !== 429 && answers.length <= 2 * failedTokensPerMinuteMax)
      answers.push(await grant(guessed, guess(answers.length)))
    const refused = answers.at(-1) as Answer
    assert.ok(answers.length > failedTokensPerMinuteMax)
    assert.deepEqual([refused.status, refused.body.code], [429, 'failed_tokens_limited'])
    const waitSeconds = Number(refused.headers.get('retry-after'))
    assert.ok(waitSeconds >= 1 && waitSeconds <= 60)
    assert.equal((await grant(guessed, token)).status, 200)
    assert.equal((await grant(guessed, uncached.token)).status, 200, 'a valid token that was not cached')
    assert.equal((await grant(guessed, guess(0))).status, 429)
  })

  test(
    'guesses from a blocked address use few database connections, however many there are',
    onLanding,
    async (t) => {
      const guessed = await makeServer(t)
      const { token } = await makeMerchant(guessed.ctx.db)
      const guess = (index: number) => grant(guessed, `guess-${index}:${'0'.repeat(64)}`)
      const count = 2 * guessesWaitingMax
      const refusedAtOnce = count - guessesReadAtOnceMax - guessesWaitingMax
      const { answeredFirst, answers } = await inOneWindow(60, async (isOver) => {
        for (let status = 0; status !== 429;) ({ status } = await guess(0))
        return asSuperuser(guessed.target.database, async (client) => {
          await client.query('begin')
          await client.query('lock table service_tokens in access exclusive mode')
          let answered = 0
          const sent = times(count, (index) => guess(1_000 + index).finally(() => answered++))
          await until(() => answered >= refusedAtOnce || isOver())
          const first = answered
          await client.query('commit')
          return { answeredFirst: first, answers: await Promise.all(sent) }
        })
      })
      assert.equal(answeredFirst, refusedAtOnce, 'the others waited')
      assert.ok(answers.every(({ body }) => body.code === 'failed_tokens_limited'))
      assert.equal((await grant(guessed, token)).status, 200)
    },
  )

  test('a blocked address cannot tell a wrong secret from an unknown identifier', async (t) => {
    const guessed = await makeServer(t)
    const { token } = await makeMerchant(guessed.ctx.db)
    assert.equal((await grant(guessed, token)).status, 200)
    const wrong = withSecret(token, '0'.repeat(64))
    const unknown = `nobody:${'0'.repeat(64)}`
    await until(async () => (await grant(guessed, unknown)).status === 429)
    assert.equal((await grant(guessed, wrong)).body.code, (await grant(guessed, unknown)).body.code)
  })
})

/** Repeats the work if a window of the rate limits ended during it. They end at multiples of the process's own time. */
async function inOneWindow<T>(
  windowSeconds: number,
  work: (isOver: () => boolean) => Promise<T>,
): Promise<T> {
  const current = () => Math.floor(performance.now() / 1000 / windowSeconds)
  for (;;) {
    const window = current()
    const result = await work(() => current() !== window)
    if (current() === window) return result
  }
}

// Apart from the others, which use the same clock.
test('a token in use is read again before it is too old, and stays bound to its secret', async (t) => {
  const { db } = await makeDatabase(t)
  const { token } = await makeMerchant(db)
  const verifier = new TokenVerifier({ db, now: () => new Date(), onFlushError: assert.ifError })
  const wrong = withSecret(token, 'f'.repeat(64))
  await verifier.verify(token, { isSuspect: false })
  const realNow = performance.now.bind(performance)
  const clock = t.mock.method(performance, 'now', () => realNow() + 0.6 * serviceTokenCacheMs)
  assert.ok(verifier.recall(token))
  clock.mock.mockImplementation(() => realNow() + 1.1 * serviceTokenCacheMs)
  // The first reading is too old by now; nobody waits for the second.
  await until(() => verifier.recall(token) !== undefined, serviceTokenCacheMs / 3)
  assert.equal(verifier.recall(wrong), undefined)
  await verifier.close()
})
