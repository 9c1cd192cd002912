// Somebody in marketing switches messages on, writes their texts beside how they look, and sees what became of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { statement } from '../../src/db/database.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeTestMailbox, plainText, type TestMailbox } from '../scenes/test-mailbox.ts'
import { desktop, makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { descriptionOf, typeKeys } from './typed-fields.ts'

describe('messages in the console', onLanding, () => {
  let box: TestMailbox
  const suite = makeConsoleSuite(async (t) => {
    box = await makeTestMailbox(t)
    box.answer = (to) => (to.endsWith('@dead.example') ? '550 5.1.1 no such user' : undefined)
    return { SMTP_URL: box.url, MAIL_FROM: 'Wheel <wheel@house.example>' }
  })

  const makeShop = async () => {
    const api = await makeManagementApi(suite.server)
    await api.publish(alwaysWins({ label: 'Free coffee', prize: { kind: 'handover' } }))
    return api
  }
  const type = async (at: Locator, text: string) => {
    await typeKeys(at, text)
    assert.equal(await at.inputValue(), text)
  }
  const settingsOf = async (api: ManagementApi) => (await api.call('GET', '/campaigns/main/messages')).body
  const mailIn = (page: Page) => page.locator('iframe[title="Preview"]').contentFrame()

  test('a campaign switches messages on, with own texts that are typed beside their preview', async (t) => {
    const api = await makeShop()
    const { page, email, pageErrors } = await openConsole(t, suite, {
      testMerchant: api,
      role: 'editor',
      path: '/campaigns/main?tab=messages',
    })
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await mailIn(page).getByText('Congratulations, you have won!').waitFor()
    const picture = mailIn(page).locator('img')
    await until(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth > 100))
    await page.getByText('Empty: the text of all campaigns is used, or ours.').waitFor()
    await page.getByRole('switch', { name: 'Prize won' }).click()
    await type(field('Answers go to'), 'shop@acme.example')

    await type(field('Subject in English'), 'For you: {prise}')
    await field('Text in English').focus()
    assert.match(
      await descriptionOf(field('Subject in English')),
      /knows only {merchant}, {prize}, {lastDay}/,
    )
    await save.click()
    assert.equal((await settingsOf(api)).revision, 0)
    await page.getByText('2 things in the texts are missing or wrong.').waitFor()
    assert.ok(await field('Subject in English').evaluate((input) => input === document.activeElement))
    assert.match(await descriptionOf(field('Text in English')), /must not be empty/i)
    await look(page, 'wrong')
    await type(field('Subject in English'), 'For you: ')
    await page.getByRole('button', { name: '{prize}' }).click()
    assert.equal(await field('Subject in English').inputValue(), 'For you: {prize}')
    await type(field('Text in English'), 'Come <soon>!')
    await mailIn(page).getByText('Come <soon>!').waitFor()
    await page.locator('.mail-head').getByText('For you: A coffee on the house').waitFor()

    // Another kind keeps its own text, and the code of addresses has none.
    await choose(page, 'Message', 'Code for an address')
    await page.getByText('so it has no texts of your own', { exact: false }).waitFor()
    await mailIn(page).getByText('482913 is your code', { exact: false }).waitFor()
    await choose(page, 'Message', 'Spins are waiting')
    assert.equal(await field('Text in English').inputValue(), '')
    await mailIn(page).getByRole('link', { name: 'Unsubscribe' }).waitFor()
    await choose(page, 'Message', 'Prize won')
    await save.click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const { replyTo, kinds } = await settingsOf(api)
    assert.equal(replyTo, 'shop@acme.example')
    assert.deepEqual(kinds.won, {
      isOn: true,
      texts: { en: { subject: 'For you: {prize}', lead: 'Come <soon>!' } },
    })
    assert.deepEqual(kinds.spins_waiting, { isOn: false, texts: {} })

    for (const [way, scheme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
    ] as const) {
      await page.getByText(way, { exact: true }).click()
      await page.locator(`iframe[data-scheme="${scheme}"]`).waitFor()
      const card = mailIn(page).locator('.card')
      const ofCard = () => card.evaluate((one) => getComputedStyle(one).backgroundColor)
      await until(
        async () => (await ofCard()) === (scheme === 'dark' ? 'rgb(34, 37, 45)' : 'rgb(255, 255, 255)'),
      )
    }
    await page.getByText('Text', { exact: true }).click()
    await page.locator('.mail-text').getByText('Come <soon>!').waitFor()
    await look(page, 'campaign')

    // Only to a proven address.
    await page.getByRole('button', { name: 'Send it to me' }).click()
    await page.getByText('Nobody knows whether you read the mailbox', { exact: false }).waitFor()
    const prove = statement('update staff set email_proven_at = now() where email = $1')
    await suite.server.ctx.db.query(prove, [email])
    await page.mouse.move(0, 0)
    await page.getByRole('button', { name: 'Send it to me' }).click()
    await page.getByText(`Sent to ${email}`).waitFor()
    const [mail] = box.mails.filter(({ to }) => to[0] === email)
    assert.match(plainText(mail as TestMailbox['mails'][0]), /Subject: For you: A coffee on the house/)

    // A colleague saves meanwhile: nothing of either is lost.
    await api.call('PUT', '/campaigns/main/messages', { replyTo: 'new@acme.example', kinds })
    await page.mouse.move(0, 0)
    await type(field('Text in English'), 'Come today!')
    await save.click()
    await page.getByText('Not saved: the messages were changed elsewhere').waitFor()
    await save.click()
    await until(async () => (await settingsOf(api)).kinds.won.texts.en.lead === 'Come today!')
    assert.equal((await settingsOf(api)).replyTo, 'new@acme.example')
    assert.deepEqual(
      pageErrors.filter((one) => !/status of (409|412)/.test(one)),
      [],
    )
  })

  test('texts of all campaigns, the log, refused addresses and the stop are on one page', async (t) => {
    const api = await makeShop()
    await api.call('PUT', '/campaigns/main/messages', {
      replyTo: null,
      kinds: { won: { isOn: true, texts: {} } },
    })
    const emails = [`${randomUUID()}@dead.example`, `${randomUUID()}@shop.example`] as const
    for (const [at, playerId] of ['ann', 'bob'].entries()) {
      await api.grant(playerId, 1)
      await api.call('PUT', `/players/${playerId}/contact`, { email: emails[at] })
      await api.play(playerId)
    }
    const states = async () =>
      (await api.call('GET', '/messages')).body.messages.map((one: { state: string }) => one.state)
    await until(async () => (await states()).toSorted().join() === 'refused,sent')
    const options = { testMerchant: api, path: '/messages' } as const
    const { page, pageErrors } = await openConsole(t, suite, { ...options, role: 'editor' })
    const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()

    await choose(page, 'Language', 'German')
    await type(page.getByLabel('Subject in German', { exact: true }), 'Gewonnen: {prize}')
    await type(page.getByLabel('Text in German', { exact: true }), 'Bravo!')
    await mailIn(page).getByText('Bravo!').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'hidden' })
    const { kinds } = (await api.call('GET', '/messages/texts')).body
    assert.deepEqual(kinds.won, { de: { subject: 'Gewonnen: {prize}', lead: 'Bravo!' } })
    await look(page, 'texts')

    await tab('Log')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('ann').getByText('The mailbox does not exist. (550 5.1.1)').waitFor()
    await row('bob').getByText('Sent', { exact: true }).waitFor()
    await choose(page, 'Result', 'Refused')
    await row('bob').waitFor({ state: 'detached' })
    assert.match(page.url(), /state=refused/)
    assert.equal(await page.getByText('@dead.example').count(), 0)
    await look(page, 'log')

    await tab('Refused addresses')
    await row(emails[0]).waitFor()
    await look(page, 'dead')
    await page.getByRole('button', { name: `Mail again: ${emails[0]}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mail again' }).click()
    await page.getByText('No address refuses mail').waitFor()

    await page.getByRole('button', { name: 'Stop all messages' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all messages' }).click()
    await page.getByRole('button', { name: 'Send messages again' }).waitFor()
    assert.notEqual((await api.call('GET', '/messages/stop')).body.stoppedAt, null)
    await look(page, 'stopped')
    const viewer = await openConsole(t, suite, { ...options, role: 'viewer' })
    await viewer.page.getByText('All messages are stopped').waitFor()
    await settled(viewer.page)
    assert.ok(await viewer.page.getByLabel('Subject in German', { exact: true }).isDisabled())
    for (const name of ['Send messages again', 'Send it to me', '{prize}'])
      assert.equal(await viewer.page.getByRole('button', { name }).count(), 0, name)
    assert.deepEqual(await viewer.page.getByRole('tab').allInnerTexts(), ['Texts', 'Log'])
    await page.getByRole('button', { name: 'Send messages again' }).click()
    await page.getByRole('button', { name: 'Stop all messages' }).waitFor()
    assert.equal((await api.call('GET', '/messages/stop')).body.stoppedAt, null)
    assert.deepEqual([...pageErrors, ...viewer.pageErrors], [])
  })
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Nothing sticks out, axe finds nothing, and with SCREENSHOTS there is a picture. */
async function look(page: Page, name: string): Promise<void> {
  // A notification under the mouse stays.
  await page.mouse.move(0, 0)
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1360, 'light'],
  ] as const) {
    await page.setViewportSize({ ...desktop, width })
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await settled(page)
    if (process.env.SCREENSHOTS !== undefined) {
      // A frame that nobody has seen yet is not drawn.
      for (const frame of await page.locator('iframe').all()) await frame.scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}.png`, fullPage: true })
    }
    assert.equal(await overflow(page), 0, `${name} at ${width}`)
    assert.deepEqual(await violations(page), [], `${name} at ${width}, ${colorScheme}`)
  }
  await page.setViewportSize(desktop)
}
