import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readRows } from '../../web/console/views/import/csv-rows.ts'
import { guessPlayers, readPlayers } from '../../web/console/views/link-lists/player-file.ts'
import { callApi } from '../scenes/management-scene.ts'
import { makeConsoleSuite, makeTestMerchant, openConsole } from './console-scene.ts'

test('players are read from the column that is named or chosen, each once', () => {
  const rows = readRows('Name;Customer ID\nAnn;a-1\nBea;\nAnn again;a-1\nCem;c-3')
  const file = guessPlayers(rows)
  assert.deepEqual([file.hasHead, file.column], [true, 1])
  const { playerIds, repeated, wrongLines } = readPlayers(file)
  assert.deepEqual([playerIds, repeated, wrongLines], [['a-1', 'c-3'], 1, [3]])
  assert.deepEqual(readPlayers(guessPlayers(readRows('a\nb'))).playerIds, ['a', 'b'])
  assert.equal(guessPlayers(readRows('a,x\nb,y')).column, -1, 'two columns without names: the person chooses')
})

describe('links for a list', () => {
  const suite = makeConsoleSuite()

  test('a file of players becomes a file of links; no campaign is chosen for the person', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { server } = suite
    const summer = { campaign: 'summer', name: 'Summer', wheel: 'main' }
    await callApi(server, testMerchant.token, 'POST', '/api/v1/campaigns', { body: summer })
    const { page, pageErrors } = await openConsole(t, suite, {
      testMerchant,
      role: 'editor',
      path: '/link-lists',
    })
    const csv = Buffer.from('email,customer\na@shop.example,c-1\nb@shop.example,c-2\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer: csv })
    const make = page.getByRole('button', { name: 'Make 2 links' })
    assert.ok(await make.isDisabled(), 'no campaign is the default')
    await page.getByRole('combobox', { name: 'Campaign' }).click()
    await page.getByRole('option', { name: 'Summer' }).click()
    await page.getByRole('textbox', { name: 'Links work for' }).fill('3')
    await make.click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'CSV file' }).click()
    const rows = parse(readFileSync(await (await download).path()), { columns: true, bom: true }) as any[]
    assert.deepEqual(
      rows.map(({ playerId, link }) => [playerId, link.startsWith('http')]),
      [
        ['c-1', true],
        ['c-2', true],
      ],
    )
    const days = (Date.parse(rows[0].expiresAt) - Date.now()) / 86_400_000
    assert.ok(days > 2.9 && days <= 3, `${days} days`)

    await page.goto(`${server.url}/console/m/${testMerchant.merchant.slug}/players/c-1?campaign=summer`)
    await page.getByRole('button', { name: 'Game link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const picture = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'PNG' }).click()
    assert.equal((await picture).suggestedFilename(), 'link-c-1.png')
    assert.deepEqual(pageErrors, [])
  })
})
