import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { recentSignInSeconds, recoveryCodesPerAccount, signInsPerMinuteMax } from '../../src/limits.ts'
import { relyingPartyOf } from '../../src/staff/relying-party.ts'
import { type Authenticator, makeAuthenticator } from './authenticator.ts'
import { type TestMailbox, makeTestMailbox } from '../scenes/test-mailbox.ts'
import {
  databaseUrl,
  makeMerchant,
  makeServer,
  runCli,
  type Server,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'
import { type Browser, makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'

const origin = 'https://play.example.com'

test('passkeys need a domain with https, or localhost', () => {
  assert.deepEqual(relyingPartyOf('https://play.example.com/wheel'), { id: 'play.example.com', origin })
  assert.deepEqual(relyingPartyOf('http://localhost:8080'), {
    id: 'localhost',
    origin: 'http://localhost:8080',
  })
  assert.equal(relyingPartyOf('http://127.0.0.1:8080'), 'ip_address')
  assert.equal(relyingPartyOf('https://[2001:db8::1]'), 'ip_address')
  assert.equal(relyingPartyOf('http://play.example.com'), 'no_https')
})

describe('sign-in methods', () => {
  const lifetime = suiteLifetime()
  let box: TestMailbox
  let server: Server
  let clock = new Date()
  before(async () => {
    box = await makeTestMailbox(lifetime)
    const env = { PUBLIC_URL: origin, SMTP_URL: box.url, MAIL_FROM: 'wheel@house.example' }
    server = await makeServer(lifetime, { env, now: () => clock })
  })
  const db = () => server.ctx.db
  const wait = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000))

  type Person = Awaited<ReturnType<typeof makeStaff>>
  /** The origin and cookies of a browser that shows the console over https. */
  async function sessionOf(person: Person): Promise<Browser> {
    const browser = await signInAs(server, person)
    for (const name of ['session', 'browser']) {
      const value = browser.cookies.get(`wheelhouse-${name}-8080`) as string
      browser.cookies.set(`__Host-wheelhouse-${name}`, value)
    }
    return browser
  }
  const methods = async (browser: Browser) =>
    (await browser.call('GET', '/api/v1/account/sign-in-methods')).body as {
      app: boolean
      recoveryCodesLeft: number
      passkeys: { passkeyId: string; name: string; lastUsedAt: string | null }[]
    }
  const signIn = (person: Person, more: object = {}, browser = makeBrowser(server)) =>
    browser.call('POST', '/api/v1/session', { body: { email: person.email, password, ...more } })

  async function addPasskey(
    browser: Browser,
    key: Authenticator,
    page: Parameters<Authenticator['create']>[1] = { origin },
  ) {
    const begun = await browser.call('POST', '/api/v1/account/passkey-challenges', { body: {} })
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    const passkey = key.create(begun.body.options, page)
    const body = { name: 'My key', passkey }
    return { body, answer: await browser.call('POST', '/api/v1/account/passkeys', { body }) }
  }
  const challenge = async () => {
    const begun = await makeBrowser(server).call('POST', '/api/v1/session/passkey-challenges')
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    return begun.body.options as { allowCredentials?: unknown[] }
  }
  const signInWith = (passkey: object, browser = makeBrowser(server)) =>
    browser.call('POST', '/api/v1/session/passkey', { body: { passkey } })
  const mailsTo = (email: string) =>
    box.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text.replaceAll('=\n', ''))

  test('a passkey signs in alone or after the password, and the password alone is not enough', async () => {
    const person = await makeStaff(db(), [])
    const own = await sessionOf(person)
    const key = makeAuthenticator()
    const { answer } = await addPasskey(own, key)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal((answer.body.recoveryCodes as string[]).length, recoveryCodesPerAccount)

    const options = await challenge()
    assert.deepEqual(options.allowCredentials ?? [], [], 'the challenge reveals no account')
    const browser = makeBrowser(server)
    const alone = await signInWith(key.get(options, { origin }), browser)
    assert.equal(alone.status, 200, JSON.stringify(alone.body))
    assert.equal((alone.body.staff as { email: string }).email, person.email)
    const session = await browser.call('GET', '/api/v1/session')
    assert.equal((session.body.staff as { hasSecondFactor: boolean }).hasSecondFactor, true)
    assert.notEqual((await methods(own)).passkeys[0]?.lastUsedAt, null)

    const needed = await signIn(person)
    assert.equal(needed.body.code, 'second_factor_needed')
    const offer = needed.body.secondFactor as { app: boolean; recoveryCode: boolean; passkey: object }
    assert.deepEqual([offer.app, offer.recoveryCode], [false, true])
    const after = await signIn(person, { passkey: key.get(offer.passkey, { origin, isVerified: false }) })
    assert.equal(after.status, 200, JSON.stringify(after.body))
  })

  test('a passkey is refused with a used challenge, another origin or domain, no verification, a copied key or another owner', async () => {
    const [person, other] = [await makeStaff(db(), []), await makeStaff(db(), [])]
    const [key, otherKey] = [makeAuthenticator(), makeAuthenticator()]
    await addPasskey(await sessionOf(person), key)
    await addPasskey(await sessionOf(other), otherKey)
    const refused = async (passkey: object, why: string) => {
      const browser = makeBrowser(server)
      const answer = await signInWith(passkey, browser)
      assert.equal(answer.body.code, 'passkey_refused', `${why}: ${JSON.stringify(answer.body)}`)
      assert.equal(browser.cookies.size, 0)
      return { ...answer.body, requestId: '' }
    }
    const used = key.get(await challenge(), { origin })
    assert.equal((await signInWith(used)).status, 200)
    const first = await refused(used, 'used before')
    const late = await challenge()
    wait(301)
    await refused(key.get(late, { origin }), 'too late')
    await refused(key.get(await challenge(), { origin: 'https://evil.example' }), 'another origin')
    await refused(key.get(await challenge(), { origin, rpId: 'evil.example' }), 'another domain')
    await refused(key.get(await challenge(), { origin, isVerified: false }), 'no user verification')
    await refused(key.get(await challenge(), { origin, signCount: 1 }), 'a copied key with an old sign count')
    const foreignHandle = Buffer.alloc(16, 7).toString('base64url')
    const stranger = makeAuthenticator().get(await challenge(), { origin, userHandle: foreignHandle })
    const unknown = await refused(stranger, 'never registered')
    assert.deepEqual(unknown, first, 'the response does not reveal which keys are known')
    await refused(key.get(await challenge(), { origin, signCount: 90, userHandle: foreignHandle }), 'handle')
    const offer = (await signIn(person)).body.secondFactor as { passkey: object }
    const swapped = await signIn(person, { passkey: otherKey.get(offer.passkey, { origin }) })
    assert.equal(swapped.body.code, 'second_factor_wrong', "another person's key")
    const forSecond = (await signIn(person)).body.secondFactor as { passkey: object }
    await refused(key.get(forSecond.passkey, { origin, signCount: 91 }), 'a challenge for something else')
    assert.equal((await signInWith(key.get(await challenge(), { origin, signCount: 92 }))).status, 200)
  })

  test('of two concurrent uses of one challenge, one signs in', async () => {
    const person = await makeStaff(db(), [])
    const key = makeAuthenticator()
    await addPasskey(await sessionOf(person), key)
    const passkey = key.get(await challenge(), { origin })
    const answers = await Promise.all([1, 2, 3, 4].map(() => signInWith(passkey)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('a passkey is added once, only with a challenge for this person and from the right origin', async () => {
    const [person, other] = [await makeStaff(db(), []), await makeStaff(db(), [])]
    const [own, foreign] = [await sessionOf(person), await sessionOf(other)]
    const evil = await addPasskey(own, makeAuthenticator(), { origin: 'https://evil.example' })
    assert.equal(evil.answer.body.code, 'passkey_refused')
    const begun = await own.call('POST', '/api/v1/account/passkey-challenges', { body: {} })
    const body = { name: 'x', passkey: makeAuthenticator().create(begun.body.options, { origin }) }
    const stolen = await foreign.call('POST', '/api/v1/account/passkeys', { body })
    assert.equal(stolen.body.code, 'passkey_refused')
    const { answer, body: sent } = await addPasskey(own, makeAuthenticator())
    assert.equal(answer.status, 200)
    const again = await own.call('POST', '/api/v1/account/passkeys', { body: sent })
    assert.equal(again.body.code, 'passkey_refused')
    assert.equal((await methods(own)).passkeys.length, 1)
    const { passkeyId } = answer.body
    const path = `/api/v1/account/passkeys/${passkeyId as string}`
    assert.equal((await foreign.call('PUT', path, { body: { name: 'x' } })).body.code, 'passkey_not_found')
    assert.equal((await foreign.call('DELETE', path, { body: {} })).body.code, 'passkey_not_found')
    assert.equal((await own.call('PUT', path, { body: { name: 'Blue key' } })).status, 200)
    assert.equal((await methods(own)).passkeys[0]?.name, 'Blue key')
    assert.equal((await own.call('DELETE', path, { body: {} })).status, 200)
    assert.deepEqual(await methods(own), { app: false, recoveryCodesLeft: 0, passkeys: [] })
    assert.equal((await signIn(person)).status, 200, 'the password is enough again')
  })

  test('a recovery code replaces the app or passkey once, its owner is notified, and new codes replace all old ones', async () => {
    const { merchant } = await makeMerchant(db())
    const person = await makeStaff(db(), [[merchant, 'owner']])
    const own = await sessionOf(person)
    const renew = () => own.call('POST', '/api/v1/account/recovery-codes', { body: {} })
    assert.equal((await renew()).body.code, 'second_factor_off')
    const { secret } = (await own.call('POST', '/api/v1/account/second-factor')).body as { secret: string }
    const code = new TOTP({ secret }).generate({ timestamp: clock.getTime() })
    const on = await own.call('PUT', '/api/v1/account/second-factor', { body: { secret, code } })
    const [first, second] = on.body.recoveryCodes as [string, string]
    assert.match(first, /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    const typed = first.replaceAll('-', ' ').toUpperCase()
    const answers = await Promise.all([1, 2].map(() => signIn(person, { recoveryCode: typed })))
    const codes = answers.map(({ status, body }) => (status === 200 ? 'in' : body.code))
    assert.deepEqual(new Set(codes), new Set(['in', 'second_factor_wrong']))
    const left = recoveryCodesPerAccount - 1
    assert.equal((await methods(own)).recoveryCodesLeft, left)
    await until(() => mailsTo(person.email).some((text) => text.includes(`You have ${left} left`)))
    const renewed = (await renew()).body.recoveryCodes as string[]
    assert.equal((await signIn(person, { recoveryCode: second })).body.code, 'second_factor_wrong')
    assert.equal((await signIn(person, { recoveryCode: renewed[0] })).status, 200)
    const stored = await db().query<{ text: string }>({
      name: 'stored-codes',
      text: 'select row_to_json(staff_recovery_codes)::text as text from staff_recovery_codes',
    })
    assert.ok(stored.every(({ text }) => !renewed.some((one) => text.includes(one))))
    const log = await own.call('GET', '/api/v1/audit-log', { merchant: merchant.slug })
    assert.deepEqual(
      (log.body.entries as { action: string }[]).map(({ action }) => action),
      ['staff.recovery_code_use', 'staff.recovery_codes', 'staff.recovery_code_use', 'staff.app_on'],
    )
  })

  test('changing sign-in methods needs a recent sign-in or the password, and is mailed and in the audit log', async () => {
    const { merchant } = await makeMerchant(db())
    const person = await makeStaff(db(), [[merchant, 'owner']])
    const own = await sessionOf(person)
    const { answer } = await addPasskey(own, makeAuthenticator())
    wait(recentSignInSeconds + 1)
    const key = `/api/v1/account/passkeys/${answer.body.passkeyId as string}`
    const changes: [string, string, object][] = [
      ['POST', '/api/v1/account/passkey-challenges', {}],
      ['POST', '/api/v1/account/recovery-codes', {}],
      ['DELETE', '/api/v1/account/second-factor', {}],
      ['PUT', '/api/v1/account/second-factor', { secret: 'A'.repeat(32), code: '000000' }],
      ['DELETE', key, {}],
    ]
    for (const [method, path, body] of changes) {
      const late = await own.call(method, path, { body })
      assert.equal(late.body.code, 'sign_in_not_recent', `${method} ${path}`)
      const wrong = await own.call(method, path, { body: { ...body, password: 'wrong' } })
      assert.match(wrong.body.code as string, /^sign_in_(failed|delayed)$/, `${method} ${path}`)
    }
    wait(300)
    assert.equal((await own.call('DELETE', key, { body: { password } })).status, 200)
    const mailed = (words: string) => until(() => mailsTo(person.email).some((text) => text.includes(words)))
    await mailed('The passkey "My key" was added')
    await mailed('The passkey "My key" was removed')
    const log = await own.call('GET', '/api/v1/audit-log', { merchant: merchant.slug })
    const entries = log.body.entries as { action: string; before: unknown; after: unknown }[]
    assert.deepEqual(
      entries.map(({ action, before: was, after }) => [action, was, after]),
      [
        ['staff.passkey_remove', { passkey: 'My key' }, null],
        ['staff.passkey_add', null, { passkey: 'My key' }],
      ],
    )
  })

  test('a sign-in ends the previous session of the browser', async () => {
    const person = await makeStaff(db(), [])
    const browser = await sessionOf(person)
    const former = new Map(browser.cookies)
    assert.equal((await signIn(person, {}, browser)).status, 200)
    const old = makeBrowser(server)
    for (const [name, value] of former) old.cookies.set(name, value)
    assert.equal((await old.call('GET', '/api/v1/session')).body.staff, null)
    assert.notEqual((await browser.call('GET', '/api/v1/session')).body.staff, null)
  })

  test('an operator turns off two-factor authentication by command line: sessions end, the password stays', async () => {
    const person = await makeStaff(db(), [])
    const own = await sessionOf(person)
    const key = makeAuthenticator()
    await addPasskey(own, key)
    const env = {
      DATABASE_URL: databaseUrl(server.target),
      SMTP_URL: box.url,
      MAIL_FROM: 'wheel@house.example',
    }
    const run = await runCli(['staff', 'reset-second-factor', person.email, '--json'], env)
    assert.equal(run.code, 0, run.stderr)
    assert.deepEqual(JSON.parse(run.stdout), { email: person.email, mailed: true })
    assert.ok(mailsTo(person.email).some((text) => text.includes('An operator turned off')))
    assert.equal((await own.call('GET', '/api/v1/session')).body.staff, null)
    assert.equal((await signInWith(key.get(await challenge(), { origin }))).body.code, 'passkey_refused')
    assert.equal((await signIn(person)).status, 200)
  })

  test('access to the mail alone does not bypass a passkey; a recovery code does', async () => {
    const person = await makeStaff(db(), [])
    const { answer } = await addPasskey(await sessionOf(person), makeAuthenticator())
    await makeBrowser(server).call('POST', '/api/v1/session/reset-mails', { body: { email: person.email } })
    const link = /welcome#([\w-]{43})/
    const tokenIn = () =>
      mailsTo(person.email)
        .map((text) => link.exec(text.replaceAll('=3D', '=').replaceAll('=23', '#'))?.[1])
        .find((one) => one !== undefined)
    await until(() => tokenIn() !== undefined)
    const accept = (more: object) =>
      makeBrowser(server).call('POST', '/api/v1/session/acceptance', {
        body: { token: tokenIn(), password: 'a wholly new passphrase', ...more },
      })
    assert.equal((await accept({})).body.code, 'second_factor_needed')
    assert.equal((await accept({ recoveryCode: 'abcd-abcd-abcd-abcd' })).body.code, 'second_factor_wrong')
    const [recoveryCode] = answer.body.recoveryCodes as string[]
    const done = await accept({ recoveryCode })
    assert.equal(done.status, 200, JSON.stringify(done.body))
    assert.equal((done.body.staff as { hasSecondFactor: boolean }).hasSecondFactor, true, 'it stays')
  })
})

test('challenges are rate-limited per address', async (t) => {
  const server = await makeServer(t, { env: { PUBLIC_URL: origin } })
  const ask = () => makeBrowser(server).call('POST', '/api/v1/session/passkey-challenges')
  const answers = await Promise.all(Array.from({ length: 2 * signInsPerMinuteMax + 1 }, ask))
  // The minute may end while they are sent; then two windows count.
  const made = answers.filter(({ status }) => status === 200).length
  assert.ok(made >= signInsPerMinuteMax && made <= 2 * signInsPerMinuteMax, `${made} challenges`)
  assert.ok(answers.some(({ body }) => body.code === 'rate_limited'))
})

test('at an IP address no passkeys are offered, and the response says why', async (t) => {
  const server = await makeServer(t)
  const browser = makeBrowser(server)
  assert.equal((await browser.call('GET', '/api/v1/session')).body.passkeys, 'ip_address')
  const begun = await browser.call('POST', '/api/v1/session/passkey-challenges')
  assert.equal(begun.body.code, 'passkeys_unavailable')
})
