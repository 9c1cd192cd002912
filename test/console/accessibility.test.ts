import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  desktop,
  makeConsoleSuite,
  makeTestMerchant,
  openPage,
  overflow,
  settled,
  type TestMerchant,
  openConsole,
} from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, callApi } from '../scenes/management-scene.ts'
import { makeWav } from '../scenes/media.ts'
import { post, until } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'
import { makeStaff, password } from '../scenes/staff-scene.ts'
import { saved } from './typed-fields.ts'

const views = [
  '/overview',
  '/reports',
  '/campaigns',
  '/campaigns?tab=calendar',
  '/campaigns/main',
  '/campaigns/main?tab=settings',
  '/campaigns/main?tab=free-spins',
  '/campaigns/main?tab=visitors',
  '/wheels',
  '/wheels/main',
  '/wheels/main?tab=schedule',
  '/wheels/main?tab=look',
  '/wheels/main?tab=texts',
  '/wheels/main?tab=simulation',
  '/wheels/paced?tab=paces',
  '/wheels/main?tab=versions',
  '/wheels/paced/statements/mug',
  '/players',
  '/players/pia',
  '/players/pia?tab=plays',
  '/players/pia?tab=wins',
  '/players/pia?tab=links',
  '/plays',
  '/prizes',
  '/till',
  '/no-such-view',
  '/codes',
  '/import',
  '/link-lists',
  '/messages',
  '/messages?tab=log',
  '/developers',
  '/developers?tab=events',
  '/developers?tab=events&event=1',
  '/developers?tab=webhooks',
  '/developers?tab=examples',
  '/developers?tab=embed',
  '/developers?tab=docs',
  '/developers?tab=requests',
  '/settings',
  '/settings?tab=staff',
  '/settings?tab=alerts',
  '/settings?tab=activity',
  '/settings?tab=appearance',
]

const phone = 390
const looks = [phone, ...(runsAll ? [1024, 1440] : [desktop.width])].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

