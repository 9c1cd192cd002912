// Text that must stay as it was typed: in the address, in filters, which are kept there, and in fields that are not
// valid yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeConsoleSuite, openConsole, settled } from './console-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { post, until } from '../scenes/scene.ts'
import { saved, typeKeys } from './typed-fields.ts'
import { onLanding } from '../scenes/selection.ts'

const suite = makeConsoleSuite()

test('a filter with percent signs stays as it is typed, and finds what it names', async (t) => {
  const api = await makeManagementApi(suite.server)
  for (const playerId of ['a/b', 'a%2Fb'])
    await post(`${suite.server.url}/api/player/increaseSpin`, api.token, { playerId, spinNumber: 1 })
  const { page } = await openConsole(t, suite, { testMerchant: api, role: 'owner', path: '/players' })
  const search = page.getByRole('searchbox').or(page.getByRole('textbox')).first()
  await typeKeys(search, 'a%2Fb')
  const isAsTyped = async () => {
    const found = await page.locator('table tbody a').allInnerTexts()
    return (await search.inputValue()) === 'a%2Fb' && found.join() === 'a%2Fb'
  }
  await until(isAsTyped)
  await page.reload()
  await until(isAsTyped)
  await settled(page)
  assert.ok(await isAsTyped())
})

test(
  'a field that is not valid keeps its text: another tab and publishing wait for it, and say so',
  onLanding,
  async (t) => {
    const api = await makeManagementApi(suite.server)
    const { page } = await openConsole(t, suite, { testMerchant: api, role: 'owner', path: '/wheels/main' })
    await settled(page)
    await page.locator('.segment-name', { hasText: '10 spins' }).click()
    const weight = page.getByLabel('Weight')
    await typeKeys(weight, '3O')
    const said = page.getByText('Correct the field in red first. Its text is not stored.')
    await page.getByRole('tab', { name: 'Texts' }).click()
    await said.waitFor()
    assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Segments')
    assert.equal(await weight.inputValue(), '3O')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await said.nth(1).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await typeKeys(weight, '30')
    await saved(page)
    const instructions = page.getByLabel('Instructions for the player')
    await instructions.fill('x'.repeat(503))
    await page.getByText('At most 500 characters. Remove 3 characters.').waitFor()
    assert.equal((await instructions.inputValue()).length, 503)
    await instructions.fill('Show this at the till.')
    await saved(page)
    await page.getByRole('tab', { name: 'Texts' }).click()
    await page.getByRole('tab', { name: 'Texts', selected: true }).waitFor()

    // Another language shows other fields, and another view none of them.
    const chooseGerman = async () => {
      await page.getByRole('combobox', { name: 'Language', exact: true }).click()
      await page.getByRole('option', { name: /^German/ }).click()
    }
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.message())
      await dialog.dismiss()
    })
    const long = 'x'.repeat(201)
    const afterWin = page.getByLabel('After a win')
    await afterWin.fill(long)
    await chooseGerman()
    await page.getByRole('link', { name: 'Players', exact: true }).click()
    await page.evaluate(() => history.back())
    await until(() => asked.length === 2)
    assert.equal(await afterWin.inputValue(), long)
    assert.match(page.url(), /wheels\/main/)
    await afterWin.fill('')
    await saved(page)
    await page.goto(`${suite.server.url}/console/m/${api.merchant.slug}/campaigns/main?tab=settings`)
    const description = page.getByLabel('Description', { exact: true })
    await description.fill(long)
    await chooseGerman()
    await said.waitFor()
    assert.equal(await description.inputValue(), long)
  },
)

test('a label is stored without the spaces around it', async (t) => {
  const api = await makeManagementApi(suite.server)
  const { page } = await openConsole(t, suite, { testMerchant: api, role: 'owner', path: '/wheels/main' })
  await settled(page)
  await page.locator('.segment-name', { hasText: '10 spins' }).click()
  await typeKeys(page.getByLabel('Label', { exact: true }), '  Ten spins ')
  await saved(page)
  const { draft } = (await api.call('GET', '/wheels/main')).body
  assert.ok(draft.segments.some(({ label }: { label: string }) => label === 'Ten spins'))
})

test('text that is not saved stays when the console looks again without a connection', async (t) => {
  const api = await makeManagementApi(suite.server)
  const who = { testMerchant: api, role: 'owner', path: '/settings' } as const
  const { page, requests } = await openConsole(t, suite, who)
  await settled(page)
  const limit = page.getByLabel('Maximum spins per call')
  await typeKeys(limit, '77')
  await page.context().setOffline(true)
  const looks = () => requests.filter((url) => url.endsWith('/api/v1/session')).length
  const before = looks()
  // After an hour, everything is out of date, and the console reads it again when the person comes back.
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 3_600_000
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
  await until(() => looks() === before + 3)
  await page.waitForTimeout(500) // The last attempt has failed.
  assert.equal(await limit.inputValue(), '77')
})

test('an address without a view says so, and leads to the campaigns', async (t) => {
  const api = await makeManagementApi(suite.server)
  const { page } = await openConsole(t, suite, { testMerchant: api, role: 'viewer', path: '/playrs' })
  await page.getByText('Page not found').waitFor()
  assert.match(new URL(page.url()).pathname, /\/playrs$/)
  await page.getByRole('button', { name: 'Go to the campaigns' }).click()
  await page.waitForURL(/\/campaigns$/)
})
