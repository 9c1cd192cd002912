import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Database } from '../../src/db/database.ts'
import { markFailed } from '../../src/scheduled/scheduled-changes.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { merged } from '../../web/console/parts/edits.ts'
import { zonedMoment, zonedText } from '../../web/console/parts/zoned-time.ts'
import { desktop, makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { descriptionOf, saved, typeKeys } from './typed-fields.ts'

describe('campaigns in the console', () => {
  const suite = makeConsoleSuite()

  test(
    'a campaign is created with a wheel, dated in the zone of the wheel, duplicated, archived and restored',
    onLanding,
    async (t) => {
      const api = await makeManagementApi(suite.server)
      const read = async (slug: string) => (await api.call('GET', `/campaigns/${slug}`)).body
      const zone = 'America/Sao_Paulo'
      const { page } = await openConsole(t, suite, {
        testMerchant: api,
        role: 'editor',
        path: '/campaigns',
        timezoneId: zone,
      })
      await page.getByRole('button', { name: 'New campaign' }).click()
      await page.getByLabel('Name').fill('Summer sale')
      await page.getByRole('button', { name: 'Holiday season' }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).dblclick()
      await page.getByRole('heading', { name: 'Summer sale' }).waitFor()
      await page.getByText('Publish the wheel Summer sale first').waitFor()
      await page.getByRole('heading', { name: 'What players will see' }).waitFor()
      await page.getByRole('tab', { name: 'Settings' }).click()
      assert.equal(await page.getByRole('alert').filter({ hasText: 'campaign with this id' }).count(), 0)
      assert.match(
        await page.getByRole('combobox', { name: 'Wheel', exact: true }).inputValue(),
        /Summer sale/,
      )
      const created = await read('summer-sale')
      assert.deepEqual([created.state, created.purse, created.timeZone], ['draft', 'summer-sale', zone])
      const { draft } = (await api.call('GET', '/wheels/summer-sale')).body
      assert.deepEqual([draft.name, draft.segments[0].id], ['Summer sale', 'sweets'])

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.getByRole('link', { name: 'The campaign is also paused. Resume it as well.' }).click()
      await page.getByRole('button', { name: 'Resume' }).click()
      assert.equal((await api.call('POST', '/wheels/summer-sale/publication')).status, 200)
      await page.getByLabel('Opens').fill('2031-06-01T09:00')
      await page.getByLabel('Closes').fill('2031-05-01T09:00')
      await page.getByText('It must close after it opens.').waitFor()
      await page.getByLabel('Closes').fill('2031-07-01T09:00')
      await page.getByRole('combobox', { name: 'Language', exact: true }).click()
      await page.getByRole('option', { name: 'German' }).click()
      await page.getByLabel('Name in this language').fill('Sommerrad')
      await page.getByLabel('Description').fill('Jeden Tag ein Preis')
      // Neither a pause nor an answer of no to the question loses what is not saved.
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Resume' }).click()
      const asked: string[] = []
      page.on('dialog', (question) => asked.push(question.message()) && void question.dismiss())
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.evaluate(() => history.back())
      const ask = 'Your changes are not saved. Leave without saving?'
      await until(async () => asked.join() === [ask, ask].join())
      await settingsOf(page).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Scheduled', { exact: true }).waitFor()
      const stored = await read('summer-sale')
      assert.equal(stored.opensAt, '2031-06-01T12:00:00.000Z')
      assert.deepEqual(stored.texts, { de: { name: 'Sommerrad', description: 'Jeden Tag ein Preis' } })

      await page.getByLabel('Opens').fill('2020-06-01T09:00')
      assert.match(
        await descriptionOf(page.getByLabel('Opens')),
        /in the past, so the campaign is open already/,
      )
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('so the campaign is open already').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Resume' }).click()
      await typeKeys(page.getByLabel('Spins expire after', { exact: true }), '30')
      await settingsOf(page).getByRole('button', { name: 'Save' }).click()
      await until(async () => (await read('summer-sale')).spinLifetimeDays === 30)

      await page.getByRole('button', { name: 'Duplicate' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Second')
      await dialog.getByRole('button', { name: 'Duplicate' }).click()
      await page.getByRole('heading', { name: 'Second' }).waitFor()
      assert.deepEqual((await read('second')).opensAt, null)
      assert.equal((await read('second')).wheelName, 'Second')
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await dialog.getByLabel('Name').fill('Second')
      await dialog.getByRole('button', { name: 'Duplicate' }).click()
      await page.waitForURL(/second-2$/)
      await page.goBack()
      await page.waitForURL(/second$/)
      await page.getByRole('button', { name: 'Archive' }).click()
      await dialog.getByRole('button', { name: 'Archive' }).click()
      await until(async () => (await read('second')).state === 'archived')
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
      await page.getByRole('switch', { name: 'Archived' }).click({ force: true })
      await page.getByRole('link', { name: 'Second' }).first().click()
      await page.getByRole('button', { name: 'Restore' }).click()
      await until(async () => (await read('second')).archivedAt === null)

      // A name without a place for a line break.
      await api.call('PATCH', '/campaigns/second', { name: 'm'.repeat(80) })
      await page.setViewportSize({ ...desktop, width: 360 })
      await page.reload()
      await page.getByRole('heading', { name: 'mmm' }).waitFor()
      assert.equal(await overflow(page), 0)
      await page.goto(`${suite.server.url}/console/m/${api.merchant.slug}/campaigns`)
      await page.getByRole('link', { name: 'mmm' }).first().waitFor()
      const table = page.getByRole('group', { name: 'Campaigns' })
      assert.equal(await table.evaluate((element) => element.scrollWidth - element.clientWidth), 0)
    },
  )

  test(
    'a wheel is published later, edits are not in it, and a failure is shown; a campaign gets another wheel later',
    onLanding,
    async (t) => {
      const api = await makeManagementApi(suite.server)
      const path = '/wheels/main?tab=schedule'
      const { page } = await openConsole(t, suite, { testMerchant: api, role: 'editor', path })
      const looked = new Set<string>()
      const look = async (name: string) => {
        for (const [width, colorScheme, about] of [
          [390, 'dark', 'colours'],
          [1024, 'dark', undefined],
          [1440, 'light', 'everything'],
        ] as const) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme })
          await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
          const found = about === undefined ? [] : await violations(page, about)
          for (const one of found) looked.add(`${name}, ${width}: ${one}`)
          if ((await overflow(page)) > 0) looked.add(`${name} sticks out at ${width}`)
          if (process.env.SCREENSHOTS !== undefined)
            await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}.png` })
        }
        await page.setViewportSize(desktop)
      }
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('Friday')
      await saved(page)
      await page.getByRole('button', { name: 'Publish…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Later', { exact: true }).click()
      await dialog.getByLabel('Publish at').fill('2020-01-01T18:00')
      await dialog.getByLabel('Publish at').blur()
      await dialog.getByText('Choose a time in the future.').waitFor()
      const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
      await dialog.getByLabel('Publish at').fill(`${day}T18:00`)
      await look('publish-later')
      await dialog.getByRole('button', { name: 'Schedule' }).click()
      await page.getByText(/^Will be published: .*18:00/).waitFor()
      await name.fill('Saturday')
      await page.getByText('One later edit is not in it. If you publish that edit first').waitFor()
      await saved(page)
      await look('scheduled')
      await page.getByRole('button', { name: 'Publish…' }).click()
      await dialog.getByText(/^Another publication is scheduled for .*18:00/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      const { scheduledPublication } = (await api.call('GET', '/wheels/main')).body
      const zone = scheduledPublication.timeZone
      assert.equal(zonedText(scheduledPublication.at, zone), `${day}T18:00`)

      await fail(suite.server.ctx.db, api.merchant.merchantId)
      await page.reload()
      await page.getByText(/^Not published: /).waitFor()
      await page.getByText('has no codes left').waitFor()
      await look('failed')
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('link', { name: /was not published as scheduled/ }).click()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByText(/^Not published: /).waitFor({ state: 'detached' })

      await api.call('PUT', '/wheels/autumn', { ...defaultWheel, name: 'Autumn' })
      await api.call('POST', '/wheels/autumn/publication')
      await page.getByRole('link', { name: 'Campaigns' }).click()
      await page.getByRole('link', { name: 'Main', exact: true }).click()
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByRole('combobox', { name: 'Next wheel' }).click()
      await page.getByRole('option', { name: 'Autumn' }).click()
      await page.getByLabel('Change at').fill(`${day}T18:00`)
      await page.getByRole('button', { name: 'Schedule' }).click()
      await page.getByText(/^Changes to Autumn on /).waitFor()
      await look('campaign')
      await page.getByRole('button', { name: 'Cancel the change' }).click()
      await page.getByText(/^Changes to Autumn on /).waitFor({ state: 'detached' })
      assert.equal((await api.call('GET', '/campaigns/main')).body.scheduledWheel, null)
      await page.getByRole('link', { name: 'Campaigns' }).click()
      await page.getByRole('button', { name: 'New campaign' }).click()
      await page.getByRole('button', { name: 'Holiday season' }).waitFor()
      await look('new-campaign')
      assert.deepEqual([...looked], [])
    },
  )

  test('a viewer sees the list and the calendar, and can change nothing', onLanding, async (t) => {
    const api = await makeManagementApi(suite.server)
    const { page } = await openConsole(t, suite, {
      testMerchant: api,
      role: 'viewer',
      path: '/campaigns?tab=calendar',
    })
    await settled(page)
    await page.getByRole('listitem').getByText('no start').waitFor()
    await page.getByRole('link', { name: 'Main', exact: true }).click()
    await page.getByRole('heading', { name: 'How players get here' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show the QR code' }).count(), 0)
    await page.getByRole('tab', { name: 'Settings' }).click()
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
    assert.equal(await settingsOf(page).getByRole('button', { name: 'Save' }).count(), 0)
    for (const name of ['Pause', 'Duplicate'])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
  })
})

/** Beside them, each person of the staff has alerts to save. */
function settingsOf(page: Page): Locator {
  return page.locator('section[aria-labelledby="campaign-settings"]')
}

/** Notes a failure as the background work does. To fail for real, a pool would have to run empty at the right time. */
async function fail(db: Database, merchantId: number): Promise<void> {
  const key = { merchantId, kind: 'publication', subject: 'main' } as const
  const errors = [{ pointer: '/segments/0/prize/pool', detail: 'has no codes left' }]
  await markFailed(db, key, { errors, now: new Date() })
}

test('edits are put on top of what somebody else has saved, field by field', () => {
  const from = { de: { name: 'A', description: 'B' }, fr: { name: 'C' } }
  const to = { de: { name: 'A2', description: 'B' } }
  const other = { de: { name: 'A', description: 'B2' }, fr: { name: 'C' }, es: { name: 'D' } }
  assert.deepEqual(merged({ from, to }, other), { de: { name: 'A2', description: 'B2' }, es: { name: 'D' } })
  assert.deepEqual(merged({ from: [1], to: [2] }, [3]), [2])
  assert.deepEqual(merged<object | null>({ from: null, to: { a: 1 } }, { b: 1 }), { a: 1 })
})

test('times in a zone: the first of two in autumn, none where the clocks skip it in spring', () => {
  assert.equal(zonedText('2026-03-29T01:00:00.000Z', 'Europe/Berlin'), '2026-03-29T03:00')
  assert.equal(zonedMoment('2026-03-29T02:30', 'Europe/Berlin'), undefined)
  assert.equal(zonedMoment('2026-10-25T02:30', 'Europe/Berlin')?.toISOString(), '2026-10-25T00:30:00.000Z')
  assert.equal(
    zonedMoment('2026-04-05T01:45', 'Australia/Lord_Howe')?.toISOString(),
    '2026-04-04T14:45:00.000Z',
  )
  for (const zone of ['Pacific/Apia', 'America/Sao_Paulo', 'Asia/Kolkata'])
    for (let day = 0; day < 400; day++) {
      const moment = new Date(Date.UTC(2011, 10, 1 + day, 12, 34))
      assert.deepEqual(zonedMoment(zonedText(moment.toISOString(), zone), zone), moment)
    }
})
