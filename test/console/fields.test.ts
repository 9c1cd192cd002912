// Types into every number, date and time field of the console key by key, and reads the values back through the API.
// What depends on the locale is typed in two; with TESTS=all, everything is.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { WheelDocument, WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { makeConsoleSuite, settled, openConsole } from './console-scene.ts'
import { type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { repository, until } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'
import { descriptionOf, saved, typeKeys, typeMoment } from './typed-fields.ts'

/** Date and time fields are one component: every day it is typed into in one place. */
const notOften = /complete: schedule|a day of a report|opening hours/

const consoleFolder = join(repository, 'web', 'console')

for (const locale of ['en-US', 'de-DE']) {
  describe(`with the locale ${locale}`, onLanding, () => {
    const suite = makeConsoleSuite()
    const comma = locale === 'de-DE'
    /** For what does not depend on the locale: once is enough. Chromium orders the parts of a date by its language. */
    const anywhere = (name: string, work: (t: TestContext) => Promise<void>) =>
      void ((comma || notOften.test(name)) && !runsAll ? undefined : test(name, work))

    /** The tests share a page, since opening one takes as long as typing fifty keys. The browser closes it. */
    let editor: ReturnType<typeof openNewEditor> | undefined
    async function openNewEditor() {
      const api = await makeManagementApi(suite.server)
      // Times are those of the wheel, wherever the person is.
      await api.call('PUT', '/wheels/main', { ...(await draftOf(api)), timeZone: 'Europe/Berlin' })
      const options = { testMerchant: api, role: 'owner', locale, timezoneId: 'America/New_York' } as const
      const { page } = await openConsole({ after: () => undefined }, suite, options)
      return { api, page }
    }

    /** The editor, at the given tab. */
    async function openEditor(tab: string) {
      const { api, page } = await (editor ??= openNewEditor())
      const address = `/console/m/${api.merchant.slug}/wheels/main?tab=${tab}`
      await page.evaluate((to) => history.pushState(null, '', to), address)
      await page.getByRole('tab', { selected: true, name: tab }).waitFor()
      await settled(page)
      return { api, page }
    }

    async function openPrize() {
      const opened = await openEditor('segments')
      const name = opened.page.locator('.segment-name', { hasText: '10 spins' })
      if ((await name.getAttribute('aria-expanded')) === 'false') await name.click()
      return { ...opened, prize: () => storedPrize(opened.api) }
    }

    test('the cost of a prize is stored as it is typed, pasted, deleted and cleared', async () => {
      const { page, prize } = await openPrize()
      const cost = page.getByLabel('Cost per prize')
      const storedAs: [typed: string, stored: number][] = [
        ['3.20', 3.2],
        ['12,50', 12.5],
        ['0.99', 0.99],
        ['1 234,56', 1234.56],
        [comma ? '1.500' : '1,500', 1500],
      ]
      for (const [typed, stored] of storedAs) {
        await typeKeys(cost, typed)
        assert.equal(await cost.inputValue(), typed, 'the text stays as typed')
        await saved(page)
        assert.equal((await prize()).cost, stored, typed)
        await cost.press('Tab')
        assert.equal(await cost.inputValue(), shown(stored, locale), 'the parsed number, formatted')
      }
      await typeKeys(cost, '18,75')
      await cost.press('Backspace')
      await saved(page)
      assert.equal((await prize()).cost, 18.7)
      await paste(cost, '1.50')
      await saved(page)
      assert.equal((await prize()).cost, 1.5)
      await typeKeys(cost, '')
      await saved(page)
      assert.equal((await prize()).cost, undefined)
    })

    anywhere('a save in the middle of typing does not change the typed text', async () => {
      const { page, prize } = await openPrize()
      const cost = page.getByLabel('Cost per prize')
      await typeKeys(cost, '')
      for (const [index, key] of ['3', '0', ',', '0', '5'].entries()) {
        await cost.press(key)
        await saved(page)
        assert.equal(await cost.inputValue(), '30,05'.slice(0, index + 1))
      }
      assert.equal((await prize()).cost, 30.05)
    })

    test('an invalid number shows an error beside the field and is neither stored nor reported as saved', async () => {
      const { page, prize } = await openPrize()
      const cost = page.getByLabel('Cost per prize')
      const weight = page.getByLabel('Weight')
      await typeKeys(cost, '4.20')
      await cost.press('Tab')
      await saved(page)
      const refused: [Locator, typed: string, message: RegExp][] = [
        [cost, '4.20x', /Enter an amount/],
        [cost, '4.2055', /at most 2 decimal places/],
        [cost, '-1', /from 0 to/],
        [cost, comma ? '1,500' : '1.500', /at most 2 decimal places/],
        [cost, '99999999999', /from 0 to/],
        [weight, '', /Enter a whole number/],
        [weight, '2.5', /whole number/],
        [weight, '1e3', /Enter a whole number/],
        [weight, '9999999999', /from 0 to/],
      ]
      const before = await prize()
      // Only one of them depends on the locale.
      const isWanted =
        runsAll || !comma ? () => true : ([, text]: [Locator, string, RegExp]) => text === '1,500'
      for (const [field, typed, message] of refused.filter(isWanted)) {
        await (typed.startsWith('99') ? typeKeys(field, typed) : paste(field, typed))
        await page.getByText('Saved, except the field in red').waitFor()
        assert.match(await descriptionOf(field), message)
        await field.press('Tab')
        assert.equal(await field.inputValue(), typed, 'the text stays, so that the person can correct it')
        await page.getByRole('button', { name: 'Publish…' }).click()
        assert.ok(await field.evaluate((input) => input === document.activeElement))
        assert.equal(await page.getByRole('dialog').count(), 0)
        assert.deepEqual(await prize(), before)
      }
      await typeKeys(weight, '44')
      await until(async () => (await prize()).weight === 44)
      // The cost is still invalid.
      await page.getByText('Saved, except the field in red').waitFor()
      await typeKeys(cost, '4.20')
      await saved(page)
    })

    anywhere('every number of a prize is stored as it is typed', async () => {
      const { page, prize } = await openPrize()
      const storedAs: [label: string, typed: string, read: (one: WheelSegment) => unknown, stored: number][] =
        [
          ['Weight', '120', (one) => one.weight, 120],
          ['Spins', '15', (one) => one.prize.spins, 15],
          ['Total stock', '2000', (one) => one.stock, 2000],
          ['Stock per day', '40', (one) => one.stockPerDay, 40],
          ['Limit per player', '3', (one) => one.limitPerPlayer, 3],
          ['Time to claim', '36', (one) => one.claimWithinSeconds, 36 * 86_400],
        ]
      for (const [label, typed, read, stored] of storedAs) {
        await typeKeys(page.getByLabel(label, { exact: true }), typed)
        await saved(page)
        assert.equal(read(await prize()), stored, label)
      }
      await page.getByLabel('Time to claim: unit').selectOption('hours')
      await saved(page)
      assert.equal((await prize()).claimWithinSeconds, 36 * 3600)
      await typeKeys(page.getByLabel('Time to claim', { exact: true }), '48')
      await saved(page)
      assert.equal(await page.getByLabel('Time to claim: unit').inputValue(), 'hours')
      assert.equal((await prize()).claimWithinSeconds, 48 * 3600)
      for (const label of ['Total stock', 'Stock per day', 'Limit per player', 'Time to claim'])
        await typeKeys(page.getByLabel(label, { exact: true }), '')
      await saved(page)
      const { stock, stockPerDay, limitPerPlayer, claimWithinSeconds } = await prize()
      assert.deepEqual([stock, stockPerDay, limitPerPlayer, claimWithinSeconds], Array(4).fill(undefined))
      await page.keyboard.press('Control+z')
      await until(async () => (await page.getByLabel('Time to claim', { exact: true }).inputValue()) === '48')
    })

    anywhere('text typed just before another view is opened is stored', async () => {
      const { page, prize } = await openPrize()
      await typeKeys(page.getByLabel('Cost per prize'), '8.15')
      await page.getByRole('link', { name: 'Prizes' }).click()
      await until(async () => (await prize()).cost === 8.15)
    })

    for (const [tab, fields] of [
      [
        'segments',
        [
          ['Winnable from', 'winnableFrom'],
          ['Winnable until', 'winnableUntil'],
        ],
      ],
      [
        'schedule',
        [
          ['Opens', 'opensAt'],
          ['Closes', 'closesAt'],
        ],
      ],
    ] as const) {
      anywhere(`a date and time is stored only when it is complete: ${tab}`, async () => {
        const { api, page } = tab === 'segments' ? await openPrize() : await openEditor(tab)
        for (const [index, [label, field]] of fields.entries()) {
          const stored = async () => {
            const holder = tab === 'segments' ? await storedPrize(api) : await draftOf(api)
            return (holder as Record<string, unknown>)[field]
          }
          // The second field is the same component.
          const type = index === 0 || runsAll ? typeMoments : typeWholeMoment
          await type(page, page.getByLabel(label, { exact: true }), stored)
        }
      })
    }

    anywhere('a day of a report is applied when it is complete, and From must not be after To', async () => {
      const { api, page } = await (editor ??= openNewEditor())
      const address = `/console/m/${api.merchant.slug}/reports?from=2026-03-05&to=2026-10-20`
      await page.evaluate((to) => history.pushState(null, '', to), address)
      const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })]
      const days = () => new URL(page.url()).search
      await typeMoment(from, '11 01 2026')
      assert.equal(await from.inputValue(), '2026-11-01')
      assert.match(await descriptionOf(from), /From must not be after To/)
      assert.equal(days(), '?from=2026-03-05&to=2026-10-20')
      await typeMoment(to, '10 05 20')
      assert.equal(await to.inputValue(), '0020-10-05')
      await to.blur()
      assert.match(await descriptionOf(to), /four-digit year/)
      assert.equal(days(), '?from=2026-03-05&to=2026-10-20')
      await typeMoment(to, '11 05 2026')
      assert.equal(days(), '?from=2026-11-01&to=2026-11-05')
      await typeMoment(from, '10 09 2025')
      assert.equal(days(), '?from=2025-10-09&to=2026-11-05')
    })

    anywhere('opening hours are stored as they are typed, and an incomplete time is not stored', async () => {
      const { api, page } = await openEditor('schedule')
      await page.getByRole('switch', { name: 'Only at certain times' }).click()
      for (const [label, field, typed, stored] of [
        ['From', 'from', '11 45 AM', '11:45'],
        ['To', 'to', '10 15 PM', '22:15'],
      ] as const) {
        const clock = page.getByLabel(label, { exact: true })
        await typeMoment(clock, typed)
        await saved(page)
        assert.equal((await draftOf(api)).openHours?.[field], stored)
        await typeMoment(clock, '')
        await page.keyboard.press('Backspace')
        await page.getByText('Saved, except the field in red').waitFor()
        await clock.blur()
        assert.match(await descriptionOf(clock), /Enter hours and minutes/)
        assert.equal((await draftOf(api)).openHours?.[field], stored)
        await typeMoment(clock, typed)
        await saved(page)
      }
    })

    anywhere(
      'a colour is stored when it is complete, and an incomplete one stays on the screen',
      async () => {
        const { api, page } = await openEditor('look')
        const colour = page.getByLabel('Background', { exact: true })
        const advice = page.getByRole('status').getByText('Text on the background has a contrast of')
        assert.equal(await advice.count(), 0)
        await typeKeys(colour, '#aabb')
        await colour.press('Tab')
        assert.equal(await colour.inputValue(), '#aabb')
        await page.getByText('Saved, except the field in red').waitFor()
        await typeKeys(colour, '#aabbcc')
        await saved(page)
        assert.equal((await draftOf(api)).look?.background, '#aabbcc')
        await advice.waitFor()
      },
    )

    test('the simulation runs the number of plays that is typed', async () => {
      const { page } = await openEditor('simulation')
      const asked = page.waitForRequest(
        (request) => request.postData()?.includes('"playsPerDay":2500}') ?? false,
      )
      await typeKeys(page.getByLabel('Plays per day'), comma ? '2.500' : '2,500')
      await asked
    })

    anywhere('settings are stored as they are typed, and are not sent while one is invalid', async (t) => {
      const api = await makeManagementApi(suite.server)
      const { page } = await openConsole(t, suite, {
        testMerchant: api,
        role: 'owner',
        path: '/settings',
        locale,
      })
      const merchant = async () => (await api.call('GET', '/merchant')).body
      const save = page.getByRole('button', { name: 'Save' })
      await typeKeys(page.getByLabel('Maximum spins per call'), '750')
      await typeKeys(page.getByLabel('Maximum spins per player per day'), '12000')
      await page.getByLabel('Game links expire after: unit').selectOption('minutes')
      const life = page.getByLabel('Game links expire after', { exact: true })
      await typeKeys(life, '4')
      await save.click()
      assert.match(await descriptionOf(life), /from 5 to/)
      assert.notEqual((await merchant()).grantMax, 750)
      await typeKeys(life, '45')
      await save.click()
      await page.getByText('Saved.').waitFor()
      const { grantMax, dailyGrantMax, linkLifetimeSeconds } = await merchant()
      assert.deepEqual([grantMax, dailyGrantMax, linkLifetimeSeconds], [750, 12_000, 45 * 60])
      await typeKeys(page.getByLabel('Maximum spins per player per day'), '')
      await save.click()
      await until(async () => (await merchant()).dailyGrantMax === null)
    })

    anywhere('a setting that is typed during a save stays, and can be saved next', async (t) => {
      const api = await makeManagementApi(suite.server)
      const { page } = await openConsole(t, suite, {
        testMerchant: api,
        role: 'owner',
        path: '/settings',
        locale,
      })
      const merchant = async () => (await api.call('GET', '/merchant')).body
      const save = page.getByRole('button', { name: 'Save' })
      const release = Promise.withResolvers<void>()
      await page.route('**/api/v1/merchant', async (route) => {
        if (route.request().method() === 'PATCH') await release.promise
        await route.continue()
      })
      await typeKeys(page.getByLabel('Maximum spins per call'), '750')
      await save.click()
      await typeKeys(page.getByLabel('Maximum spins per player per day'), '12000')
      release.resolve()
      await page.getByText('Saved.').waitFor()
      assert.equal((await merchant()).dailyGrantMax, null)
      await save.click()
      await until(async () => (await merchant()).dailyGrantMax === 12_000)
      assert.equal((await merchant()).grantMax, 750)
    })

    anywhere('spins are given and corrected by the number that is typed', async (t) => {
      const api = await makeManagementApi(suite.server)
      const { page } = await openConsole(t, suite, {
        testMerchant: api,
        role: 'owner',
        path: '/players',
        locale,
      })
      const spinCount = async () => (await api.call('GET', '/players/kim')).body.spinCount
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Give spins' }).first().click()
      await dialog.getByLabel('Player ID').fill('kim')
      await typeKeys(dialog.getByLabel('Spins'), '1.5')
      await dialog.getByRole('button', { name: 'Give spins' }).click()
      assert.match(await descriptionOf(dialog.getByLabel('Spins')), /whole number/)
      await typeKeys(dialog.getByLabel('Spins'), '20')
      await dialog.getByLabel('Expires').fill('2020-01-02T12:00')
      await dialog.getByLabel('Reason').fill('  ')
      await dialog.getByRole('button', { name: 'Give spins' }).click()
      assert.match(await descriptionOf(dialog.getByLabel('Expires')), /Choose a time in the future/)
      assert.match(await descriptionOf(dialog.getByLabel('Reason')), /Enter a reason/)
      await dialog.getByLabel('Expires').fill('2035-01-02T12:00')
      await dialog.getByLabel('Reason').fill('typed')
      await dialog.getByRole('button', { name: 'Give spins' }).click()
      await page.getByRole('heading', { name: 'kim' }).waitFor()
      const { spinCount: given, lots } = (await api.call('GET', '/players/kim')).body
      assert.deepEqual([given, lots[0].expiresAt.slice(0, 7)], [20, '2035-01'])
      await page.getByRole('button', { name: 'Give spins' }).click()
      await typeKeys(dialog.getByLabel('Spins'), '12')
      await dialog.getByLabel('Reason').fill('typed')
      await dialog.getByRole('button', { name: 'Give spins' }).click()
      await until(async () => (await spinCount()) === 32)
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Correct balance' }).click()
      await typeKeys(dialog.getByLabel('Spins to add or remove'), '-10')
      await dialog.getByText('22').waitFor()
      await dialog.getByLabel('Reason').fill('typed')
      await dialog.getByRole('button', { name: 'Correct balance' }).click()
      await until(async () => (await spinCount()) === 22)
    })
  })
}

