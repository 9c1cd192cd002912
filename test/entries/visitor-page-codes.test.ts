// Visitors prove their address on the page: codes from a real mailbox, in a real browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeEntryPage } from '../scenes/entry-scene.ts'
import { makeGameSuite, openGame, spin, untilState, violations, wheelOf } from '../scenes/game-scene.ts'
import { type Lifetime, until } from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

const wheel = wheelOf({ prize: { kind: 'fixed', code: 'SUNNY-10' } })

describe('the page where visitors prove their address', () => {
  let mailbox: TestMailbox
  let aheadMs = 0
  const suite = makeGameSuite(async (t) => {
    mailbox = await makeTestMailbox(t)
    return {
      env: { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' },
      now: () => new Date(Date.now() + aheadMs),
    }
  })

  const visit = async (t: Lifetime, settings: object = {}) => {
    const entry = await makeEntryPage(suite.server, { verify: 'code', ...settings })
    await entry.api.publish(wheel)
    const address = `${suite.server.url}/play/${entry.merchant}/main`
    const opened = await openGame(t, suite, address, { viewport: { width: 320, height: 640 } })
    return { ...opened, entry, address }
  }
  const enterAs = async (page: Page, address: string) => {
    await untilState(page, 'form')
    await page.getByLabel('Your e-mail').fill(address)
    await page.keyboard.press('Enter')
    return untilState(page, 'code', 'limited')
  }
  const codesFor = (address: string) =>
    mailbox.mails.flatMap(({ to, text }) =>
      to.includes(address) ? (/\n\n(\d{6}) is your code/.exec(text)?.[1] ?? []) : [],
    )
  const codeFor = async (address: string, count = 1) => {
    await until(async () => codesFor(address).length === count)
    return codesFor(address).at(-1) as string
  }
  const other = (code: string) => code.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10))
  const type = async (page: Page, code: string) => {
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.keyboard.press('Enter')
  }
  const says = (page: Page, text: string | RegExp) => page.locator('#wrong-code').getByText(text).waitFor()
  const check = async (page: Page) => {
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'nothing overflows',
    )
    assert.deepEqual(await violations(page), [])
  }

  test('a visitor gets a code by mail, types it, spins and wins', async (t) => {
    const { page, entry, pageErrors } = await visit(t)
    await enterAs(page, 'ann@shop.example')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'code')
    assert.equal(await page.locator('#code').getAttribute('autocomplete'), 'one-time-code')
    assert.match(await page.locator('#panel').innerText(), /to ann@shop\.example\.[^]*new code in 00:0[01]:/)
    await check(page)
    const code = await codeFor('ann@shop.example')
    await type(page, '12')
    await says(page, /6 digits/)
    assert.deepEqual(pageErrors, [])
    await type(page, other(code))
    await says(page, 'You have 4 tries left.')
    await check(page)
    // A telephone may have closed the tab while its owner read the mail.
    await page.reload()
    await untilState(page, 'code')
    await type(page, `${code.slice(0, 3)} ${code.slice(3)}`)
    await untilState(page, 'ready')
    assert.equal(await spin(page), 'won')
    const { body } = await entry.api.call('GET', '/campaigns/main/entry')
    assert.deepEqual(body.entries, { entered: 1, verified: 1 })
  })

  test('after too many wrong codes, or too late, another code is sent', async (t) => {
    const { page } = await visit(t)
    await enterAs(page, 'bob@shop.example')
    const first = await codeFor('bob@shop.example')
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
      await type(page, other(first))
      await says(page, `You have ${left} left.`)
    }
    await type(page, other(first))
    await says(page, /Too many wrong codes/)
    aheadMs += 61_000
    await page.reload()
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await page.getByText('We’ve sent a new code.').waitFor()
    await codeFor('bob@shop.example', 2)
    aheadMs += 11 * 60_000
    await type(page, codesFor('bob@shop.example')[1] as string)
    await says(page, /expired/)
    await check(page)
    await page.getByRole('button', { name: 'Use another address' }).click()
    await untilState(page, 'form')
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'bob@shop.example')
    await enterAs(page, 'carl@shop.example')
    await type(page, await codeFor('carl@shop.example'))
    await untilState(page, 'ready')
  })

  test('an address that has entered comes back by a code in another browser, with the same game', async (t) => {
    const { page, address } = await visit(t)
    await enterAs(page, 'dora@shop.example')
    await type(page, await codeFor('dora@shop.example'))
    await untilState(page, 'ready')
    await spin(page)
    const elsewhere = await openGame(t, suite, address)
    await enterAs(elsewhere.page, 'Dora@shop.example')
    await type(elsewhere.page, await codeFor('Dora@shop.example'))
    await untilState(elsewhere.page, 'ready', 'won')
    assert.equal(await elsewhere.page.locator('#wins').isVisible(), true)
  })

  test('a challenge is solved while the visitor types, and a new one when it has expired', async (t) => {
    const { page, pageErrors } = await visit(t, { challenge: 'always', verify: 'none' })
    await untilState(page, 'form')
    await page.getByLabel('Your e-mail').fill('eve@shop.example')
    await page.getByRole('status').getByText('Security check: done').waitFor()
    await check(page)
    aheadMs += 11 * 60_000
    await page.keyboard.press('Enter')
    await untilState(page, 'ready')
    assert.deepEqual(
      pageErrors.filter((text) => !text.includes('status of 4')),
      [],
    )
  })

  test('without a secure connection, or where the check fails, the visitor learns why', async (t) => {
    const { page, address } = await visit(t, { challenge: 'always', verify: 'none' })
    await untilState(page, 'form')
    await page.route('**/solver-*', (route) => route.abort())
    await page.getByLabel('Your e-mail').fill('fay@shop.example')
    await page.keyboard.press('Enter')
    await untilState(page, 'checkFailed')
    await check(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.locator('#action').click()
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'fay@shop.example')
    await page.locator('form.entry .primary').click()
    await untilState(page, 'ready')
    const plain = await openGame(t, suite, address, {
      prepare: (opened) =>
        opened.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined })),
    })
    await untilState(plain.page, 'insecure')
    await check(plain.page)
  })

  test('a visitor over a limit learns how long it lasts, and loses nothing', async (t) => {
    const { page } = await visit(t)
    while ((await enterAs(page, 'gil@shop.example')) === 'code')
      await page.getByRole('button', { name: 'Use another address' }).click()
    assert.match(await page.locator('#countdown').innerText(), /You can go on in 0\d:/)
    await check(page)
    await page.reload()
    await untilState(page, 'form')
    assert.equal(await page.getByLabel('Your e-mail').inputValue(), 'gil@shop.example')
  })
})
