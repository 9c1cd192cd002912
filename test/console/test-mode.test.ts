// An editor tries something out in test mode and takes it live, with nothing but the console.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { post } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

/** Problems of the view as it is: in both colour schemes, and at three widths. */
async function troubles(page: Page, what: string): Promise<string[]> {
  const found: string[] = []
  for (const [colorScheme, width] of [
    ['dark', 1440],
    ['light', 390],
    ['light', 1024],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    if ((await overflow(page)) > 0) found.push(`${what} sticks out at ${width}`)
    if (width !== 1024)
      found.push(...(await violations(page)).map((one) => `${what}, ${colorScheme}, ${width}: ${one}`))
  }
  return found
}

describe('test mode in the console', onLanding, () => {
  const suite = makeConsoleSuite()

  test('is switched on, shows and sets its clock, sends a sample, promotes a wheel, and starts again', async (t) => {
    const live = await makeManagementApi(suite.server)
    await live.publish(alwaysWins({ stock: 50 }))
    const { page, pageErrors } = await openConsole(t, suite, {
      testMerchant: live,
      role: 'editor',
      path: '/wheels',
    })
    const dialog = page.getByRole('dialog')
    const found: string[] = []
    await page.getByRole('heading', { name: 'Wheels' }).waitFor()
    assert.equal(await page.getByText('its clock says').count(), 0)
    await page.getByText('Test', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Create test merchant' }).click()
    await page.getByText('Test mode · its clock says').waitFor()
    assert.match(page.url(), /\/m\/test-[^/]+\/wheels$/)

    await page.getByRole('button', { name: 'Set the clock…' }).click()
    found.push(...(await troubles(page, 'clock')))
    await dialog.getByRole('button', { name: 'A week later' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { body: opened } = await live.call('GET', '/test-merchant')
    const aheadDays = (Date.parse(opened.now) - Date.now()) / 86_400_000
    assert.ok(aheadDays > 6.9 && aheadDays < 7.1, `${aheadDays} days ahead`)

    const { token } = (await live.call('POST', '/test-merchant', {})).body
    const inTest = (method: string, path: string, body?: unknown) =>
      callApi(suite.server, token, method, `/api/v1/wheels/main${path}`, body === undefined ? {} : { body })
    await inTest('PUT', '', alwaysWins({ stock: 9, label: 'A big mug' }))
    assert.equal((await inTest('POST', '/publication')).status, 200)
    await page.getByRole('link', { name: 'Lucky wheel' }).click()
    await page.getByRole('button', { name: 'Promote to live…' }).click()
    await dialog.getByRole('cell', { name: 'A big mug' }).waitFor()
    await dialog.getByText('Stock of mug stays 50.').waitFor()
    found.push(...(await troubles(page, 'promote')))
    await dialog.getByText('Publish at once').click()
    await dialog.getByRole('button', { name: 'Promote and publish' }).click()
    await page.getByText('Promoted. Version 3 is live.').waitFor()
    assert.equal((await live.play('alice')).label, 'A big mug')

    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Send sample event' }).click()
    await page
      .getByRole('button', { name: /Show prize.won/ })
      .first()
      .waitFor()
    found.push(...(await troubles(page, 'events')))
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Players' }).click()
    await page.getByText('force-out-of-stock-1').waitFor()
    await page.getByRole('button', { name: 'Start again…' }).click()
    await dialog.getByText('The clock shows the real time again.').waitFor()
    found.push(...(await troubles(page, 'reset')))
    await dialog.getByRole('button', { name: 'Start again' }).click()
    await page.getByText('The test merchant begins anew.').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByText('Live', { exact: true }).click()
    await page.getByText('its clock says').waitFor({ state: 'hidden' })
    assert.deepEqual(found, [])
    assert.deepEqual(pageErrors, [])
  })

  test('of several test merchants, the chosen one is shown, in the same view', async (t) => {
    const live = await makeManagementApi(suite.server)
    const { slug } = live.merchant
    for (const query of ['', '?test=ci-1', '?test=ci-2']) {
      const { token } = (await live.call('POST', `/test-merchant${query}`, {})).body
      const body = { playerId: `player-of${query}`, spinNumber: 1 }
      assert.equal((await post(`${suite.server.url}/api/player/increaseSpin`, token, body)).status, 200)
    }
    const who = { testMerchant: live, role: 'viewer' as const, path: '/players' }
    const { page, pageErrors } = await openConsole(t, suite, who)
    const choice = page.getByRole('combobox', { name: 'Which test merchant' })
    await page.getByText('No players yet').first().waitFor()
    assert.equal(await choice.count(), 0, 'not in live mode')
    await page.getByText('Test', { exact: true }).click()
    await page.getByText('player-of', { exact: true }).waitFor()
    for (const name of ['ci-2', 'ci-1']) {
      await choice.click()
      assert.deepEqual((await page.getByRole('option').allInnerTexts()).toSorted(), [
        `test-${slug}`,
        `test-${slug}_ci-1`,
        `test-${slug}_ci-2`,
      ])
      await page.getByRole('option', { name: `test-${slug}_${name}` }).click()
      await page.getByText(`player-of?test=${name}`).waitFor()
      assert.equal(new URL(page.url()).pathname, `/console/m/test-${slug}_${name}/players`)
      assert.equal(await page.getByText(/^player-of/).count(), 1, 'only its own player')
    }
    await page.getByText('Live', { exact: true }).click()
    await choice.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, `/console/m/${slug}/players`)
    assert.deepEqual(pageErrors, [])
  })
})
