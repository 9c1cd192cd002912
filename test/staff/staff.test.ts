import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { insertInvitation } from '../../src/staff/invitations.ts'
import { delaySeconds } from '../../src/staff/sign-in-failures.ts'
import {
  makeDatabase,
  makeMerchant,
  makeServer,
  runCli,
  databaseUrl,
  type Server,
  suiteLifetime,
} from '../scenes/scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

test('with CONSOLE=off there are no console routes, and no session is accepted', async (t) => {
  for (const [CONSOLE, pageStatus, sessionStatus] of [
    ['on', 200, 200],
    ['off', 404, 401],
  ] as const) {
    const server = await makeServer(t, { env: { CONSOLE } })
    const { merchant, token } = await makeMerchant(server.ctx.db, { scopes: ['manage'] })
    const browser = await signInAs(server, await makeStaff(server.ctx.db, [[merchant, 'owner']]))
    assert.equal((await browser.call('GET', '/console')).status, pageStatus)
    assert.equal((await browser.call('GET', '/api/v1/session')).status, pageStatus)
    const read = await browser.call('GET', '/api/v1/wheels', { merchant: merchant.slug })
    assert.equal(read.status, sessionStatus)
    const byToken = await fetch(`${server.url}/api/v1/wheels`, { headers: { Authorization: token } })
    assert.equal(byToken.status, 200)
  }
})

