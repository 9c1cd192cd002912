// The page where visitors enter, in a real browser against the real server.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type EntryPage, entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeGameSuite, openGame, spin, untilState, violations, wheelOf } from '../scenes/game-scene.ts'
import { type Lifetime, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const email = entrySettings.fields[0] as object
const field = (id: string, kind: string, label: string, more: object = {}) => ({
  id,
  kind,
  labels: { en: label },
  isRequired: true,
  when: 'entry',
  ...more,
})
const everyField = [
  email,
  field('name', 'name', 'Name'),
  field('phone', 'phone', 'Phone', { isRequired: false }),
  field('born', 'birth', 'When were you born?', { minimumAge: 18 }),
  field('size', 'choice', 'Size', {
    options: ['s', 'm'].map((id) => ({ id, labels: { en: id.toUpperCase() } })),
  }),
  field('why', 'text', 'Why?', { isRequired: false }),
  field('news', 'consent', 'Send me news', { isRequired: false, purpose: 'marketing' }),
]
const wheel = wheelOf({ prize: { kind: 'fixed', code: 'SUNNY-10' } })
const phone = { width: 320, height: 640 }

describe('the page where visitors enter', { concurrency: 2 }, () => {
  const suite = makeGameSuite()

  const make = async (settings: object = {}) => {
    const entry = await makeEntryPage(suite.server, settings)
    await entry.api.publish(wheel)
    return entry
  }
  const addressOf = ({ merchant }: EntryPage, campaign = 'main') =>
    `${suite.server.url}/play/${merchant}/${campaign}`
  const visit = (t: Lifetime, address: string, options: Parameters<typeof openGame>[3] = {}) =>
    openGame(t, suite, address, { viewport: phone, ...options })
  const press = (page: Page) => page.locator('form.entry .primary').click()
  const enterAs = async (page: Page, address: string) => {
    await untilState(page, 'form')
    await page.getByLabel('Your e-mail').fill(address)
    await press(page)
  }
  /** What holds in every state. */
  const check = async (page: Page) => {
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'nothing overflows',
    )
    assert.deepEqual(await violations(page), [])
  }

  test('a visitor enters by the keyboard alone, spins, wins, and comes back in the same browser', async (t) => {
    const entry = await make({ fields: everyField })
    const { page, requests, pageErrors } = await visit(t, addressOf(entry))
    await untilState(page, 'form')
    assert.equal(await page.locator('#disc svg > g').count(), 2, 'the wheel is there before the entry')
    await check(page)
    const type = async (text: string) => {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.getByLabel('Your e-mail').focus()
    for (const text of ['ann@shop.example', 'Ann', '', '5', '1990']) await type(text)
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    for (const text of ['Because', '']) await type(text)
    // Past the link to the terms, to the button.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await untilState(page, 'ready')
    assert.equal(await page.locator('#panel-title').textContent(), 'You have 2 spins.')
    assert.equal((await entry.api.call('GET', '/campaigns/main/entry')).body.entries.entered, 1)
    assert.equal(await spin(page), 'won')
    assert.match(await page.locator('#details .coupon').innerText(), /SUNNY-10/)
    await page.reload()
    await untilState(page, 'ready', 'won')
    assert.equal(requests.filter((url) => url.endsWith('/entries')).length, 1)
    assert.equal((await page.context().cookies()).length, 0)
    const [again] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate((url) => void open(url), addressOf(entry)),
    ])
    await untilState(again, 'back')
    assert.deepEqual(await violations(again), [])
    await again.locator('#action').click()
    await untilState(again, 'won')
    assert.equal(await again.locator('#note').textContent(), '1 spin left')
    assert.deepEqual(pageErrors, [])
  })

  test('wrong answers are named at their fields and in a summary with the focus, and nothing typed is lost', async (t) => {
    const entry = await make({ fields: everyField })
    const { page } = await visit(t, addressOf(entry))
    await untilState(page, 'form')
    await page.getByLabel('Your e-mail').fill('ann@shop')
    await page.getByLabel('Name', { exact: true }).fill('Ann')
    await page.getByLabel('Month').fill('13')
    await press(page)
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'summary')
    assert.deepEqual(await page.locator('.summary li').allInnerTexts(), [
      'Your e-mail: Please enter an address such as ann@example.com.',
      'When were you born: Please enter a month from 1 to 12 and a year such as 1990.',
      'Size: Please choose an answer.',
    ])
    await check(page)
    await page.locator('.summary a').first().click()
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-email')
    await page.getByLabel('Your e-mail').fill('ann@127.0.0.1')
    await page.getByLabel('Month').fill('12')
    await page.getByLabel('Year').fill('1990')
    await page.getByLabel('M', { exact: true }).check()
    await press(page)
    await page.locator('#wrong-email').getByText('This address can’t be used here').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ann')
    assert.equal((await entry.api.call('GET', '/campaigns/main/entry')).body.entries.entered, 0)
  })

  test('an entry whose answer is lost counts once, also after a reload, and one without a connection is sent later', async (t) => {
    const entry = await make()
    const { page } = await visit(t, addressOf(entry))
    await page.route('**/entries', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await enterAs(page, 'ann@shop.example')
    await untilState(page, 'unsent')
    await check(page)
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'ann@shop.example')
    await page.reload()
    await untilState(page, 'unsent')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await untilState(page, 'ready')

    const other = await visit(t, addressOf(entry))
    await untilState(other.page, 'form')
    await other.page.context().setOffline(true)
    await enterAs(other.page, 'bob@shop.example').catch(() => undefined)
    await untilState(other.page, 'unsent')
    await other.page.context().setOffline(false)
    await untilState(other.page, 'ready')
    assert.equal((await entry.api.call('GET', '/campaigns/main/entry')).body.entries.entered, 2)
  })

  test('a form that changes while it is filled in keeps what was typed', async (t) => {
    const entry = await make()
    const { page } = await visit(t, addressOf(entry))
    await untilState(page, 'form')
    await page.getByLabel('Your e-mail').fill('ann@shop.example')
    await entry.setUp({ fields: [email, field('name', 'name', 'Your full name')] })
    await press(page)
    await page.locator('.summary').filter({ hasText: 'The form has just changed' }).waitFor()
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'ann@shop.example')
    await page.getByLabel('Your full name').fill('Ann')
    await press(page)
    await untilState(page, 'ready')
  })

  test('an address that another browser entered with is refused, and the form comes back', async (t) => {
    const entry = await make()
    await entry.enter({ email: 'ann@shop.example' })
    const { page } = await visit(t, addressOf(entry))
    await enterAs(page, 'Ann@Shop.example')
    await untilState(page, 'known')
    await check(page)
    await page.locator('#action').click()
    await untilState(page, 'form')
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'Ann@Shop.example')
  })

  test('who is too young is told so, and gets no second try in this tab', async (t) => {
    const entry = await make({ fields: [email, field('born', 'birth', 'Born', { minimumAge: 18 })] })
    const { page } = await visit(t, addressOf(entry))
    await untilState(page, 'form')
    await page.getByLabel('Month').fill('1')
    await page.getByLabel('Year').fill(String(new Date().getFullYear() - 17))
    await enterAs(page, 'ann@shop.example')
    await untilState(page, 'tooYoung')
    await check(page)
    await page.reload()
    await untilState(page, 'tooYoung')
    assert.doesNotMatch(await page.evaluate(() => Object.values(sessionStorage).join()), /ann@shop/)
  })

  test('an entry that is not open says why before the form', onLanding, async (t) => {
    const entry = await make()
    const { api } = entry
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const seen = async (state: string, expected: RegExp) => {
      const { page } = await visit(t, addressOf(entry))
      await untilState(page, state)
      assert.match(await page.locator('#panel').innerText(), expected)
      await check(page)
      return page
    }
    await api.publish({ ...wheel, opensAt: inHours(2) })
    await seen('closed', /Not open yet[^]*Opens in 01:59/)
    await api.publish({ ...wheel, closesAt: inHours(-1) })
    await seen('over', /This game is over[^]*It ended on/)
    await api.publish(wheel)
    await api.call('PUT', '/wheels/main/pause')
    await until(async () => (await entry.show()).body.state === 'paused')
    const paused = await seen('paused', /taking a break/)
    await api.call('DELETE', '/wheels/main/pause')
    await until(async () => (await entry.show()).body.state === 'open')
    await paused.locator('#action').click()
    await untilState(paused, 'form')
    await entry.setUp({ entriesMax: 1 })
    await entry.enter({ email: 'ann@shop.example' })
    await seen('full', /No places left/)
    await enterAs(paused, 'bob@shop.example')
    await untilState(paused, 'full')
    const nowhere = await visit(t, addressOf(entry, 'nowhere'))
    await untilState(nowhere.page, 'missing')
    await check(nowhere.page)
  })

  test(
    'in a language from right to left, in the formal address, and with text twice as large',
    onLanding,
    async (t) => {
      const entry = await make({ fields: everyField })
      const { page } = await visit(t, `${addressOf(entry)}?lang=ar`)
      await untilState(page, 'form')
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
      assert.equal(await page.locator('#panel-title').textContent(), 'شارك والعب')
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await check(page)
      await entry.api.publish({ ...wheel, look: { address: 'formal' } })
      const formal = await visit(t, `${addressOf(entry)}?lang=de`)
      await untilState(formal.page, 'form')
      await formal.page.getByText('nehmen Sie die Teilnahmebedingungen an').waitFor()
    },
  )

  test('the terms can be read before the entry, and the address redirects without its last slash', async (t) => {
    const entry = await make()
    const { page } = await visit(t, `${suite.server.url}/play/${entry.merchant}/main/?lang=en`)
    await untilState(page, 'form')
    assert.equal(new URL(page.url()).pathname, `/play/${entry.merchant}/main`)
    await page.getByRole('button', { name: 'Read the terms' }).click()
    const bidi = await page
      .locator('.terms dd')
      .first()
      .evaluate((fact) => getComputedStyle(fact).unicodeBidi)
    assert.equal(bidi, 'plaintext', 'a postal address begins with its number in any language')
    assert.match(await page.getByRole('dialog').innerText(), /The terms\.[^]*Acme Ltd\n1 High Street/)
    await check(page)
    const short = await visit(t, `${suite.server.url}/play/${entry.merchant}`)
    await untilState(short.page, 'form')
  })

  test('without JavaScript the page says so', async (t) => {
    const entry = await make()
    const context = await suite.browser.newContext({ javaScriptEnabled: false })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(addressOf(entry))
    await page.locator('noscript p').waitFor()
    assert.match(await page.locator('noscript').innerText(), /needs JavaScript/)
  })

  test('the page has the policy of the game page, and only listed origins may show it in a frame', async () => {
    const entry = await make()
    const policyOf = async (address: string) =>
      (await fetch(address)).headers.get('content-security-policy') ?? ''
    const ofLinks = await policyOf(`${suite.server.url}/spinthewheel/`)
    assert.match(ofLinks, /frame-ancestors 'self'$/)
    assert.equal(await policyOf(addressOf(entry)), ofLinks)
    assert.equal(await policyOf(`${suite.server.url}/play/no-such-merchant`), ofLinks)
    await entry.api.call('PATCH', '/merchant', { embedOrigins: ['https://shop.example'] })
    await until(async () => (await policyOf(addressOf(entry))) === `${ofLinks} https://shop.example`)
  })

  test('a visitor enters also from a browser whose time zone is unknown to the server', async (t) => {
    const { page } = await visit(t, addressOf(await make()), {
      prepare: (opened) =>
        opened.addInitScript(() => {
          const { DateTimeFormat } = Intl
          const { timeZone: _known, ...options } = DateTimeFormat().resolvedOptions()
          DateTimeFormat.prototype.resolvedOptions = () => ({ ...options, timeZone: 'Etc/Unknown' })
        }),
    })
    await enterAs(page, 'ann@shop.example')
    await untilState(page, 'ready')
  })
})
