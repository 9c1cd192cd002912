import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activityLagMs } from '../../src/limits.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import { makeConsoleSuite, openConsole, overflow, settled } from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('figures of campaigns in the console', onLanding, () => {
  const suite = makeConsoleSuite()

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
    const { body } = await api.call('GET', '/campaigns/main?figures=true')
    assert.deepEqual(
      body.figures,
      (await api.call('GET', '/campaigns?figures=true')).body.campaigns[0].figures,
    )
    await page.getByRole('link', { name: 'Main', exact: true }).click()
    await page.getByRole('region', { name: 'Stock left' }).getByText('8 of 9').waitFor()
    const today = page.getByRole('region', { name: 'Today so far' })
    await today.getByText('Yesterday 0').first().waitFor()
    assert.match(await today.innerText(), /Plays\s+1\s[\s\S]*Cost\s+2\s/)
    await page.frameLocator('iframe').locator('#action').waitFor()
    const views = [
      'campaigns',
      'campaigns/main',
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
    const ledger = page.getByRole('table', { name: 'Spins in and out' })
    await ledger.getByText('+3').waitFor()
    assert.equal(await ledger.getByRole('row').count(), 2, 'only the grant to the campaign')
    await page.getByText('Main 999 · Summer 3', { exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    const give = page.getByRole('button', { name: 'Give spins' })
    await give.click()
    await dialog.getByRole('combobox', { name: 'Campaign' }).click()
    await page.getByRole('option', { name: 'Summer' }).click()
    await dialog.getByText('Spins for: Summer').waitFor()
    await dialog.getByLabel('Reason').fill('a bad day')
    await dialog.getByRole('button', { name: 'Give spins' }).click()
    await page.getByText('Main 999 · Summer 8', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.deepEqual(pageErrors, [])
  })
})