describe('staff', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let clock = new Date()
  before(async () => {
    server = await makeServer(lifetime, { now: () => clock })
  })
  const wait = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000))
  const db = () => server.ctx.db

  async function makeInvitation(order: Partial<Parameters<typeof insertInvitation>[1]>): Promise<string> {
    return insertInvitation(db(), {
      email: null,
      merchantId: null,
      role: null,
      makesOperator: false,
      resetsStaffId: null,
      madeBy: 'test',
      now: clock,
      ...order,
    })
  }

  test('an invitation creates an account with its role, signs in, and works once', async () => {
    const { merchant } = await makeMerchant(db())
    const email = 'new@example.com'
    const token = await makeInvitation({ email, merchantId: merchant.merchantId, role: 'editor' })
    const browser = makeBrowser(server)
    const shown = await browser.call('POST', '/api/v1/session/invitation', { body: { token } })
    assert.equal(shown.body.email, email)
    assert.equal(shown.body.hasAccount, false)
    const body = { token, name: 'New', password }
    const accepted = await browser.call('POST', '/api/v1/session/acceptance', { body })
    assert.equal(accepted.status, 200)
    assert.deepEqual(accepted.body.merchants, [
      {
        merchant: merchant.slug,
        name: merchant.name,
        role: 'editor',
        isSuspended: false,
        live: true,
        timeZone: 'UTC',
        currency: null,
      },
    ])
    const session = await browser.call('GET', '/api/v1/session')
    assert.equal((session.body.staff as { email: string }).email, email)
    const again = await makeBrowser(server).call('POST', '/api/v1/session/acceptance', { body })
    assert.equal(again.body.code, 'invitation_invalid')
  })

  test('of many concurrent uses of one invitation, one gets the account', async () => {
    const { merchant } = await makeMerchant(db())
    const token = await makeInvitation({
      email: 'race@example.com',
      merchantId: merchant.merchantId,
      role: 'viewer',
    })
    const body = { token, name: 'Race', password }
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => makeBrowser(server).call('POST', '/api/v1/session/acceptance', { body })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
  })

  test('an invitation never changes an existing account: its owner signs in and gets the role', async () => {
    const { merchant: first } = await makeMerchant(db())
    const { merchant: second } = await makeMerchant(db())
    const person = await makeStaff(db(), [[first, 'owner']])
    const token = await makeInvitation({ email: person.email, merchantId: second.merchantId, role: 'viewer' })
    const stranger = makeBrowser(server)
    const taken = await stranger.call('POST', '/api/v1/session/acceptance', {
      body: { token, name: 'Thief', password: 'another long password' },
    })
    assert.equal(taken.body.code, 'account_exists')
    assert.equal((await stranger.call('GET', '/api/v1/session')).body.staff, null)
    const own = await signInAs(server, person)
    const accepted = await own.call('POST', '/api/v1/session/acceptance', { body: { token } })
    assert.equal((accepted.body.merchants as unknown[]).length, 2)
  })

  test('an unknown address and a wrong password get the same response', async () => {
    const person = await makeStaff(db(), [])
    const browser = makeBrowser(server)
    const answers = await Promise.all([
      browser.call('POST', '/api/v1/session', { body: { email: person.email, password: 'wrong' } }),
      browser.call('POST', '/api/v1/session', { body: { email: 'nobody@example.com', password: 'wrong' } }),
    ])
    const [known, unknown] = answers.map(({ status, body }) => ({ status, body: { ...body, requestId: '' } }))
    assert.deepEqual(known, unknown)
    assert.equal(known?.status, 401)
  })

  test(
    'failures delay the next attempt, longer each time, but never in a browser that the person has used',
    onLanding,
    async () => {
      const person = await makeStaff(db(), [])
      const own = await signInAs(server, person)
      const attempt = (browser: typeof own, secret: string) =>
        browser.call('POST', '/api/v1/session', { body: { email: person.email, password: secret } })
      const stranger = makeBrowser(server)
      for (let failure = 0; failure < 5; failure++)
        assert.equal((await attempt(stranger, 'wrong')).status, 401)
      const held = await attempt(stranger, 'wrong')
      assert.equal(held.body.code, 'sign_in_delayed')
      assert.equal(held.headers.get('retry-after'), '1')
      wait(1)
      assert.equal((await attempt(stranger, 'wrong')).status, 401)
      assert.equal(
        (await attempt(stranger, password)).headers.get('retry-after'),
        '2',
        'a right password is delayed too',
      )
      assert.equal(
        (await attempt(own, password)).status,
        200,
        'a known browser is not delayed by attempts of others',
      )
      wait(2)
      assert.equal((await attempt(stranger, password)).status, 200, 'and the delay ends')
      assert.deepEqual([4, 5, 6, 7, 8].map(delaySeconds), [0, 1, 2, 4, 8])
      assert.equal(delaySeconds(1_000), 300)
    },
  )

  test('with two-factor authentication, signing in needs a code, and no code works twice', async () => {
    const person = await makeStaff(db(), [])
    const browser = await signInAs(server, person)
    const proposal = await browser.call('POST', '/api/v1/account/second-factor')
    const secret = proposal.body.secret as string
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: clock.getTime() })
    const path = '/api/v1/account/second-factor'
    const wrong = await browser.call('PUT', path, { body: { secret, code: '000000', password } })
    assert.equal(wrong.body.code, 'second_factor_wrong')
    assert.equal(
      (await browser.call('PUT', path, { body: { secret, code: codeNow(), password } })).status,
      200,
    )
    wait(30)
    const attempt = (code?: string) =>
      makeBrowser(server).call('POST', '/api/v1/session', {
        body: { email: person.email, password, ...(code === undefined ? {} : { code }) },
      })
    assert.equal((await attempt()).body.code, 'second_factor_needed')
    const code = codeNow()
    assert.equal((await attempt(code)).status, 200)
    assert.equal((await attempt(code)).body.code, 'second_factor_wrong')
    assert.equal(
      (await browser.call('DELETE', path, { body: { password: 'wrong' } })).body.code,
      'sign_in_failed',
    )
    assert.equal((await browser.call('DELETE', path, { body: { password } })).status, 200)
    assert.equal((await attempt()).status, 200)
  })

  test('sessions are listed and ended, with immediate effect', async () => {
    const person = await makeStaff(db(), [])
    const [here, there] = [await signInAs(server, person), await signInAs(server, person)]
    const { sessions } = (await here.call('GET', '/api/v1/account/sessions')).body as {
      sessions: { sessionId: string; isThisOne: boolean }[]
    }
    assert.equal(sessions.length, 2)
    const other = sessions.find((one) => !one.isThisOne)
    assert.equal((await here.call('DELETE', `/api/v1/account/sessions/${other?.sessionId}`)).status, 200)
    assert.equal((await there.call('GET', '/api/v1/session')).body.staff, null)
    assert.equal(
      (await there.call('PUT', '/api/v1/account', { body: { name: 'x' } })).body.code,
      'session_missing',
    )
    assert.equal((await here.call('DELETE', '/api/v1/session')).status, 200)
    assert.equal((await here.call('GET', '/api/v1/session')).body.staff, null)
  })

  test('a changed password ends the other sessions, and a weak password is refused', async () => {
    const person = await makeStaff(db(), [])
    const [here, there] = [await signInAs(server, person), await signInAs(server, person)]
    const path = '/api/v1/account/password'
    const easy = await here.call('PUT', path, { body: { current: password, password: 'aaaaaaaaaaaaaaaa' } })
    assert.equal(easy.body.code, 'password_too_easy')
    const changed = await here.call('PUT', path, {
      body: { current: password, password: 'a quite different one' },
    })
    assert.equal(changed.status, 200)
    assert.notEqual((await here.call('GET', '/api/v1/session')).body.staff, null)
    assert.equal((await there.call('GET', '/api/v1/session')).body.staff, null)
  })

  test('a session expires by age and by inactivity', async () => {
    const person = await makeStaff(db(), [])
    const idle = await signInAs(server, person)
    wait(7 * 86_400 + 1)
    assert.equal((await idle.call('GET', '/api/v1/session')).body.staff, null)
    const busy = await signInAs(server, person)
    for (let day = 0; day < 29; day++) {
      wait(86_400)
      assert.notEqual((await busy.call('GET', '/api/v1/session')).body.staff, null)
    }
    wait(86_400)
    assert.equal((await busy.call('GET', '/api/v1/session')).body.staff, null)
  })

  test('a change from another site is refused, whatever cookies it carries', async () => {
    const person = await makeStaff(db(), [])
    const browser = await signInAs(server, person)
    const rename = (headers: Record<string, string>) =>
      browser.call('PUT', '/api/v1/account', { body: { name: 'Evil' }, headers })
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      assert.equal((await rename(headers)).body.code, 'origin_refused', JSON.stringify(headers))
    }
    const session = await browser.call('GET', '/api/v1/session')
    assert.equal((session.body.staff as { name: string }).name, person.name)
  })

  test('over https the cookies are __Host-, Secure, HttpOnly and SameSite', async (t) => {
    const secure = await makeServer(t, {
      env: { PUBLIC_URL: 'https://play.example.com' },
      database: { target: server.target, db: db() },
    })
    const person = await makeStaff(db(), [])
    const response = await fetch(`${secure.url}/api/v1/session`, {
      method: 'POST',
      headers: { Origin: secure.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: person.email, password }),
    })
    const cookies = response.headers.getSetCookie()
    assert.equal(cookies.length, 2)
    for (const cookie of cookies) {
      assert.match(
        cookie,
        /^__Host-wheelhouse-(session|browser)=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      )
    }
  })

  test('each role can do exactly what it is allowed to, and sees no other merchant', async () => {
    const { merchant } = await makeMerchant(db())
    const { merchant: foreign } = await makeMerchant(db())
    const draft = { name: 'x', timeZone: 'UTC', fallback: 'a', segments: [] }
    const changes: [string, string, unknown, string[]][] = [
      ['POST', '/api/v1/players/pia/grants', { spins: 1, reason: 'x' }, ['owner', 'editor', 'support']],
      ['POST', '/api/v1/players/pia/links', undefined, ['owner', 'editor', 'support']],
      ['DELETE', '/api/v1/players/nobody/personal-data', undefined, ['owner', 'editor']],
      ['PUT', '/api/v1/wheels/main', draft, ['owner', 'editor']],
      ['POST', '/api/v1/wheels/main/publication', undefined, ['owner', 'editor']],
      ['PUT', '/api/v1/wheels/main/pause', undefined, ['owner', 'editor']],
      ['POST', '/api/v1/code-pools/p/codes', { codes: ['a'] }, ['owner', 'editor']],
      ['POST', '/api/v1/tokens', { name: 't', scopes: ['spins'] }, ['owner']],
      ['POST', '/api/v1/staff-invitations', { email: 'a@b', role: 'viewer' }, ['owner']],
    ]
    for (const role of ['owner', 'editor', 'support', 'viewer'] as const) {
      const browser = await signInAs(server, await makeStaff(db(), [[merchant, role]]))
      for (const [method, path, body, allowed] of changes) {
        const headers = { 'Idempotency-Key': randomUUID() }
        const answer = await browser.call(method, path, { body, merchant: merchant.slug, headers })
        const isRefused = answer.body.code === 'role_missing'
        assert.equal(
          !isRefused,
          allowed.includes(role),
          `${role} ${method} ${path}: ${JSON.stringify(answer.body)}`,
        )
        const elsewhere = await browser.call(method, path, { body, merchant: foreign.slug })
        assert.equal(elsewhere.body.code, 'merchant_not_found', `${role} ${method} ${path} elsewhere`)
        const nowhere = await browser.call(method, path, { body })
        assert.equal(nowhere.body.code, 'merchant_not_found')
      }
      assert.equal((await browser.call('GET', '/api/v1/wheels', { merchant: merchant.slug })).status, 200)
      const question = { merchant: merchant.slug, body: { playsPerDay: 9 } }
      const simulated = await browser.call('POST', '/api/v1/wheels/main/simulation', question)
      assert.equal(simulated.status, 200, `${role} can call read-only operations`)
    }
  })

  test('an operator has the role owner at every merchant', async () => {
    const { merchant } = await makeMerchant(db())
    const browser = await signInAs(server, await makeStaff(db(), [], { isOperator: true }))
    const answer = await browser.call('POST', '/api/v1/tokens', {
      body: { name: 't', scopes: ['spins'] },
      merchant: merchant.slug,
    })
    assert.equal(answer.status, 200)
  })

  test('a merchant always has an owner: the last one can neither leave nor change role', async () => {
    const { merchant } = await makeMerchant(db())
    const first = await makeStaff(db(), [[merchant, 'owner']])
    const browser = await signInAs(server, first)
    const path = `/api/v1/staff/${first.staffId}`
    const at = { merchant: merchant.slug }
    assert.equal((await browser.call('DELETE', path, at)).body.code, 'last_owner')
    assert.equal(
      (await browser.call('PUT', `${path}/role`, { ...at, body: { role: 'viewer' } })).body.code,
      'last_owner',
    )
    const second = await makeStaff(db(), [[merchant, 'owner']])
    const other = await signInAs(server, second)
    const both = await Promise.all([
      browser.call('DELETE', `/api/v1/staff/${second.staffId}`, at),
      other.call('DELETE', path, at),
    ])
    assert.equal(
      both.filter((answer) => answer.status === 200).length,
      1,
      'two owners cannot remove each other',
    )
  })

  test('the audit log names the actor', async () => {
    const { merchant } = await makeMerchant(db())
    const person = await makeStaff(db(), [[merchant, 'owner']])
    const browser = await signInAs(server, person)
    const at = { merchant: merchant.slug }
    await browser.call('POST', '/api/v1/tokens', { ...at, body: { name: 't', scopes: ['spins'] } })
    const log = await browser.call('GET', '/api/v1/audit-log', at)
    const [entry] = log.body.entries as { actor: unknown; action: string }[]
    assert.equal(entry?.action, 'token.issue')
    assert.deepEqual(entry?.actor, { kind: 'staff', id: person.email, name: person.name })
  })
})

