// What visitors are asked after a win and to claim a prize, in a real browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type EntryPage, entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeGameSuite, openGame, spin, untilState, violations, wheelOf } from '../scenes/game-scene.ts'
import type { Lifetime } from '../scenes/scene.ts'

const field = (id: string, kind: string, label: string, when: string, more: object = {}) => ({
  id,
  kind,
  labels: { en: label },
  isRequired: true,
  when,
  ...more,
})
const fields = [
  ...entrySettings.fields,
  field('street', 'text', 'Where shall we send it?', 'toClaim'),
  field('phone', 'phone', 'Phone', 'toClaim', { isRequired: false }),
  field('why', 'text', 'Why did you play?', 'afterWin'),
]

describe('the page after a visitor has won', () => {
  const suite = makeGameSuite()

  const win = async (t: Lifetime, settings: object, options: Parameters<typeof openGame>[3] = {}) => {
    const entry = await makeEntryPage(suite.server, settings)
    await entry.api.publish(wheelOf({ title: 'A mug', prize: { kind: 'fixed', code: 'SUNNY-10' } }))
    const address = `${suite.server.url}/play/${entry.merchant}/main`
    const opened = await openGame(t, suite, address, { viewport: { width: 320, height: 640 }, ...options })
    const { page } = opened
    await untilState(page, 'form')
    await page.locator('#field-email').fill('ann@shop.example')
    await page.keyboard.press('Enter')
    await untilState(page, 'ready')
    await spin(page)
    return { ...opened, entry }
  }
  const answersIn = async ({ api }: EntryPage) =>
    (await api.call('GET', '/campaigns/main/entries')).body.entries[0].answers
  const check = async (page: Page) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(width <= 0, 'nothing overflows')
    assert.deepEqual(await violations(page), [])
  }

  test('names the prize, and shows its code once it is claimed by the form', async (t) => {
    const { page, entry, pageErrors } = await win(t, { fields })
    const card = page.locator('#panel')
    await page.getByRole('heading', { name: 'May we ask you something?' }).waitFor()
    assert.match(await card.innerText(), /A mug[^]*Claim it, and you’ll see how to use it/)
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'panel-title',
      'the result is read first',
    )
    assert.doesNotMatch(await page.content(), /SUNNY-10/)
    await check(page)
    const claim = card.getByRole('button', { name: 'Claim your prize' })
    await claim.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone').fill('none')
    await dialog.getByRole('button', { name: 'Claim', exact: true }).click()
    assert.deepEqual(await dialog.locator('.summary li').allInnerTexts(), [
      'Where shall we send it: Please fill this in.',
    ])
    await check(page)
    await dialog.getByLabel('Where shall we send it?').fill('1 High Street')
    await dialog.getByRole('button', { name: 'Claim', exact: true }).click()
    await dialog.locator('#wrong-phone').getByText('+44').waitFor()
    // Closed and opened again, it has what was typed.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await claim.click()
    assert.equal(await dialog.getByLabel('Where shall we send it?').inputValue(), '1 High Street')
    await dialog.getByLabel('Phone').fill('')
    // The first answer is lost, and the connection with it.
    await page.route('**/game/claims', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Claim', exact: true }).click()
    await dialog.getByText('Nothing you’ve typed is lost.').waitFor()
    await check(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await card.getByText('SUNNY-10').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal((await answersIn(entry)).street, '1 High Street')
    await check(page)
    assert.deepEqual(
      pageErrors.filter((text) => !/status of 400|ERR_FAILED/.test(text)),
      [],
    )
  })

  test('asks below the result, once, and the prize does not wait for it', async (t) => {
    const { page, entry } = await win(t, { fields: fields.filter(({ when }) => when !== 'toClaim') })
    assert.match(await page.locator('#details').innerText(), /SUNNY-10/)
    const form = page.locator('.after-win')
    await form.getByRole('button', { name: 'Send answers' }).click()
    assert.match(await form.locator('.summary').innerText(), /Please fill this in/)
    await form.getByLabel('Why did you play?').fill('For fun')
    // The next win has the form too, with what was typed.
    await page.locator('#action').click()
    await untilState(page, 'turning', 'won')
    await untilState(page, 'won')
    assert.equal(await form.getByLabel('Why did you play?').inputValue(), 'For fun')
    // Meanwhile the form has changed.
    await entry.setUp({
      fields: [...entrySettings.fields, field('why', 'text', 'What brought you?', 'afterWin')],
    })
    await form.getByRole('button', { name: 'Send answers' }).click()
    await form.getByLabel('What brought you?').waitFor()
    assert.equal(await form.getByLabel('What brought you?').inputValue(), 'For fun')
    await check(page)
    await form.getByRole('button', { name: 'Send answers' }).click()
    await form.getByText('Thank you.').waitFor()
    assert.equal((await answersIn(entry)).why, 'For fun')
    await check(page)
  })

  test('claims in the wallet by the same form', async (t) => {
    const { page, entry } = await win(t, { fields })
    const link = await entry.api.call('GET', '/players')
    const { playerId } = link.body.players[0]
    const { body, status, text } = await entry.api.call('POST', `/players/${playerId}/wallet-links`, {})
    assert.equal(status, 200, text)
    const { pathname, search } = new URL(body.link)
    await page.goto(`${suite.server.url}${pathname}${search}`)
    await page.getByRole('button', { name: 'Claim' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Where shall we send it?').fill('1 High Street')
    await check(page)
    await dialog.getByRole('button', { name: 'Claim', exact: true }).click()
    await page.getByText('SUNNY-10').first().waitFor()
    assert.equal((await answersIn(entry)).street, '1 High Street')
  })

  test('takes no for an answer, and is right in a language from right to left with large text', async (t) => {
    const { page, entry } = await win(t, { fields }, { locale: 'ar' })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await page.locator('.after-win form').waitFor()
    await check(page)
    await page.locator('.after-win > .quiet').click()
    assert.equal(await page.locator('.after-win').count(), 0)
    await page.locator('#details .secondary').first().click()
    await page.locator('dialog form').waitFor()
    await check(page)
    assert.deepEqual(await answersIn(entry), { email: 'ann@shop.example', news: false })
  })
})
