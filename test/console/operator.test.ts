import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  desktop,
  makeConsoleSuite,
  makeTestMerchant,
  overflow,
  settled,
  openConsole,
} from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { callApi } from '../scenes/management-scene.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

describe('an operator', () => {
  const suite = makeConsoleSuite()
  const path = '/api/v1/operator/merchants'

  test('lists, creates, suspends and resumes merchants through the API, which no other role can', async () => {
    const { server } = suite
    const { merchant, token } = await makeTestMerchant(suite)
    const operator = await signInAs(server, await makeStaff(server.ctx.db, [], { isOperator: true }))
    const owner = await signInAs(server, await makeStaff(server.ctx.db, [[merchant, 'owner']]))
    const body = { merchant: 'zz-second', name: 'Second & Sons' }
    const all: [string, string, unknown?][] = [
      ['GET', path],
      ['POST', path, body],
      ['PUT', `${path}/${merchant.slug}/suspension`],
      ['DELETE', `${path}/${merchant.slug}/suspension`],
      ['POST', '/api/v1/staff/resets', { email: 'a@b' }],
    ]
    for (const [method, address, sent] of all) {
      const refused = await owner.call(method, address, { body: sent })
      assert.equal(refused.body.code, 'role_missing', `${method} ${address}`)
      const byToken = await callApi(server, token, method, address, sent === undefined ? {} : { body: sent })
      const code = method === 'GET' ? 'session_missing' : 'origin_refused'
      assert.equal(byToken.body.code, code, `${method} ${address} with a token`)
    }
    const created = await operator.call('POST', path, { body })
    assert.equal(created.status, 200, JSON.stringify(created.body))
    assert.equal((await operator.call('POST', path, { body })).body.code, 'merchant_exists')
    assert.equal((await operator.call('POST', path, { body: { ...body, merchant: 'No!' } })).status, 400)
    const place = { timeZone: 'Asia/Tokyo', currency: 'JPY' }
    const inTokyo = { merchant: 'zz-tokyo', name: 'Tokyo', ...place }
    for (const wrong of [{ currency: 'EURO' }, { currency: 'QQQ' }, { timeZone: 'Mars/Olympus' }]) {
      const refused = await operator.call('POST', path, { body: { ...inTokyo, ...wrong } })
      assert.equal(refused.body.code, 'validation_failed', JSON.stringify(wrong))
    }
    assert.equal((await operator.call('POST', path, { body: inTokyo })).status, 200)
    const atTokyo = { merchant: 'zz-tokyo' }
    await operator.call('PUT', '/api/v1/test-merchant', atTokyo)
    const session = (await operator.call('GET', '/api/v1/session')).body as any
    for (const slug of ['zz-tokyo', 'test-zz-tokyo']) {
      const { timeZone, currency } = session.merchants.find((one: any) => one.merchant === slug)
      assert.deepEqual({ timeZone, currency }, place, slug)
    }
    const { wheels } = (await operator.call('GET', '/api/v1/wheels', atTokyo)).body as any
    assert.equal(wheels[0].timeZone, 'Asia/Tokyo', 'also the first wheel')
    const cleared = { ...atTokyo, body: { currency: null } }
    assert.equal((await operator.call('PATCH', '/api/v1/merchant', cleared)).body.currency, null)
    const found = (await operator.call('GET', `${path}?search=%26%20SONS`)).body as any
    assert.deepEqual(
      found.merchants.map((one: any) => [one.merchant, one.staffCount, one.tokenCount, one.suspendedAt]),
      [['zz-second', 0, 0, null]],
    )
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const page = (await operator.call('GET', `${path}?limit=1${cursor}`)).body as any
      pages.push(...page.merchants.map((one: any) => one.merchant))
      if (page.next === null) break
      cursor = `&cursor=${page.next}`
    }
    assert.deepEqual(pages, pages.toSorted())
    assert.ok(pages.includes(merchant.slug) && pages.includes('zz-second'))
    const suspension = `${path}/zz-second/suspension`
    const suspended = await operator.call('PUT', suspension)
    assert.equal((await operator.call('PUT', suspension)).body.suspendedAt, suspended.body.suspendedAt)
    const at = { merchant: 'zz-second' }
    assert.equal((await operator.call('GET', '/api/v1/wheels', at)).body.code, 'merchant_suspended')
    assert.equal((await operator.call('DELETE', suspension)).body.suspendedAt, null)
    assert.equal((await operator.call('PUT', `${path}/nobody/suspension`)).body.code, 'merchant_not_found')
    const log = (await operator.call('GET', '/api/v1/audit-log', at)).body as any
    assert.deepEqual(
      log.entries.map((one: any) => one.action),
      ['merchant.resume', 'merchant.suspend', 'merchant.create'],
    )
  })

  test(
    'creates a merchant and opens it, suspends another, whose staff see why, and resumes it',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const { page, pageErrors } = await openConsole(t, suite, {
        testMerchant,
        role: 'owner',
        isOperator: true,
      })
      const staff = await openConsole(t, suite, { testMerchant, role: 'support', path: '/players' })
      await staff.page.getByText('No players yet').waitFor()
      await page.getByRole('link', { name: 'Merchants' }).click()
      await page.getByRole('link', { name: testMerchant.merchant.name }).waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
        assert.deepEqual(await violations(page), [], colorScheme)
      }
      await page.setViewportSize({ width: 360, height: 740 })
      assert.ok((await overflow(page)) <= 0)
      await page.setViewportSize(desktop)

      await page
        .getByRole('row', { name: testMerchant.merchant.name })
        .getByRole('button', { name: 'Suspend' })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
      await page.getByText('Merchant suspended').waitFor()
      await staff.page.getByRole('link', { name: 'Prizes' }).click()
      await staff.page.getByText(`${testMerchant.merchant.name} is suspended`).waitFor()
      assert.equal(await staff.page.getByRole('alert').count(), 0, 'the page shows no errors')
      assert.equal(await staff.page.getByRole('button', { name: 'Resume' }).count(), 0)
      assert.deepEqual(await violations(staff.page), [])
      await page.getByRole('link', { name: testMerchant.merchant.name }).click()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('heading', { name: 'Campaigns' }).waitFor()
      await staff.page.reload()
      await staff.page.getByRole('heading', { name: 'Prizes' }).waitFor()

      await page.getByRole('link', { name: 'Merchants' }).click()
      await page.getByRole('button', { name: 'New merchant' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Ünlü Games')
      assert.equal(await page.getByLabel('ID', { exact: true }).inputValue(), 'unlu-games')
      await page.getByRole('combobox', { name: 'Currency' }).fill('yen')
      await page.getByRole('option', { name: /^JPY/ }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('First steps').waitFor()
      await page.getByRole('cell', { name: '¥0' }).waitFor()
      assert.ok(page.url().endsWith('/m/unlu-games/campaigns'))

      await page.getByRole('link', { name: 'Merchants' }).click()
      await page.getByLabel('Email').fill(staff.email)
      await page.getByRole('button', { name: 'Create link' }).click()
      await until(async () => /welcome#[\w-]{43}/.test((await page.locator('body').textContent()) ?? ''))
      await settled(page)
      const refusals = pageErrors.filter((one) => !/status of 403/.test(one))
      assert.deepEqual(refusals, [])
    },
  )
})