describe('the console is accessible', () => {
  const suite = makeConsoleSuite()
  let testMerchant: TestMerchant
  before(async () => {
    testMerchant = await makeTestMerchant(suite)
    const { url } = suite.server
    await post(`${url}/api/player/increaseSpin`, testMerchant.token, { playerId: 'pia', spinNumber: 3 })
    const paced = '/api/v1/wheels/paced'
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const pace = { units: 4, periods: [{ from: inHours(1), until: inHours(2) }] }
    await callApi(suite.server, testMerchant.token, 'PUT', paced, { body: alwaysWins({ pace }) })
    await callApi(suite.server, testMerchant.token, 'POST', `${paced}/publication`)
    await post(`${url}/api/v1/code-pools/sweets/codes`, testMerchant.token, { codes: ['SWEET-1', 'SWEET-2'] })
  })

  test(
    'every view passes axe in light and dark, fits 360 pixels, and loads nothing from other origins',
    onLanding,
    async (t) => {
      const who = { testMerchant, role: 'owner', isOperator: true } as const
      const { page, requests, pageErrors } = await openConsole(t, suite, who)
      const found: string[] = []
      const addresses = views.map((view) => `m/${testMerchant.merchant.slug}${view}`)
      for (const path of [...addresses, 'account', 'merchants']) {
        // Navigates as the menu does. Reloading the console for each view would take as long as the rest of this file.
        await page.evaluate((address) => history.pushState(null, '', address), `/console/${path}`)
        await settled(page)
        let lastWidth = 0
        for (const { width, colorScheme } of looks) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme })
          await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
          // The other mode differs in its colours only.
          const wrong = await violations(page, width === lastWidth ? 'colours' : 'everything')
          lastWidth = width
          found.push(...wrong.map((one) => `${path}, ${width} px, ${colorScheme}: ${one}`))
          await expectFit(path)
        }
        await page.setViewportSize({ width: 360, height: 740 })
        await settled(page)
        await expectFit(path)
      }

      async function expectFit(path: string): Promise<void> {
        // Charts need a moment to resize.
        const fits = until(async () => (await overflow(page)) <= 0)
        await fits.catch(async () => found.push(`${path} sticks out by ${await overflow(page)}`))
      }
      assert.deepEqual(found, [])
      // Visitors have never been let in, so the campaign has no entry yet.
      const isEntry = (one: string) => one.endsWith('/campaigns/main/entry')
      assert.deepEqual(
        pageErrors.filter((one) => !isEntry(one)),
        [],
      )
      const isForeign = (url: string) => !url.startsWith(suite.server.url) && !/^(data|blob):/.test(url)
      assert.deepEqual(requests.filter(isForeign), [])
    },
  )

  test('the tests look at every view that the console has', () => {
    const source = readFileSync(join(import.meta.dirname, '../../web/console/app.tsx'), 'utf8')
    const paths = [...source.matchAll(/path(?:: |=)["'`](?:\/m\/:merchant)?(\/[\w/:-]+)/g)].map(
      ([, path]) => path,
    )
    assert.ok(paths.length > 15)
    const looked = [...views, '/account', '/merchants'].map((path) => path.replace(/\?.*/, ''))
    const isLooked = (path: string) =>
      looked.some((one) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(one))
    assert.deepEqual(
      paths.filter((path) => !isLooked(path ?? '') && !/^\/(?:welcome|m\/:merchant)/.test(path ?? '')),
      [],
    )
  })

  test('the sign-in page passes axe', async (t) => {
    const { page } = await openPage(t, suite)
    await page.goto(`${suite.server.url}/console`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.goto(`${suite.server.url}/console/welcome#${'x'.repeat(43)}`)
    await page.getByText('This link no longer works').waitFor()
    assert.deepEqual(await violations(page), [])
  })

  test('the changelog and the errors pass axe, in the dark too', async (t) => {
    const { page } = await openPage(t, suite, { colorScheme: 'dark' })
    for (const path of ['changelog', 'errors']) {
      await page.goto(`${suite.server.url}/docs/${path}`)
      assert.deepEqual(await violations(page), [], path)
    }
  })

  test('at 360 pixels the menu opens', async (t) => {
    const { page } = await openConsole(t, suite, {
      testMerchant,
      role: 'owner',
      viewport: { width: 360, height: 740 },
    })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'Players' }).click()
    await page.getByRole('heading', { name: 'Players' }).waitFor()
  })

  test(
    'the keyboard is enough to sign in, move a segment, undo, publish and grant spins',
    onLanding,
    async (t) => {
      const own = await makeTestMerchant(suite)
      const person = await makeStaff(suite.server.ctx.db, [[own.merchant, 'editor']])
      const { page } = await openPage(t, suite)
      const { keyboard } = page
      await page.goto(`${suite.server.url}/console/m/${own.merchant.slug}/wheels/main`)
      await page.getByLabel('Email').waitFor()
      await keyboard.type(person.email)
      await keyboard.press('Tab')
      await keyboard.type(password)
      await keyboard.press('Enter')
      await page.locator('.segment').first().waitFor()

      const labels = () => page.locator('.segment-name > span:first-child').allTextContents()
      const [first, second] = await labels()
      await tabTo(page, (name) => name.startsWith('Move 1 spin'))
      await keyboard.press('ArrowDown')
      await until(async () => (await labels())[1] === first)
      assert.equal((await labels())[0], second)
      assert.ok(
        await focusIs(page, (name) => name.startsWith('Move 1 spin')),
        'the focus stays on the moved element',
      )
      await keyboard.press('Control+z')
      await until(async () => (await labels())[0] === first)
      await keyboard.press('ArrowDown')
      await until(async () => (await labels())[1] === first)
      await saved(page)
      await tabTo(page, (name) => name === 'Publish…')
      await keyboard.press('Enter')
      await page.getByRole('dialog').getByText('Order').waitFor()
      await tabTo(page, (name) => name === 'Publish version 2')
      await keyboard.press('Enter')
      await page.getByText('Version 2 is live', { exact: true }).waitFor()

      await tabTo(page, (name) => name === 'Players')
      await keyboard.press('Enter')
      await page.getByText('No players yet').waitFor()
      await tabTo(page, (name) => name === 'Give spins')
      await keyboard.press('Enter')
      await page.getByLabel('Player ID').waitFor()
      await until(() => focusIs(page, (name) => name === 'Player ID'))
      await keyboard.type('kim')
      await tabTo(page, (name) => name === 'Reason')
      await keyboard.type('a bad day')
      assert.equal(await page.getByLabel('Player ID').inputValue(), 'kim')
      assert.equal(await page.getByLabel('Reason').inputValue(), 'a bad day')
      await tabTo(page, (name) => name === 'Give spins')
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'kim' }).waitFor()
    },
  )

  test(
    'the keyboard is enough from the sign-in to a campaign that players can play',
    onLanding,
    async (t) => {
      const own = await makeTestMerchant(suite)
      const person = await makeStaff(suite.server.ctx.db, [[own.merchant, 'editor']])
      const { page } = await openPage(t, suite)
      const { keyboard } = page
      const press = async (isIt: (name: string) => boolean) => {
        await tabTo(page, isIt)
        await keyboard.press('Enter')
      }
      await page.goto(`${suite.server.url}/console`)
      await page.getByLabel('Email').waitFor()
      await keyboard.type(person.email)
      await keyboard.press('Tab')
      await keyboard.type(password)
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()

      await press((name) => name === 'New campaign')
      await page.getByLabel('Name', { exact: true }).waitFor()
      await tabTo(page, (name) => name.startsWith('Name'))
      await keyboard.type('Summer sale')
      await press((name) => name.startsWith('Holiday season'))
      await press((name) => name === 'Create')
      await page.getByRole('heading', { level: 1, name: 'Summer sale' }).waitFor()
      await press((name) => name.startsWith('Players can’t play yet'))
      await page.getByText('Can be published, but check this first').waitFor()
      await press((name) => name === 'Publish…')
      const publish = page.getByRole('button', { name: 'Publish version 1' })
      const accept = page.getByRole('dialog').getByRole('checkbox')
      // The forecast comes first.
      await until(async () => (await accept.count()) > 0 || publish.isEnabled())
      if ((await accept.count()) > 0) {
        await tabTo(page, (name) => name.startsWith('I have checked'))
        await keyboard.press('Space')
      }
      await press((name) => name === 'Publish version 1')
      await page.getByText('Version 1 is live', { exact: true }).waitFor()
      await press((name) => name === 'Summer sale')
      await page.getByRole('heading', { name: 'What players see now' }).waitFor()
      await page.getByText('Open', { exact: true }).waitFor()
    },
  )

  test('a new wheel starts from a template that is ready to publish', onLanding, async (t) => {
    const own = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant: own, role: 'editor', path: '/wheels' })
    await page.getByRole('button', { name: 'New wheel' }).click()
    await page.getByRole('button', { name: 'Café loyalty' }).click()
    const preview = page.frameLocator('iframe')
    await preview.getByText('A treat for our regulars').first().waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Café loyalty' }).waitFor()
    await page.getByText('Ready to publish.').waitFor()
    assert.match(page.url(), /\/wheels\/cafe-loyalty$/)
  })

  test('undo and redo work for typed text, across tabs of the editor too', async (t) => {
    const own = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, {
      testMerchant: own,
      role: 'editor',
      path: '/wheels/main?tab=schedule',
    })
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Another name')
    await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
    await page.getByRole('tab', { name: 'Look' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lucky wheel' }).waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
    assert.ok(page.url().includes('tab=look'), 'the address bar contains the tab')
  })

  test('fonts and own sounds are chosen in the look, and a bad sound is refused with the reason', async (t) => {
    const own = await makeTestMerchant(suite)
    const path = '/wheels/main?tab=look'
    const { page } = await openConsole(t, suite, { testMerchant: own, role: 'editor', path })
    const upload = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Add your own tick sound' }).click()
      await (await chooser).setFiles({ name, mimeType: 'audio/mpeg', buffer })
    }
    const wav = (seconds: number) => Buffer.from(makeWav({ seconds }).split(',')[1] as string, 'base64')
    await upload('tick.mp3', Buffer.from('no sound'))
    await page.getByText('The file is damaged, or not a sound.').waitFor()
    await upload('tick.wav', wav(0.9))
    await page.getByText('It may last 0.5 s.').waitFor()
    await upload('tick.wav', wav(0.2))
    await page.getByRole('button', { name: 'Listen' }).waitFor()
    await page.getByRole('combobox', { name: 'Font' }).click()
    await page.getByRole('option', { name: 'Oswald' }).click()
    await page.frameLocator('iframe').locator('html[data-font="oswald"]').waitFor()
    await page.getByText('Ready to publish.').waitFor()
  })

  test('an invalid draft shows its errors while typing and cannot be published', async (t) => {
    const own = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant: own, role: 'editor', path: '/wheels/main' })
    await page.getByText(/^(Ready to publish|No changes since version \d+)\.$/).waitFor()
    await page.locator('.segment-name', { hasText: '10 spins' }).click()
    await page.getByRole('combobox', { name: 'Prize' }).click()
    await page.getByRole('option', { name: 'Code from a pool' }).click()
    await page.getByText('1 problem to fix before publishing').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = page.getByRole('dialog').getByRole('button', { name: /^Publish version/ })
    await publish.waitFor()
    assert.ok(await publish.isDisabled())
  })
})

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, isIt: (name: string) => boolean): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await focusIs(page, isIt)) return
    await page.keyboard.press('Tab')
  }
  assert.fail('no element with this name can be reached with Tab')
}

async function focusIs(page: Page, isIt: (name: string) => boolean): Promise<boolean> {
  const name = await page.evaluate(() => {
    const focused = document.activeElement as HTMLElement | null
    const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
    const label = isField ? focused.labels?.[0]?.textContent : undefined
    return (focused?.getAttribute('aria-label') ?? label ?? focused?.textContent ?? '').trim()
  })
  return isIt(name)
}
