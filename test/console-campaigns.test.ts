import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activityLagMs } from '../src/limits.ts'
import { countActivity } from '../src/reports/count-activity.ts'
import { zonedMoment, zonedText } from '../web/console/parts/zoned-time.ts'
import { makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { violations } from './game-scene.ts'
import { alwaysWins, makeManagementApi } from './management-scene.ts'
import { until } from './scene.ts'

describe('campaigns in the console', () => {
  const suite = makeConsoleSuite()

  test('a campaign is created with a wheel, dated in the zone of the wheel, duplicated, archived and restored', async (t) => {
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
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Summer sale' }).waitFor()
    await page.getByText('Publish the wheel first').waitFor()
    const created = await read('summer-sale')
    assert.deepEqual([created.state, created.purse, created.timeZone], ['draft', 'summer-sale', zone])

    assert.equal((await api.call('POST', '/wheels/summer-sale/publication')).status, 200)
    await page.getByLabel('Opens').fill('2031-06-01T09:00')
    await page.getByLabel('Closes').fill('2031-05-01T09:00')
    await page.getByText('It must close after it opens.').waitFor()
    await page.getByLabel('Closes').fill('2031-07-01T09:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Scheduled').waitFor()
    assert.equal((await read('summer-sale')).opensAt, '2031-06-01T12:00:00.000Z')

    await page.getByRole('button', { name: 'Duplicate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Second')
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    assert.deepEqual((await read('second')).opensAt, null)
    await page.getByRole('button', { name: 'Archive' }).click()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await until(async () => (await read('second')).state === 'archived')
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Archived' }).click({ force: true })
    await page.getByRole('link', { name: 'Second' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await until(async () => (await read('second')).archivedAt === null)
  })

  test('campaigns are the first view, with figures, and filter reports and lists', async (t) => {
    const api = await makeManagementApi(suite.server)
    await api.publish(alwaysWins({ stock: 9, cost: 2 }))
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    await api.play('ann')
    await api.call(
      'POST',
      '/grants',
      { playerId: 'ann', spins: 3, campaign: 'summer' },
      { 'Idempotency-Key': 'k' },
    )
    await until(async () => {
      while (await countActivity(suite.server.ctx.db, new Date(Date.now() + 2 * activityLagMs), 1e9));
      return (await api.call('GET', '/campaigns?figures=true')).body.campaigns[0].figures.plays === 1
    })
    const { page, pageErrors } = await openConsole(t, suite, { testMerchant: api, role: 'editor' })
    const main = page.getByRole('row', { name: 'Main' })
    await main.getByText('A mug: 8 of 9').waitFor()
    await main.getByText('Links open this wheel').waitFor()
    await page.getByText('Game links without a campaign open this wheel:').waitFor()
    const cells = await main.getByRole('cell').allTextContents()
    assert.deepEqual(cells.slice(4, 6), ['1', '2'], 'plays and cost')
    assert.match(await page.getByRole('navigation').getByRole('link').first().innerText(), /Campaigns/)
    const views = [
      'campaigns',
      'reports?campaign=summer',
      'plays?campaign=summer',
      'players/ann?campaign=summer',
    ]
    for (const view of views) {
      const path = `/console/m/${api.merchant.slug}/${view}`
      await page.evaluate((address) => history.pushState(null, '', address), path)
      await settled(page)
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1024, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
        assert.ok((await overflow(page)) <= 0, `${view} fits ${width} pixels`)
        assert.deepEqual(
          await violations(page, width === 1024 ? 'everything' : 'colours'),
          [],
          `${view}, ${width}`,
        )
      }
    }
    const ledger = page.getByRole('table', { name: 'Ledger' })
    await ledger.getByText('+3').waitFor()
    assert.equal(await ledger.getByRole('row').count(), 2, 'only the grant to the campaign')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.deepEqual(pageErrors, [])
  })

  test('a viewer sees the list and the calendar, and can change nothing', async (t) => {
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
    assert.ok(await page.getByLabel('Name').isDisabled())
    for (const name of ['Save', 'Pause', 'Duplicate'])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
  })
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