test(
  'the command line invites, lists, resets, changes roles, removes, and withdraws the first link',
  onLanding,
  async (t) => {
    const { target, db } = await makeDatabase(t)
    const server = await makeServer(t, { database: { target, db } })
    const { merchant } = await makeMerchant(db)
    const env = { DATABASE_URL: databaseUrl(target) }
    const cli = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli([...args, '--json'], env)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as Record<string, string>
    }
    const accept = (link: string, more: object) =>
      makeBrowser(server).call('POST', '/api/v1/session/acceptance', {
        body: { token: link.split('#')[1], password: 'a password for anna', ...more },
      })
    const { link } = await cli(
      'staff',
      'invite',
      'Anna@Example.com',
      '--merchant',
      merchant.slug,
      '--role',
      'editor',
    )
    assert.match(link as string, new RegExp(`^${server.ctx.config.publicUrl}/console/welcome#[\\w-]{43}$`))
    assert.equal((await accept(link as string, { name: 'Anna' })).status, 200)
    const [listed] = (await cli('staff', 'list')) as unknown as Record<string, unknown>[]
    assert.equal(listed?.email, 'anna@example.com')
    assert.deepEqual(listed?.roles, [`${merchant.slug}:editor`])
    await cli('staff', 'role', 'anna@example.com', merchant.slug, 'owner')
    const reset = await cli('staff', 'reset', 'anna@example.com')
    assert.equal((await accept(reset.link as string, { password: 'quite another password' })).status, 200)
    const signIn = (secret: string) =>
      makeBrowser(server).call('POST', '/api/v1/session', {
        body: { email: 'anna@example.com', password: secret },
      })
    assert.equal((await signIn('a password for anna')).status, 401)
    assert.equal((await signIn('quite another password')).status, 200)
    await cli('staff', 'remove', 'anna@example.com', '--force')
    assert.equal((await signIn('quite another password')).status, 401)
    const missing = await runCli(['staff', 'reset', 'anna@example.com'], env)
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /No account has the address/)
    const open = { email: null, merchantId: merchant.merchantId, role: 'owner', resetsStaffId: null } as const
    const first = { ...open, makesOperator: true, madeBy: 'first start', now: new Date() }
    const firstLink = `#${await insertInvitation(db, first)}`
    for (const withdrawn of [true, false])
      assert.deepEqual(await cli('staff', 'withdraw-first-link'), { withdrawn })
    assert.equal((await accept(firstLink, { name: 'Eve', email: 'eve@example.com' })).status, 404)
  },
)
