// The dialog of publication: what changes for players and for the budget, and what has to be confirmed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { violations } from '../scenes/game-scene.ts'
import { until } from '../scenes/scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'
import { desktop, makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { saved, typeKeys } from './typed-fields.ts'

const suite = makeConsoleSuite()

/** What axe finds on a phone and on a desktop, in light and dark. Every day, each width and each scheme once. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [390, 780],
    [1360, 860],
  ] as const) {
    await page.setViewportSize({ width, height })
    const schemes = runsAll ? (['light', 'dark'] as const) : ([width === 390 ? 'light' : 'dark'] as const)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      if (process.env.SCREENSHOTS !== undefined)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png` })
      assert.deepEqual(await violations(page), [], `${name}, ${width}, ${colorScheme}`)
    }
    assert.equal(await overflow(page), 0, `${name}, ${width}`)
  }
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
}

test(
  'a weight of 1,200 shows its chances and costs before it is published or scheduled, and has to be confirmed',
  onLanding,
  async (t) => {
    const api = await makeManagementApi(suite.server)
    const [first, ...others] = defaultWheel.segments
    assert(first !== undefined)
    const mug = { ...first, label: 'Mug', weight: 12, prize: { kind: 'handover' }, title: 'A mug', cost: 2 }
    await api.call('PUT', '/wheels/main', { ...defaultWheel, segments: [mug, ...others] })
    await api.call('POST', '/wheels/main/publication')
    const { page } = await openConsole(t, suite, { testMerchant: api, role: 'editor', path: '/wheels/main' })
    await settled(page)
    await page.locator('.segment-name', { hasText: 'Mug' }).click()
    await typeKeys(page.getByLabel('Weight'), '1200')
    await saved(page)
    const dialog = page.getByRole('dialog')
    const open = () => page.getByRole('button', { name: 'Publish…' }).click()
    const publish = dialog.getByRole('button', { name: /^Publish version/ })
    await open()
    await until(() => dialog.evaluate((one) => one.contains(document.activeElement)))
    await dialog.getByText(/^Mug is won .* times as often: .* instead of /).waitFor()
    await dialog.getByText(/^A spin costs 1\.88 on average, instead of 0\.26\.$/).waitFor()
    await dialog.getByText(/^Expected cost a day: [\d,.]+, instead of [\d,.]+ now$/).waitFor()
    assert.ok(await publish.isDisabled())
    await look(page, 'publish')
    const confirmed = dialog.getByLabel('I have checked all 3 points.')
    await confirmed.check()
    assert.ok(await publish.isEnabled())

    // The same for a later publication, whose changes can be read until then.
    await dialog.getByText('Later', { exact: true }).click()
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Publish at').fill(`${day}T18:00`)
    await confirmed.setChecked(true)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText(/^Will be published: .*18:00/).waitFor()
    await page.getByRole('button', { name: 'What changes' }).click()
    await dialog.getByText(/^Mug is won .* times as often/).waitFor()
    await dialog.getByText(/^Expected cost a day: /).waitFor()
    await look(page, 'scheduled-changes')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel publication' }).click()

    await open()
    await confirmed.check()
    await publish.click()
    await page.getByText('Version 3 is live', { exact: true }).waitFor()
    // A harmless change is one press.
    await page.getByLabel('Label').fill('Cup')
    await saved(page)
    await open()
    await dialog.getByText('The chances stay the same.').waitFor()
    assert.equal(await dialog.getByRole('checkbox').count(), 0)
    await publish.click()
    await page.getByText('Version 4 is live', { exact: true }).waitFor()

    // The versions say who published them and what changed; the hash is behind a button.
    await page.getByRole('tab', { name: 'Versions' }).click()
    const version = page.getByRole('region', { name: 'Version 3', exact: true })
    await version.getByText(/, by Person \d+$/).waitFor()
    await version.getByRole('button', { name: 'What changed' }).click()
    await version.getByRole('row', { name: 'Mug · Weight 12 1,200' }).waitFor()
    await version.getByRole('button', { name: 'Proof' }).click()
    assert.match((await version.locator('pre').textContent()) ?? '', /^[0-9a-f]{64}$/)
    await look(page, 'versions')
  },
)

test('publishes the draft that the dialog shows, and not one that a colleague has saved since', async (t) => {
  const api = await makeManagementApi(suite.server)
  const [first, ...others] = defaultWheel.segments
  const { page } = await openConsole(t, suite, { testMerchant: api, role: 'editor', path: '/wheels/main' })
  await settled(page)
  await page
    .locator('.segment-name', { hasText: first?.label ?? '' })
    .first()
    .click()
  await page.getByLabel('Label').fill('Cup')
  await saved(page)
  const publish = page.getByRole('dialog').getByRole('button', { name: /^Publish version/ })
  await page.getByRole('button', { name: 'Publish…' }).click()
  const theirs = { ...defaultWheel, segments: [{ ...first, label: 'Car' }, ...others] }
  assert.equal((await api.call('PUT', '/wheels/main', theirs)).status, 200)
  await publish.click()
  const conflict = page.getByRole('dialog', { name: 'This draft was saved elsewhere' })
  await conflict.waitFor()
  const labelNow = async () => {
    const { versions } = (await api.call('GET', '/wheels/main/versions')).body
    const newest = (await api.call('GET', `/wheels/main/versions/${versions[0].version}`)).body
    return [versions.length, newest.document.segments[0].label]
  }
  assert.deepEqual(await labelNow(), [1, first?.label])
  // Whoever keeps this draft saves it again, so that the next publication is of what is shown.
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await saved(page)
  await page.getByRole('button', { name: 'Publish…' }).click()
  await publish.click()
  await page.getByText('Version 2 is live', { exact: true }).waitFor()
  assert.deepEqual(await labelNow(), [2, 'Cup'])
})
