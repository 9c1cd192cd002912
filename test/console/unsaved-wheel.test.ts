import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../scenes/scene.ts'
import { makeConsoleSuite, makeTestMerchant, openConsole } from './console-scene.ts'
import { saved } from './typed-fields.ts'

const suite = makeConsoleSuite()

test('the editor asks before it is left with a draft that could not be saved, and not for another of its tabs', async (t) => {
  const testMerchant = await makeTestMerchant(suite)
  const { page } = await openConsole(t, suite, {
    testMerchant,
    role: 'editor',
    path: '/wheels/main?tab=schedule',
  })
  const asked: string[] = []
  page.on('dialog', (question) => asked.push(question.message()) && void question.dismiss())
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Saved')
  await saved(page)
  await page.route('**/api/v1/wheels/main', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await name.fill('Lost?')
  await page.getByRole('status').getByText('Not saved').waitFor()
  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByRole('tab', { name: 'Schedule' }).click()
  assert.deepEqual(asked, [])
  assert.equal(await name.inputValue(), 'Lost?')
  await page.getByRole('link', { name: 'Players' }).click()
  await until(() => asked.length === 1)
  assert.deepEqual(asked, ['Your changes are not saved. Leave without saving?'])
  assert.equal(await name.inputValue(), 'Lost?')
  await page.unroute('**/api/v1/wheels/main')
  await name.fill('Not lost')
  await saved(page)
  await page.getByRole('link', { name: 'Players' }).click()
  await page.waitForURL('**/players')
  assert.equal(asked.length, 1)
})
