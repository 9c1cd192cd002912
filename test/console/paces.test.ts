// Paced prizes in the console: their fields, their progress, what a change means, and the printed statement.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import type { WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { makeConsoleSuite, openConsole, settled } from './console-scene.ts'
import { alwaysWins, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { descriptionOf, saved, typeKeys, typeMoment } from './typed-fields.ts'
import { onLanding } from '../scenes/selection.ts'

const hour = 3_600_000
const start = Date.now()
const at = (ms: number) => new Date(start + ms).toISOString()
let now = start

describe('paced prizes in the console', onLanding, () => {
  const suite = makeConsoleSuite(undefined, () => new Date(now))
  const owner = (api: ManagementApi, path: string) =>
    ({ testMerchant: api, role: 'owner', path, locale: 'en-US' }) as const

  test('units, days and hours of a pace are stored as they are typed', async (t) => {
    const api = await makeManagementApi(suite.server)
    const { page } = await openConsole(t, suite, owner(api, '/wheels/main?tab=segments'))
    await settled(page)
    await page.locator('.segment-name', { hasText: '10 spins' }).click()
    await page.getByRole('switch', { name: 'Release over time' }).click()
    await typeKeys(page.getByRole('textbox', { name: 'Units' }), '25')
    await page.getByRole('group', { name: 'Only on these days' }).getByLabel('Sun').uncheck()
    await page.getByRole('switch', { name: 'Only at certain hours' }).click()
    await typeMoment(page.getByLabel('Hours from'), '11 45 AM')
    await typeMoment(page.getByLabel('Hours to'), '10 15 PM')
    await saved(page)
    const stored = async () => {
      const { draft }: { draft: WheelDocument } = (await api.call('GET', '/wheels/main')).body
      const { periods, ...pace } = draft.segments.find(({ id }) => id === 'ten-spins')?.pace ?? {}
      return { ...pace, periods: periods?.length }
    }
    const pace = { units: 25, days: [1, 2, 3, 4, 5, 6], hours: { from: '11:45', to: '22:15' }, periods: 1 }
    assert.deepEqual(await stored(), pace)
    await typeMoment(page.getByLabel('Hours to'), '10 15 AM')
    await saved(page)
    await page.getByText('must be later than the beginning').first().waitFor()
    assert.match(await descriptionOf(page.getByLabel('Hours to')), /later/)
    await page.getByRole('switch', { name: 'Only at certain hours' }).click()
    await page.getByRole('group', { name: 'Only on these days' }).getByLabel('Sun').check()
    await saved(page)
    assert.deepEqual(await stored(), { units: 25, periods: 1 }, 'all days and hours are no limit')
    await typeKeys(page.getByRole('textbox', { name: 'Units' }), '900')
    await saved(page)
    await page.getByRole('tab', { name: 'Simulation' }).click()
    await typeKeys(page.getByLabel('Plays per day'), '20')
    await page.getByText(/^10 spins: about \d+ of 900 units are left/).waitFor()
  })

  test('the progress of a run, what a change ends, and the statement on one page', async (t) => {
    const api = await makeManagementApi(suite.server)
    const pace = { units: 4, periods: [{ from: at(hour), until: at(2 * hour) }] }
    await api.publish(alwaysWins({ pace }))
    now = start + 2 * hour - 2
    const won = await api.play('pia')
    for (const player of ['paul', 'pam']) await api.play(player)
    const cancelled = await api.call('PUT', `/prizes/${won.playId}/cancellation`, { returnStock: true })
    assert.equal(cancelled.status, 200, cancelled.text)
    now += 1
    const later = { units: 9, periods: [{ from: at(3 * hour), until: at(4 * hour) }] }
    await api.call('PUT', '/wheels/main', alwaysWins({ pace: later }))

    const { page, pageErrors } = await openConsole(t, suite, owner(api, '/wheels/main?tab=paces'))
    const run = page.getByRole('region', { name: 'A mug' })
    await run.getByText('A mug, run 1').waitFor()
    const figure = (label: string) => run.getByText(label, { exact: true }).locator('+ *')
    // The run lasts for another millisecond. What was given today is not shown, nor what is released.
    await run.getByText(/^Counted by whole days/).waitFor()
    assert.deepEqual([await figure('Given').textContent(), await figure('Released').count()], ['0', 0])
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText(/^The run of A mug ends when you publish/).waitFor()
    await page.keyboard.press('Escape')
    const home = `/console/m/${api.merchant.slug}/campaigns/main`
    await page.evaluate((address) => history.pushState(null, '', address), home)
    await page.getByRole('region', { name: 'Stock left' }).getByText('4 of 4').waitFor()
    assert.equal(await page.getByText('A mug has run out').count(), 0)
    await page.goBack()

    now = start + 2 * hour + 60_000
    await sealAll(suite.server.ctx.db, { now: new Date(now) })
    await page.reload()
    await figure('Released').waitFor()
    for (const [label, count] of Object.entries({ Units: 4, Released: 4, Given: 3, Returned: 1, Left: 2 }))
      assert.equal(await figure(label).textContent(), String(count), label)
    const lines = await run
      .getByRole('img', { name: 'Released and given over time' })
      .evaluate((drawing) =>
        [...drawing.querySelectorAll('polyline')].map((line) => line.getAttribute('points')?.split(' ')),
      )
    assert.equal(lines.length, 2)
    assert.deepEqual(
      [lines[0]?.at(-1), lines[1]?.at(-1)],
      ['600.0,0.0', '600.0,80.0'],
      'four and two of four',
    )
    await run.getByRole('link', { name: 'Statement' }).click()
    await page.getByRole('heading', { name: 'Statement about a paced prize' }).waitFor()
    const text = await page.locator('.statement').innerText()
    for (const said of [
      /All 4 units were made available, at random moments/,
      /3 units were given\. 1 unit came back .* 2 units were not given/,
      /CAP code 8\.24/,
      /CAP code 8\.25/,
      /Number \d+, made/,
      /wheelhouse verify plays\.ndjson/,
      /YES\s+no unit was given before its moment/,
    ])
      assert.match(text, said)
    const printed = await page.pdf({ preferCSSPageSize: true })
    assert.equal(printed.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1)
    assert.deepEqual(pageErrors, [])
    const { body } = await api.call('GET', '/wheels/main/paces/mug/certificate?run=1')
    assert.deepEqual([body.seal.number > 0, body.checks.every(({ holds }: any) => holds)], [true, true])
  })
})
