import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { parseConfig } from '../../src/config.ts'
import { statement } from '../../src/db/database.ts'
import { resetMailsPerHourMax } from '../../src/limits.ts'
import { invitationsPerHourMax } from '../../src/merchant-quotas.ts'
import { nameInMail } from '../../src/staff/staff-mails.ts'
import { setName, setTotpSecret } from '../../src/staff/staff.ts'
import { type TestMailbox, linkIn, makeTestMailbox } from '../scenes/test-mailbox.ts'
import { makeMerchant, makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'

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

  /** An owner of a merchant, who invites. */
  async function makeOwner(names: { merchant?: string; owner?: string } = {}) {
    const { merchant } = await makeMerchant(db())
    if (names.merchant !== undefined)
      await db().query(statement(`update merchants set name = $1 where merchant_id = $2`), [
        names.merchant,
        merchant.merchantId,
      ])
    const person = await makeStaff(db(), [[merchant, 'owner']])
    if (names.owner !== undefined) await setName(db(), person.staffId, names.owner)
    const browser = await signInAs(server, person)
    const at = { merchant: merchant.slug }
    const invite = (email: string) =>
      browser.call('POST', '/api/v1/staff-invitations', { ...at, body: { email, role: 'editor' } })
    const staff = async () => (await browser.call('GET', '/api/v1/staff', at)).body as any
    return { merchant, invite, staff }
  }
  const read = async (link: string) =>
    (
      await makeBrowser(server).call('POST', '/api/v1/session/invitation', {
        body: { token: link.split('#')[1] },
      })
    ).body

  test('only the invited person gets the link, which proves the address', async () => {
    const { merchant, invite, staff } = await makeOwner()
    const invited = await invite('eva@example.com')
    assert.deepEqual(invited.body, { link: null, mailed: true })
    const mail = await mailTo('eva@example.com')
    assert.equal(mail.from, 'wheel@house.example')
    assert.deepEqual(mail.to, ['eva@example.com'])
    assert.match(mail.text, new RegExp(`Subject: Your invitation to ${merchant.name}`))
    assert.equal((await accept(linkIn(mail), { name: 'Eva', password })).status, 200)
    const proven = async () =>
      (await staff()).staff.map((one: any) => [one.email === 'eva@example.com', one.isEmailProven])
    assert.deepEqual((await proven()).toSorted(), [
      [false, false],
      [true, true],
    ])
    box.refuses = true
    const refused = await invite('otto@example.com')
    box.refuses = false
    assert.deepEqual([refused.status, refused.body.code], [503, 'mail_not_sent'])
    assert.deepEqual((await staff()).invitations, [], 'nothing is left of it')
    assert.equal((await invite('eva@example.com')).body.mailed, true)
    await until(() => box.mails.filter(({ to }) => to.includes('eva@example.com')).length === 2)
    assert.equal((await read(linkIn(await mailTo('eva@example.com')))).hasAccount, true, 'told by mail alone')
  })

  test('an address gets few invitations of a merchant in an hour, and a merchant sends few', async () => {
    const { invite } = await makeOwner()
    const { perAddress, perMerchant } = invitationsPerHourMax
    const inviteAll = async (count: number, email: (index: number) => string) => {
      const codes: unknown[] = []
      for (let index = 0; index < count; index++) {
        const { status, body, headers } = await invite(email(index))
        codes.push(body.code ?? status)
        if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0)
      }
      return codes
    }
    const one = await inviteAll(perAddress + 1, () => 'gil@example.com')
    assert.deepEqual(one, [...Array(perAddress).fill(200), 'rate_limited'])
    const left = perMerchant - one.length
    const others = await inviteAll(left + 1, (index) => `gil-${index}@example.com`)
    assert.deepEqual(others, [...Array(left).fill(200), 'rate_limited'])
    const elsewhere = await makeOwner()
    assert.equal((await elsewhere.invite('gil@example.com')).status, 200, 'each merchant has its own limit')
  })

  test('names in mails carry no addresses of pages', async () => {
    const { invite } = await makeOwner({
      merchant: 'Prize http://evil.example/a won',
      owner: 'www.evil.example\u3002com @evil\uff0eexample',
    })
    await invite('hal@example.com')
    const text = (await mailTo('hal@example.com')).text.replaceAll('=\n', '')
    assert.match(text, /Subject: Your invitation to Prize http evil\. example\/a won/)
    assert.match(text, /www\. evil\. example\. com {2}at evil\. example invites you/)
    assert.doesNotMatch(text, /evil[.\u3002\uff0e]\S|@evil/)
    assert.equal(nameInMail('J.R.R. Tolkien\u202e & 10.0.0.1'), 'J. R. R. Tolkien & 10. 0. 0. 1')
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
    const { merchant } = await makeMerchant(db())
    const owner = await signInAs(plain, await makeStaff(db(), [[merchant, 'owner']]))
    const body = { email: operator.email, role: 'viewer' }
    const invited = await owner.call('POST', '/api/v1/staff-invitations', { merchant: merchant.slug, body })
    const link = String(invited.body.link)
    assert.equal((await read(link)).hasAccount, false, 'the inviter learns nothing about the address')
    const token = link.split('#')[1]
    const own = await (
      await signInAs(plain, operator)
    ).call('POST', '/api/v1/session/invitation', { body: { token } })
    assert.equal(own.body.hasAccount, true)
  })
})
