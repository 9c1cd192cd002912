import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { launchBrowser } from '../scenes/pages.ts'
import { defer, until } from '../scenes/scene.ts'
import {
  type ConsoleSuite,
  makeConsoleSuite,
  makeTestMerchant,
  openConsole,
  overflow,
} from './console-scene.ts'

describe('the till', () => {
  const suite = makeConsoleSuite()

  test('after a redemption the focus is in the field, its text selected, and the prize in a list', async (t) => {
    const { testMerchant, numbers } = await makeWinners(suite, ['pia', 'quentin'])
    const [first, second] = numbers
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await page.getByLabel('Redeem by code or number').waitFor()
    await page.keyboard.type(`${first}\n`)
    await redeem(page, 'pia')
    await untilSelected(page, first)
    // The next scan needs no hand on the screen.
    await page.keyboard.type(`${second}\n`)
    await redeem(page, 'quentin')
    await untilSelected(page, second)
    const lines = page.getByRole('region', { name: 'Settled here' }).getByRole('listitem')
    assert.equal(await lines.count(), 2)
    assert.match(await lines.first().innerText(), new RegExp(`Coffee ${second}[^]*quentin[^]*Redeemed`))

    // A code that was settled before is refused, and other views don't empty the list.
    await page.getByLabel('Redeem by code or number').fill(first)
    await page.keyboard.press('Enter')
    await page.getByText(/Already redeemed/).waitFor()
    // The next scan replaces a code that led to nothing, too.
    await page.keyboard.type('NOTHING\n')
    await page.getByText('No prize has the code or number NOTHING.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Players' }).click()
    await page.getByRole('link', { name: 'Prizes' }).click()
    await lines.nth(1).waitFor()
  })

  test('counter mode shows only the till, fits a phone, passes axe, and can be left', async (t) => {
    const { testMerchant, numbers } = await makeWinners(suite, ['pia'])
    const [number] = numbers
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await page.getByRole('link', { name: 'Counter mode' }).click()
    await page.getByRole('heading', { name: 'Redeem a prize' }).waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.equal(await page.getByRole('link').count(), 0)
    await page.keyboard.type(`${number}\n`)
    await redeem(page, 'pia')
    await untilSelected(page, number)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok((await overflow(page)) <= 0)
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a counter that nobody uses signs out, also without a connection and after a reload', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await page.clock.install()
    await page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}/till`)
    const field = page.getByLabel('Redeem by code or number')
    await field.waitFor()
    await page.clock.fastForward('04:00')
    await field.press('A')
    await page.clock.fastForward('04:40')
    await page.getByText('This till signs out soon.').waitFor()
    await field.press('B')
    await page.clock.fastForward('04:00')
    assert.equal(await field.inputValue(), 'AB', 'each use starts the time anew')
    await page.context().setOffline(true)
    await page.clock.fastForward('01:10')
    await page.getByText('Signing out …').waitFor()
    assert.equal(await field.count(), 0)
    await page.context().setOffline(false)
    await page.clock.fastForward('00:10')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a tablet that was off for too long comes back signed out', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/till' })
    await page.getByLabel('Redeem by code or number').waitFor()
    await page.goto('about:blank')
    await page.clock.install({ time: Date.now() + 6 * 60_000 })
    await page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}/till`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a viewer at the counter learns that the role does not suffice', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'viewer', path: '/till' })
    await page.getByText('You can’t redeem prizes').waitFor()
    assert.equal(await page.getByRole('textbox').count(), 0)
  })

  test('a code in front of the camera is searched as if it was typed', async (t) => {
    const { testMerchant, numbers } = await makeWinners(suite, ['pia'])
    const [number] = numbers
    const browser = await launchBrowser(
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    )
    defer(t, () => browser.close())
    const { page } = await openConsole(
      t,
      { ...suite, browser },
      { testMerchant, role: 'support', path: '/prizes' },
    )
    await addBarcodeDetector(page, number)
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    await page.locator('.found').getByText('Coffee').waitFor()
    assert.equal(await page.getByLabel('Redeem by code or number').inputValue(), number)
    assert.equal(await page.locator('video').count(), 0, 'the camera is closed')
    await redeem(page, 'pia')
    await untilSelected(page, number)
  })

  test('a camera that the browser refuses is explained', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await addBarcodeDetector(page, '')
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    await page.getByText('The camera can’t be used.').waitFor()
  })

  test('a browser that reads no codes offers no camera', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await page.getByLabel('Redeem by code or number').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Scan with the camera' }).count(), 0)
  })
})

/** A merchant whose players each won a coffee, and the numbers that they show at the till. */
async function makeWinners({ server }: ConsoleSuite, players: string[]) {
  const testMerchant = await makeManagementApi(server)
  await testMerchant.publish(alwaysWins({ label: 'Coffee' }))
  const numbers: string[] = []
  for (const playerId of players) {
    await testMerchant.play(playerId)
    const won = await testMerchant.call('GET', `/prizes?playerId=${playerId}`)
    numbers.push(won.body.prizes[0].number)
  }
  return { testMerchant, numbers: numbers as [string, string] }
}

async function redeem(page: Page, playerId: string): Promise<void> {
  await page
    .locator('.found')
    .getByRole('button', { name: `Redeem Coffee for ${playerId}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Redeem', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.found').getByText('Redeemed', { exact: true }).waitFor()
}

/** Waits until the focus is in the field with this text, all of it selected. */
async function untilSelected(page: Page, text: string): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(() =>
    page.evaluate(
      (all) => document.activeElement instanceof HTMLInputElement && String(getSelection()) === all,
      text,
    ),
  )
}

/** Chromium for Linux has no reader of codes. This one sees a code in every picture of the browser's fake camera. */
async function addBarcodeDetector(page: Page, code: string): Promise<void> {
  await page.addInitScript((rawValue) => {
    class BarcodeDetector {
      async detect(video: HTMLVideoElement) {
        return video.videoWidth > 0 && video.srcObject !== null ? [{ rawValue }] : []
      }
    }
    Object.assign(globalThis, { BarcodeDetector })
  }, code)
  await page.reload()
}
