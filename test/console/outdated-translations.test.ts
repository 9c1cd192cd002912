// A template's prize becomes another one: its translations stay marked until somebody has looked at them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { makeConsoleSuite, openConsole, settled } from './console-scene.ts'
import { saved } from './typed-fields.ts'
import { onLanding } from '../scenes/selection.ts'

const suite = makeConsoleSuite()

test(
  'the translations of a changed prize stay outdated through publication and reload, until they are confirmed',
  onLanding,
  async (t) => {
    const api = await makeManagementApi(suite.server)
    const { page } = await openConsole(t, suite, { testMerchant: api, role: 'editor', path: '/wheels' })
    const tab = (name: string) => page.getByRole('tab', { name }).click()
    const outdatedIn = async () =>
      (await api.call('GET', '/wheels/cafe')).body.outdatedTranslations as string[]
    await page.getByRole('button', { name: 'New wheel' }).click()
    await page.getByRole('button', { name: 'Café loyalty' }).click()
    await page.getByLabel('Name').fill('Cafe')
    await page.getByRole('button', { name: 'Create' }).click()
    await settled(page)

    // Another kind of prize, and another label and title.
    const segment = page.locator('.segment-name', { hasText: '200 points' })
    await segment.click()
    const kind = page.getByRole('combobox', { name: 'Prize' })
    await kind.click()
    await page.getByRole('option', { name: 'One code for everyone' }).click()
    const asked = page.getByRole('dialog')
    await asked.getByText('“200 points” also has texts in other languages').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await kind.inputValue(), 'Loyalty points')
    await kind.click()
    await page.getByRole('option', { name: 'One code for everyone' }).click()
    await asked.getByRole('button', { name: 'Keep, marked as outdated' }).click()
    await page.getByLabel('Code', { exact: true }).fill('TEN-OFF')
    await page.getByLabel('Label').fill('10 % off')
    await page.getByLabel('Prize title').fill('10 % off your next coffee')
    await saved(page)
    await page
      .getByText('Translations of “10 % off” are outdated: Arabic, Chinese, French and 7 more.')
      .waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('20 translations are outdated').waitFor()
    const publish = dialog.getByRole('button', { name: 'Publish version 1' })
    assert.ok(await publish.isDisabled())
    await dialog.getByLabel('I have checked').check()
    await publish.click()
    await page.getByText('Version 1 is published', { exact: true }).waitFor()

    // It is still told: after a reload, and in the list of wheels, which leads to the texts.
    await page.reload()
    await page.getByText('Translations of “10 % off” are outdated').waitFor()
    await page.getByRole('link', { name: 'Wheels', exact: true }).click()
    await page
      .getByRole('link', { name: 'Outdated translations: Arabic, Chinese, French and 7 more' })
      .click()
    await page.getByText('20 translations are outdated').waitFor()
    await page.getByRole('combobox', { name: 'Language', exact: true }).click()
    await page.getByRole('option', { name: 'German (' }).click()
    const label = page.getByRole('textbox', { name: 'Label of “10 % off”' })
    assert.equal(await label.inputValue(), '200 Punkte')
    await label.fill('10 % Rabatt')
    await page.getByText('19 translations are outdated').waitFor()
    await page.getByRole('button', { name: 'Prize title of “10 % off”: it still fits' }).click()
    await page.getByText('18 translations are outdated').waitFor()
    await saved(page)
    assert.equal((await outdatedIn()).includes('de'), false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('19 translations are outdated').waitFor()
    await saved(page)
    assert.equal((await outdatedIn()).includes('de'), true)
    await page.getByRole('button', { name: 'Redo' }).click()

    // A language goes, and then all others that nobody has looked at.
    await page.getByRole('combobox', { name: 'Language', exact: true }).click()
    await page.getByRole('option', { name: 'French (' }).click()
    await page.getByRole('button', { name: 'Remove French' }).click()
    await page.getByText('16 translations are outdated').waitFor()
    await page.getByRole('button', { name: 'Remove outdated translations' }).click()
    await page.getByText('translations are outdated').waitFor({ state: 'detached' })
    await saved(page)
    const { draft } = (await api.call('GET', '/wheels/cafe')).body
    const prize = draft.segments.find(({ id }: { id: string }) => id === 'points-200')
    assert.deepEqual(prize.translations, { de: { label: '10 % Rabatt', title: '200 Treuepunkte' } })
    assert.deepEqual([draft.texts.fr, draft.translatedFrom], [undefined, undefined])
    await tab('Segments')
    await page.getByText('Ready to publish.').waitFor()
  },
)