test('the console uses only its own number, date and time fields', () => {
  const own = ['parts/number-field.tsx', 'parts/time-fields.tsx']
  const foreign = globSync('**/*.tsx', { cwd: consoleFolder, exclude: ['dist'] })
    .filter((file) => !own.includes(file))
    .filter((file) =>
      /\bNumberInput\b|type="(?:date|time|month|week|datetime-local)"|@mantine\/dates|<(?:Text)?[iI]nput[^>]*type="number"/.test(
        readFileSync(join(consoleFolder, file), 'utf8'),
      ),
    )
  assert.deepEqual(foreign, [])
})

async function draftOf(api: ManagementApi): Promise<WheelDocument> {
  return (await api.call('GET', '/wheels/main')).body.draft
}

async function storedPrize(api: ManagementApi): Promise<WheelSegment> {
  return (await draftOf(api)).segments.find(({ label }) => label === '10 spins') as WheelSegment
}

/** Types a date and time in every way: complete, with another year, with a part deleted, cleared, incomplete. */
async function typeMoments(page: Page, moment: Locator, stored: () => Promise<unknown>): Promise<void> {
  const unfinished = page.getByText('Saved, except the field in red')
  await typeWholeMoment(page, moment, stored)
  // While another year is typed, the year 2 is not meant.
  await typeMoment(moment, '12 24 2')
  await unfinished.waitFor()
  assert.equal(await stored(), '2031-12-24T17:30:00.000Z')
  for (const key of ['0', '3', '5']) await page.keyboard.press(key)
  await saved(page)
  assert.equal(await stored(), '2035-12-24T17:30:00.000Z')
  await typeMoment(moment, '')
  await page.keyboard.press('Backspace')
  await unfinished.waitFor()
  await moment.blur()
  assert.match(await descriptionOf(moment), /Enter a full date and time/)
  assert.equal(await stored(), '2035-12-24T17:30:00.000Z')
  // This time does not exist: the change to summer time skips it.
  await typeMoment(moment, '03 25 2035 02 30 AM')
  await moment.blur()
  assert.match(await descriptionOf(moment), /skip this time/)
  await moment.fill('')
  await saved(page)
  assert.equal(await stored(), undefined)
  await typeMoment(moment, '01')
  await moment.blur()
  assert.match(await descriptionOf(moment), /Enter a full date and time/)
  await unfinished.waitFor()
  await moment.fill('2031-12-24T18:30')
  await saved(page)
}

async function typeWholeMoment(page: Page, moment: Locator, stored: () => Promise<unknown>): Promise<void> {
  await typeMoment(moment, '12 24 2031 06 30 PM')
  await saved(page)
  assert.equal(await stored(), '2031-12-24T17:30:00.000Z')
}

async function paste(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.press('Control+a')
  if (text === '') await field.press('Delete')
  else await field.page().keyboard.insertText(text)
}

function shown(value: number, locale: string): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2
  return new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits }).format(value)
}
