import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { countActivity } from '../../src/reports/count-activity.ts'
import { violations } from '../scenes/game-scene.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { makeConsoleSuite, openConsole, settled } from './console-scene.ts'

describe('prizes that are checked first', () => {
  const suite = makeConsoleSuite()

  test('the editor of a prize sets when it is held', async (t) => {
    const testMerchant = await makeManagementApi(suite.server)
    await testMerchant.publish(alwaysWins({ label: 'Coffee' }))
    const { page } = await openConsole(t, suite, { testMerchant, role: 'editor', path: '/wheels/main' })
    await page.locator('.segment-name', { hasText: 'Coffee' }).click()
    const storedHold = async () => {
      const { body } = await testMerchant.call('GET', '/wheels/main')
      return JSON.stringify(body.draft.segments[0].hold)
    }
    await page.getByLabel('Check before the player gets it').check()
    await until(async () => (await storedHold()) === '{}')
    const conditions = page.getByRole('group', { name: 'Conditions' })
    await conditions.getByLabel('More wins in a day than').fill('3')
    await conditions.getByLabel('Time to check (hours)').fill('24')
    await until(async () => (await storedHold()) === '{"winsPerDay":3,"checkHours":24}')
    assert.deepEqual(await violations(page), [])
    await conditions.getByLabel('More cost in a day than').fill('5')
    await conditions.getByText('needs the cost of the prize').waitFor()
    await page.getByLabel('Check before the player gets it').uncheck()
    await until(async () => (await storedHold()) === undefined)
  })

  test('staff find them from the overview and the campaign, and release or refuse them once', async (t) => {
    const testMerchant = await makeManagementApi(suite.server)
    await testMerchant.publish(alwaysWins({ label: 'Coffee', hold: {} }))
    for (const playerId of ['pia', 'quentin']) await testMerchant.play(playerId)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'editor', path: '/campaigns/main' })
    await page.getByRole('link', { name: '2 prizes wait for a check.' }).waitFor()
    await page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}/overview`)
    await page.getByRole('link', { name: '2 prizes wait for a check.' }).click()
    await rowOf(page, 'pia').getByText('Always checked').waitFor()

    await page.getByRole('button', { name: 'Refuse Coffee for quentin' }).click()
    const dialog = page.getByRole('dialog')
    const refuse = dialog.getByRole('button', { name: 'Refuse' })
    await refuse.waitFor()
    assert.ok(await refuse.isDisabled(), 'without a reason')
    assert.deepEqual(await violations(page), [])
    await dialog.getByLabel('The terms of the promotion were not met').check()
    await refuse.click()
    await rowOf(page, 'quentin').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Release Coffee for pia' }).click()
    await dialog.getByRole('button', { name: 'Release' }).click()
    await rowOf(page, 'pia').waitFor({ state: 'detached' })
    await page.getByText('All', { exact: true }).click()
    await rowOf(page, 'pia').getByText('Open', { exact: true }).waitFor()
    await rowOf(page, 'quentin').getByText('The terms of the promotion were not met').waitFor()
    assert.deepEqual(await violations(page), [])
    const later = () => new Date(Date.now() + 3_600_000)
    await until(async () => !(await countActivity(suite.server.ctx.db, later())))
    await page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}/reports`)
    const counted = page.getByRole('table', { name: 'Prizes' }).getByRole('row').nth(1)
    await counted.waitFor()
    assert.match(await counted.innerText(), /Coffee\s+(Lucky wheel\s+)?2\s+2\s+0\s+2\s+1\s+0/)
  })

  test('people at a till see that a prize is held, and have no button for it', async (t) => {
    const testMerchant = await makeManagementApi(suite.server)
    await testMerchant.publish(alwaysWins({ label: 'Coffee', hold: {} }))
    await testMerchant.play('pia')
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
    await rowOf(page, 'pia').getByText('Held', { exact: true }).waitFor()
    await settled(page)
    assert.equal(await page.getByRole('button', { name: /Coffee for pia/ }).count(), 0)
  })
})

function rowOf(page: Page, playerId: string) {
  return page.getByRole('row').filter({ hasText: playerId })
}
