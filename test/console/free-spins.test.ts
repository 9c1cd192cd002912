// Somebody in marketing sets up free spins: types the rule, reads the calendar, and meets a colleague's change.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { desktop, makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { descriptionOf, typeKeys, typeMoment } from './typed-fields.ts'

/** Decoded once too often, it would be another player's. */
const oddId = '50%/al%69ce'

describe('free spins in the console', onLanding, () => {
  const suite = makeConsoleSuite()

  test('a rule is typed key by key, its calendar follows, and a save elsewhere loses no edit', async (t) => {
    const live = await makeManagementApi(suite.server)
    await live.publish({ ...alwaysWins({}), timeZone: 'Europe/Berlin', openDays: [1, 2, 4, 5, 6, 7] })
    const { token } = (await live.call('POST', '/test-merchant', {})).body
    const call = async (method: string, path: string, body?: object): Promise<any> => {
      const reply = await callApi(
        suite.server,
        token,
        method,
        `/api/v1${path}`,
        body === undefined ? {} : { body },
      )
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const read = async () => (await call('GET', '/campaigns/main')).freeSpins
    // A Thursday. Berlin changes its clocks on Sunday, and Wednesdays are closed.
    await call('PUT', '/test/clock', { now: '2027-03-25T09:00:00Z' })
    const { page, pageErrors } = await openConsole(t, suite, {
      testMerchant: live,
      role: 'editor',
      timezoneId: 'Europe/Berlin',
    })
    await page.goto(`${suite.server.url}/console/m/test-${live.merchant.slug}/campaigns/main?tab=free-spins`)
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }

    await page.getByRole('checkbox', { name: 'Give free spins' }).check()
    await page.getByText('12 free spins in 14 days.').waitFor()
    await page.getByRole('button', { name: 'Add extra spins' }).click()
    await page.getByRole('button', { name: 'Add extra spins' }).click()
    await page.getByRole('button', { name: 'Add extra spins' }).click()
    const rows = page.getByLabel('How many days in a row')
    const extras = page.getByLabel('Extra spins', { exact: true })
    await typeKeys(rows.nth(0), '3')
    await typeKeys(extras.nth(0), '2')
    await typeKeys(rows.nth(1), '3')
    assert.match(await descriptionOf(rows.nth(1)), /Must be more than 3, as in the line above\./)
    assert.ok(await page.getByRole('button', { name: 'Set free spins' }).isDisabled())
    await page.getByText('The calendar is shown once the fields above are right.').waitFor()
    await typeKeys(rows.nth(1), '7')
    await typeKeys(extras.nth(1), '10')
    await page.getByRole('button', { name: 'Remove the extra spins for 21 in a row' }).click()
    await typeKeys(page.getByLabel('Kept for, in days'), '2')
    await choose('Whose days count', 'The player’s time zone')
    await typeMoment(page.getByLabel('No more free spins from'), '04 05 2020 06 30 a')
    await page.getByLabel('Spins each time').focus()
    assert.match(await descriptionOf(page.getByLabel('No more free spins from')), /in the future/)
    await typeMoment(page.getByLabel('No more free spins from'), '04 05 2040 06 30 a')
    assert.match(await descriptionOf(page.getByLabel('No more free spins from')), /within the next 10 years/)
    await typeMoment(page.getByLabel('No more free spins from'), '04 05 2027 06 30 a')
    await typeKeys(page.getByLabel('Spins each time'), '101')
    assert.match(await descriptionOf(page.getByLabel('Spins each time')), /from 1 to 100/)
    assert.ok(await page.getByRole('button', { name: 'Set free spins' }).isDisabled())
    await typeKeys(page.getByLabel('Spins each time'), '3')

    // 25 March to 7 April, without two Wednesdays, up to 5 April: 11 days.
    await page.getByText('45 free spins in 14 days. 12 of them are extra.').waitFor()
    const days = await page
      .getByRole('list', { name: /The next 14 days/ })
      .getByRole('listitem')
      .allInnerTexts()
    const day = (number: number) => days[number]?.replaceAll(/\s+/g, ' ') ?? ''
    assert.match(day(0), /3 spins From 10:0\d until Sat.* 00:00/)
    assert.match(day(2), /5 spins From 00:00 until Mon.* 00:00 \+2 spins for 3 in a row/)
    assert.match(day(3), /Sunday 28 March 3 spins .*Clocks change: 23 hours/)
    assert.match(day(6), /Wednesday 31 March Closed/)
    assert.match(day(7), /13 spins .*\+10 spins for 7 in a row/)
    assert.match(day(11), /3 spins .*Free spins end at 06:30/)
    assert.match(day(12), /No free spins/)
    await look(page, 'calendar')

    // A colleague changes the campaign meanwhile.
    await call('PATCH', '/campaigns/main', { priority: 5 })
    await page.getByRole('button', { name: 'Set free spins' }).click()
    const notice = page.getByText(/saved it on 25 Mar 2027, \d\d:\d\d.*Your edits are still here/)
    await notice.waitFor()
    assert.equal(await read(), null)
    await page.getByRole('button', { name: 'Set free spins' }).click()
    await until(async () => (await read()) !== null)
    assert.deepEqual(await read(), {
      every: 'day',
      amount: 3,
      at: '00:00',
      weekday: 1,
      zone: 'player',
      bank: 2,
      on: 'visit',
      streaks: [
        { length: 3, spins: 2 },
        { length: 7, spins: 10 },
      ],
      endsAt: '2027-04-05T04:30:00.000Z',
    })
    await notice.waitFor({ state: 'hidden' })

    for (const playerId of ['kim', oddId]) {
      const game = (await call('POST', '/links', { playerId })).token
      const opened = await callApi(suite.server, undefined, 'POST', '/api/v1/game/session', {
        body: { token: game },
      })
      assert.equal(opened.body.spinCount, 3, opened.text)
    }
    await page.getByRole('link', { name: 'Free spins and streaks in the reports' }).click()
    const streaks = page.getByRole('region', { name: 'Streaks: Main' })
    await streaks.locator('.recharts-bar-rectangle').first().waitFor()
    await look(page, 'streaks')
    await streaks.getByText('Table').click()
    await streaks.getByRole('cell', { name: '2', exact: true }).waitFor()
    const file = await callApi(suite.server, token, 'GET', '/api/v1/campaigns/main/streaks?format=csv')
    assert.equal(file.text, 'streak,players\r\n1,2\r\n')
    await page.goBack()

    await choose('How often', 'Every week')
    await choose('Each week begins on', 'Friday')
    await typeMoment(page.getByLabel('Each week begins at'), '06 15 a')
    await page.getByRole('combobox', { name: 'A player in' }).fill('new york')
    await page.getByRole('option', { name: 'America/New York' }).click()
    await page.getByRole('button', { name: 'Set free spins' }).click()
    await until(async () => (await read()).weekday === 5)
    assert.deepEqual([(await read()).every, (await read()).at], ['week', '06:15'])
    await choose('How often', 'Every few hours')
    await page.getByLabel('Time between free spins: unit').selectOption('minutes')
    await typeKeys(page.getByLabel('Time between free spins', { exact: true }), '90')
    await page.getByRole('button', { name: 'Set free spins' }).click()
    await until(async () => (await read()).every === 'PT90M')

    await page.goto(`${suite.server.url}/console/m/test-${live.merchant.slug}/players`)
    await page.getByRole('link', { name: oddId }).click()
    await page.getByRole('heading', { name: oddId }).waitFor()
    await page.getByRole('cell', { name: 'Free spins' }).waitFor()
    assert.deepEqual(
      pageErrors.filter((one) => !/status of 412/.test(one)),
      [],
    )
  })
})

/** Nothing sticks out, axe finds nothing, and with SCREENSHOTS there is a picture. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
    ...(process.env.SCREENSHOTS === undefined
      ? []
      : ([
          [390, 'light'],
          [1280, 'dark'],
        ] as const)),
  ] as const) {
    await page.setViewportSize({ ...desktop, width })
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await settled(page)
    assert.equal(await overflow(page), 0, `${name} at ${width}`)
    assert.deepEqual(await violations(page), [], `${name} at ${width}, ${colorScheme}`)
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      })
  }
  await page.setViewportSize(desktop)
}
