import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page, Response } from 'playwright-core'
import { findStaffByEmail, proveEmail } from '../../src/staff/staff.ts'
import { violations } from '../scenes/game-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'
import { makeConsoleSuite, makeTestMerchant, openConsole, overflow, settled } from './console-scene.ts'

/** Presses Save in the part of the page that is about alerts. */
async function save(page: Page, part: Page | Locator = page): Promise<void> {
  const isAnswer = (one: Response) =>
    one.url().includes('/account/alerts') && one.request().method() !== 'GET'
  const answer = page.waitForResponse(isAnswer)
  await part.getByRole('button', { name: 'Save' }).click()
  assert.equal((await answer).status(), 200)
}

describe('alerts by e-mail in the console', () => {
  const suite = makeConsoleSuite()
  const mailing = makeConsoleSuite(async (t) => ({
    SMTP_URL: (await makeTestMailbox(t)).url,
    MAIL_FROM: 'Wheel <wheel@house.example>',
  }))

  test('without mail the page says so, and still keeps the choice', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const path = '/settings?tab=alerts'
    const { page, pageErrors } = await openConsole(t, suite, { testMerchant, role: 'viewer', path })
    await page.getByText(/This server can’t send mail yet/).waitFor()
    await page.getByLabel('Prizes that are gone').check()
    await save(page)
    await page.reload()
    await page.getByText(/This server can’t send mail yet/).waitFor()
    assert.ok(await page.getByLabel('Prizes that are gone').isChecked())
    assert.ok(!(await page.getByLabel('Prizes that run low').isChecked()))
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    assert.deepEqual(pageErrors, [])
  })

  test('a person chooses for all campaigns and for one, and reads where alerts go', async (t) => {
    const api = await makeManagementApi(mailing.server)
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const path = '/settings?tab=alerts'
    const testMerchant = { merchant: api.merchant, token: api.token }
    const { page, email } = await openConsole(t, mailing, {
      testMerchant,
      role: 'viewer',
      path,
      viewport: { width: 390, height: 800 },
    })
    await page.getByText(/Nothing is sent yet, because it isn’t known/).waitFor()
    const { db } = mailing.server.ctx
    await proveEmail(db, (await findStaffByEmail(db, email))?.staffId ?? 0, new Date())
    await page.reload()
    await page.getByText(`Sent to ${email}.`).waitFor()
    await page.getByLabel('Webhooks that fail').check()
    await page.getByLabel('The day before: a summary').check()
    await save(page)
    await settled(page)
    assert.deepEqual(await violations(page), [])
    assert.equal(await overflow(page), 0)

    await page.goto(page.url().replace(path, '/campaigns/summer?tab=settings'))
    const card = page.getByRole('region', { name: 'Alerts by e-mail' })
    await card.getByText('The day before: a summary').waitFor()
    assert.ok(await card.getByLabel('The same as about all campaigns').isChecked())
    await card.getByLabel('Something else').check()
    assert.equal(await card.getByLabel('Webhooks that fail').count(), 0)
    await card.getByLabel('The day before: a summary').uncheck()
    await card.getByLabel('Campaigns that end').check()
    await save(page, card)
    await page.reload()
    await card.getByLabel('Something else').waitFor()
    assert.ok(await card.getByLabel('Campaigns that end').isChecked())
    await settled(page)
    assert.deepEqual(await violations(page), [])

    await page.goto(page.url().replace('/campaigns/summer?tab=settings', path))
    await page.getByText('These campaigns have another choice:').waitFor()
    await page.getByRole('link', { name: 'Summer' }).click()
    await card.getByLabel('The same as about all campaigns').check()
    await save(page, card)
    await page.reload()
    await card.getByLabel('The same as about all campaigns').waitFor()
    assert.ok(await card.getByLabel('The same as about all campaigns').isChecked())
  })
})
