// Somebody in marketing lets visitors enter, in the console alone: types the form and the terms, and hands the address
// out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  type ConsoleSuite,
  desktop,
  makeConsoleSuite,
  openConsole,
  openPage,
  overflow,
  settled,
} from './console-scene.ts'
import { spin, untilState, violations } from '../scenes/game-scene.ts'
import { entryPageOf, makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { type Lifetime, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { descriptionOf, typeKeys, typeMoment } from './typed-fields.ts'

describe('visitors in the console', onLanding, () => {
  const suite = makeConsoleSuite()

  test('a visitor enters by what was typed in the console alone, and no edit is lost', async (t) => {
    const api = await makeManagementApi(suite.server)
    await api.publish(alwaysWins({}))
    const { page, pageErrors } = await openConsole(t, suite, {
      testMerchant: api,
      role: 'editor',
      path: '/campaigns/main',
    })
    const saved = async () => (await api.call('GET', '/campaigns/main/entry')).body
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const type = async (at: Locator, text: string) => {
      await typeKeys(at, text)
      assert.equal(await at.inputValue(), text)
    }
    const add = async (kind: string) => {
      await page.getByRole('button', { name: 'Add a field' }).click()
      await page.getByRole('menuitem', { name: kind, exact: true }).click()
    }
    const save = page.getByRole('button', { name: 'Save', exact: true })

    await page.getByRole('tab', { name: 'Visitors' }).click()
    await page.getByRole('switch', { name: 'Let visitors enter' }).click()
    await page.getByText('8 things are missing or wrong.').waitFor()
    assert.equal(
      await page.locator('[aria-invalid="true"]').count(),
      0,
      'nothing is red before the first try',
    )
    await save.click()
    assert.match(await descriptionOf(field('Organiser')), /Needed before visitors can enter/)
    assert.ok(await field('Organiser').evaluate((input) => input === document.activeElement))
    await look(page, 'missing')
    await typeMoment(field('Closes'), '04 05 2030 06 30 a')
    await page.getByRole('button', { name: 'Set closing time' }).click()
    await page.getByText('7 things are missing or wrong.').waitFor()
    await type(field('Organiser'), 'Acme Ltd')
    await type(field('Postal address'), '1 High Street, London')
    await type(field('Who may enter'), 'Adults in the United Kingdom')
    await type(field('Limit per person'), 'One entry per person')
    await type(field('How to claim, and until when'), 'At the till, within 30 days')
    await type(field('Privacy notes (address)'), 'https://acme.example/privacy')
    await type(field('Or the address of a page with all terms'), 'http://acme.example')
    assert.match(await descriptionOf(field('Or the address of a page with all terms')), /begins with https/)
    await type(field('Or the address of a page with all terms'), '')
    await type(field('All terms in English'), 'Be fair. Win once.')
    await page.getByText('Not saved yet.').waitFor()

    await type(field('Label in English'), 'Your e-mail')
    const preview = page.locator('iframe[title="Preview"]').contentFrame()
    await preview.getByLabel('Your e-mail', { exact: true }).waitFor()
    await preview.locator('form.entry .primary').click()
    await preview.getByText('Please fill this in.').first().waitFor()
    await add('Month of birth')
    await type(field('Minimum age'), '18')
    assert.ok(await page.getByRole('checkbox', { name: 'Required' }).isChecked())
    await add('Choice')
    assert.match(await descriptionOf(field('Label in English').nth(2)), /at least one language/)
    await type(field('Label in English').nth(2), 'Favourite shop')
    await type(field('Answer 1'), 'London')
    await type(field('Answer 2'), 'Leeds')
    await add('Consent')
    await type(field('What they agree to, in English'), 'Send me news')
    await page.getByText('Never required and never ticked in advance', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Move up: Consent' }).click()
    await type(field('Spins per person'), '2')
    await type(field('Limit of entries'), '500')
    await type(field('Keep answers for, in days'), '30')
    assert.ok(await page.getByRole('checkbox', { name: 'Prove the address by a code' }).isDisabled())
    await page.getByText('This server sends no mail', { exact: false }).waitFor()
    await preview.getByText('Favourite shop').waitFor()
    await save.click()

    const address = `${suite.server.ctx.config.gameUrl}/play/${api.merchant.slug}/main`
    const tries = page.getByRole('link', { name: 'Open as a visitor' })
    await tries.waitFor()
    assert.equal(await tries.getAttribute('href'), address)
    assert.equal(await page.locator('pre').first().innerText(), address)
    assert.match(await field('HTML').innerText(), new RegExp(`entry="${address}"`))
    const { fields, terms, ...rules } = await saved()
    assert.deepEqual(
      fields.map(({ id }: { id: string }) => id),
      ['email', 'birth', 'consent', 'choice'],
    )
    assert.equal(fields[0].labels.en, 'Your e-mail')
    assert.equal(fields[1].minimumAge, 18)
    assert.deepEqual(
      fields[3].options.map(({ labels }: { labels: object }) => labels),
      [{ en: 'London' }, { en: 'Leeds' }],
    )
    assert.deepEqual(terms.texts, { en: 'Be fair. Win once.' })
    assert.deepEqual([rules.isOpen, rules.spins, rules.entriesMax, rules.answersDays], [true, 2, 500, 30])
    await look(page, 'open')
    for (const [name, start] of [
      ['Download SVG', /^<svg /],
      ['Download PNG', /^\x89PNG/],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      assert.match(readFileSync(await (await download).path(), 'latin1'), start)
    }

    // A colleague saves meanwhile.
    const {
      version: _1,
      termsHash: _2,
      address: _3,
      entries: _4,
      warnings: _5,
      closesAt: _9,
      ...others
    } = await saved()
    const { revision: _6, changedAt: _7, campaign: _8, ...body } = others
    assert.equal((await api.call('PUT', '/campaigns/main/entry', { ...body, spins: 3 })).status, 200)
    await type(field('Limit of entries'), '600')
    await save.click()
    await page.getByText(/Not saved: the campaign was changed elsewhere/).waitFor()
    assert.equal((await saved()).entriesMax, 500)
    await until(async () => (await field('Spins per person').inputValue()) === '3')
    await save.click()
    await until(async () => (await saved()).entriesMax === 600)
    assert.equal((await saved()).spins, 3)

    // Somebody has entered: other terms need a reason.
    await visit(t, suite, `${suite.server.url}/play/${api.merchant.slug}/main`)
    await page.reload()
    await page.getByText('1 visitor has entered.').waitFor()
    await page.getByRole('link', { name: 'ann@shop.example' }).waitFor()
    await type(field('Who may enter'), 'Adults anywhere')
    await type(field('Reason'), 'More people may enter')
    await look(page, 'reason')
    await save.click()
    await until(async () => (await saved()).terms.whoMayEnter === 'Adults anywhere')
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    assert.deepEqual(
      pageErrors.filter((one) => !/status of (404|412)/.test(one)),
      [],
    )
  })

  test('in test mode the codes are read in the console, with the answers, and viewers see neither', async (t) => {
    const live = await makeManagementApi(suite.server)
    const made = (await live.call('POST', '/test-merchant', {})).body
    const merchant = { ...live.merchant, slug: made.merchant as string }
    const call: typeof live.call = (method, path, body) =>
      callApi(suite.server, made.token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    const entry = entryPageOf(suite.server, { ...live, merchant, token: made.token, call }, 'main')
    const path = `${suite.server.url}/console/m/${merchant.slug}/campaigns/main?tab=visitors`
    const { page } = await openConsole(t, suite, { testMerchant: live, role: 'support' })
    const viewer = await openConsole(t, suite, { testMerchant: live, role: 'viewer' })
    await call('PATCH', '/campaigns/main', { closesAt: '2090-01-01T00:00:00.000Z' })
    await entry.setUp({ verify: 'code' })
    await page.goto(path)
    await page.getByText('No visitor is waiting for a code.').waitFor()
    await page.getByText('the codes are shown on this page', { exact: false }).waitFor()

    const { session } = (await entry.enter({ email: 'ann@shop.example', name: 'Ann', news: true })).body
    const row = page.getByRole('row').filter({ hasText: 'ann@shop.example' })
    const code = await row.locator('code').innerText()
    assert.match(code, /^\d{6}$/)
    await look(page, 'codes')
    assert.equal((await entry.send('/proof', { session, code })).status, 200)
    await page.getByText('No visitor is waiting for a code.').waitFor()
    await page.reload()
    await row.filter({ hasText: 'Proven' }).waitFor()
    assert.match(await row.innerText(), /Name\s*Ann[^]*news: confirmed/)
    await look(page, 'answers')

    await viewer.page.goto(path)
    const open = viewer.page.getByRole('switch', { name: 'Let visitors enter' })
    await open.waitFor()
    assert.ok(await open.isDisabled())
    await viewer.page.locator('iframe[title="Preview"]').contentFrame().getByLabel('Ihre E-Mail').waitFor()
    assert.doesNotMatch(await viewer.page.locator('main').innerText(), /ann@shop|Codes to try/)
  })

  test('a visitor is found by the address and erased after a question, by those who may', async (t) => {
    const entry = await makeEntryPage(suite.server)
    for (const name of ['ann', 'bob']) await entry.enter({ email: `${name}@shop.example`, name, news: true })
    await entry.enter({ email: 'nobody' })
    const options = { testMerchant: entry.api, path: '/campaigns/main?tab=visitors' } as const
    const { page } = await openConsole(t, suite, { ...options, role: 'editor' })
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('bob@shop.example').waitFor()
    const figures = page.getByRole('region', { name: 'From the page to the prize' })
    const stages = (await figures.getByRole('listitem').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' '),
    )
    assert.deepEqual(stages.slice(0, 4), [
      'Opened the page 3 · 100%',
      'Sent the form 3 · 100%',
      'Entered 2 · 66.7%',
      'Played 0 · 0%',
    ])
    await figures
      .getByRole('row')
      .filter({ hasText: /can’t be used[^]*1/ })
      .waitFor()
    const search = page.getByRole('searchbox', { name: 'Address' })
    await search.fill('Ann@SHOP.example')
    await row('bob@shop.example').waitFor({ state: 'detached' })
    await row('ann@shop.example').waitFor()
    await search.fill('nobody@shop.example')
    await page.getByText('Nobody found').waitFor()
    await search.fill('')
    await row('bob@shop.example').waitFor()
    await look(page, 'list')

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export personal data: ann@shop.example' }).click(),
    ])
    assert.match(readFileSync(await saved.path(), 'utf8'), /"answers":\{[^}]*ann@shop\.example/)
    await page.getByRole('button', { name: 'Withdraw news: ann@shop.example' }).click()
    await page.getByRole('dialog').getByText('ann@shop.example no longer agrees to “news”').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw consent' }).click()
    await row('ann@shop.example').getByText('news: withdrawn').waitFor()
    const { entries } = (await entry.api.call('GET', '/campaigns/main/entries?address=ann@shop.example')).body
    assert.ok(entries[0].consents[0].withdrawnAt !== null)

    await page.getByRole('button', { name: 'Erase: ann@shop.example' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Erase personal data' })
    assert.ok(await confirm.isDisabled())
    await dialog.getByRole('textbox').fill('ann@shop.example')
    await confirm.click()
    await row('Address deleted').waitFor()
    assert.equal(await row('ann@shop.example').count(), 0)

    // The closing time is a part of their terms.
    await page.goto(page.url().replace(/\?.*$/, '?tab=settings'))
    await typeMoment(page.getByLabel('Closes', { exact: true }), '04 05 2090 06 30 a')
    const save = page
      .locator('section[aria-labelledby="campaign-settings"]')
      .getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByLabel('Reason', { exact: true }).fill('We stay open longer')
    await look(page, 'closing-reason')
    await save.click()
    await page.getByLabel('Reason', { exact: true }).waitFor({ state: 'detached' })
    const { body } = await entry.api.call('GET', '/campaigns/main/entry/versions')
    assert.match(JSON.stringify(body), /We stay open longer/)

    const support = await openConsole(t, suite, { ...options, role: 'support' })
    await support.page.getByRole('row').filter({ hasText: 'bob@shop.example' }).waitFor()
    assert.equal(await support.page.getByRole('button', { name: /^Erase:/ }).count(), 0)
  })
})

/** Somebody whom no server knows fills in the form, spins and wins. */
async function visit(t: Lifetime, suite: ConsoleSuite, address: string): Promise<void> {
  const { page } = await openPage(t, suite)
  await page.goto(address)
  await untilState(page, 'form')
  await page.getByLabel('Your e-mail').fill('ann@shop.example')
  await page.getByLabel('Month', { exact: true }).fill('5')
  await page.getByLabel('Year', { exact: true }).fill('1990')
  await page.getByLabel('Leeds').check()
  assert.ok(!(await page.getByLabel('Send me news').isChecked()))
  await page.locator('form.entry .primary').click()
  await untilState(page, 'ready')
  await spin(page)
  await untilState(page, 'won')
}

/** Nothing sticks out, axe finds nothing, and with SCREENSHOTS there is a picture. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1360, 'light'],
    ...(process.env.SCREENSHOTS === undefined
      ? []
      : ([
          [390, 'light'],
          [1360, 'dark'],
        ] as const)),
  ] as const) {
    await page.setViewportSize({ ...desktop, width })
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await settled(page)
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      })
    assert.equal(await overflow(page), 0, `${name} at ${width}`)
    assert.deepEqual(await violations(page), [], `${name} at ${width}, ${colorScheme}`)
  }
  await page.setViewportSize(desktop)
}
