import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { parseConfig } from '../src/config.ts'
import { resetMailsPerHourMax } from '../src/limits.ts'
import { setTotpSecret } from '../src/staff/staff.ts'
import { type TestMailbox, linkIn, makeTestMailbox } from './test-mailbox.ts'
import { makeMerchant, makeServer, type Server, suiteLifetime, until } from './scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from './staff-scene.ts'

test('an SMTP server needs a sender address, and a wrong URL is reported without its password', () => {
  const wrong = (env: Record<string, string>) => {
    try {
      parseConfig(env)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  assert.match(wrong({ SMTP_URL: 'smtp://127.0.0.1' }), /MAIL_FROM must be set/)
  const message = wrong({ SMTP_URL: 'http://user:hunter2@mail', MAIL_FROM: 'nobody' })
  assert.match(message, /SMTP_URL must be an address like smtp/)
  assert.match(message, /MAIL_FROM must be an address/)
  assert.ok(!message.includes('hunter2'))
  const fine = parseConfig({ SMTP_URL: 'smtps://a:b@mail.example', MAIL_FROM: 'Acme <wheel@acme.example>' })
  assert.equal(fine.mail?.from, 'Acme <wheel@acme.example>')
  assert.equal(parseConfig({}).mail, undefined)
})

describe('with an SMTP server', () => {
  const lifetime = suiteLifetime()
  let box: TestMailbox
  let server: Server
  let clock = new Date()
  before(async () => {
    box = await makeTestMailbox(lifetime)
    const env = { SMTP_URL: box.url, MAIL_FROM: 'Wheelhouse <wheel@house.example>' }
    server = await makeServer(lifetime, { env, now: () => clock })
  })
  const db = () => server.ctx.db
  const mailTo = async (email: string) => {
    await until(() => box.mails.some((mail) => mail.to.includes(email)))
    return box.mails.findLast((mail) => mail.to.includes(email))!
  }
  const ask = (email: string) =>
    makeBrowser(server).call('POST', '/api/v1/session/reset-mails', { body: { email } })
  const accept = (link: string, more: object) =>
    makeBrowser(server).call('POST', '/api/v1/session/acceptance', {
      body: { token: link.split('#')[1], ...more },
    })

  test('an invitation is mailed to the invited person, and works', async () => {
    const { merchant } = await makeMerchant(db())
    const owner = await signInAs(server, await makeStaff(db(), [[merchant, 'owner']]))
    const body = { email: 'eva@example.com', role: 'editor' }
    const invited = await owner.call('POST', '/api/v1/staff-invitations', { merchant: merchant.slug, body })
    assert.equal(invited.body.mailed, true)
    const mail = await mailTo('eva@example.com')
    assert.equal(mail.from, 'wheel@house.example')
    assert.deepEqual(mail.to, ['eva@example.com'])
    assert.match(mail.text, new RegExp(`Subject: Your invitation to ${merchant.name}`))
    assert.equal(linkIn(mail), invited.body.link)
    assert.equal((await accept(linkIn(mail), { name: 'Eva', password })).status, 200)
    box.refuses = true
    const kept = await owner.call('POST', '/api/v1/staff-invitations', {
      merchant: merchant.slug,
      body: { ...body, email: 'otto@example.com' },
    })
    box.refuses = false
    assert.deepEqual([kept.status, kept.body.mailed], [200, false], 'the response has the link anyway')
  })

  test('a password reset is mailed only to an existing account, gets the same response without one, and is rate-limited', async () => {
    const person = await makeStaff(db(), [])
    const other = await signInAs(server, person)
    const [known, unknown] = await Promise.all([ask(person.email), ask('nobody@example.com')])
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
    const link = linkIn(await mailTo(person.email))
    const fresh = 'a wholly new passphrase'
    assert.equal((await accept(link, { password: 'short' })).body.code, 'password_too_easy')
    assert.equal((await accept(link, { password: fresh })).status, 200)
    assert.equal((await accept(link, { password: fresh })).body.code, 'invitation_invalid')
    assert.equal((await other.call('GET', '/api/v1/session')).body.staff, null, 'old sessions have ended')
    for (let more = 0; more < 2 * resetMailsPerHourMax; more++) await ask(person.email)
    const last = await makeStaff(db(), [])
    await ask(last.email)
    await mailTo(last.email)
    assert.equal(box.mails.filter(({ to }) => to.includes(person.email)).length, resetMailsPerHourMax)
    assert.ok(!box.mails.some(({ to }) => to.includes('nobody@example.com')))
    const late = linkIn(await mailTo(last.email))
    clock = new Date(clock.getTime() + 3_601_000)
    assert.equal((await accept(late, { password: fresh })).body.code, 'invitation_invalid')
  })

  test('access to the mail alone does not bypass two-factor authentication', async () => {
    const person = await makeStaff(db(), [])
    const totp = new TOTP({ issuer: 'Wheelhouse', label: 'staff', digits: 6, period: 30 })
    await setTotpSecret(db(), person.staffId, totp.secret.base32)
    await ask(person.email)
    const link = linkIn(await mailTo(person.email))
    const shown = await makeBrowser(server).call('POST', '/api/v1/session/invitation', {
      body: { token: link.split('#')[1] },
    })
    assert.deepEqual([shown.body.isReset, shown.body.needsCode], [true, true])
    assert.equal((await accept(link, { password })).body.code, 'second_factor_needed')
    const right = totp.generate({ timestamp: clock.getTime() })
    const wrong = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0')
    const codes: unknown[] = []
    for (let guess = 0; guess < 7; guess++)
      codes.push((await accept(link, { password, code: wrong })).body.code)
    assert.ok(codes.includes('sign_in_delayed'), 'guesses are delayed')
    clock = new Date(clock.getTime() + 60_000)
    const code = totp.generate({ timestamp: clock.getTime() })
    const done = await accept(link, { password: 'a wholly new passphrase', code })
    assert.equal(done.status, 200, JSON.stringify(done.body))
    assert.equal((done.body.staff as { hasSecondFactor: boolean }).hasSecondFactor, true, 'it stays')
  })

  test('without an SMTP server no mail can be requested, and links are shown instead', async () => {
    const plain = await makeServer(lifetime, { database: { target: server.target, db: db() } })
    const browser = makeBrowser(plain)
    assert.equal((await browser.call('GET', '/api/v1/session')).body.resetsByMail, false)
    const asked = await browser.call('POST', '/api/v1/session/reset-mails', { body: { email: 'a@b' } })
    assert.equal(asked.body.code, 'mail_not_set')
    const operator = await makeStaff(db(), [], { isOperator: true })
    const reset = await (
      await signInAs(plain, operator)
    ).call('POST', '/api/v1/staff/resets', {
      body: { email: operator.email },
    })
    assert.deepEqual([reset.status, reset.body.mailed], [200, false])
  })
})
