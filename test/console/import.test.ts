import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { listLots } from '../../src/players/lot-rows.ts'
import { findPlayer, type Player } from '../../src/players/players.ts'
import { textOfFile } from '../../web/console/parts/text-file.ts'
import { readCodes } from '../../web/console/views/code-file.ts'
import { readGrantFile } from '../../web/console/views/grant-file.ts'
import { makeConsoleSuite, makeTestMerchant, openConsole } from './console-scene.ts'
import { times } from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

/** With TESTS=all, as many as a large merchant imports. */
const lineCount = runsAll ? 100_000 : 5_000

test('a file of grants is read with and without a header row, with quotes and semicolons, and each error names its line', () => {
  const file = readGrantFile(
    '\uFEFFspins;playerId;reason\r\n5;alice;"say ""hi"";"\r\n\r\n0;bob;\r\n;carl;\r\n1.5;dora;\r\n3;;\r\n7;erin;ok\r\n',
  )
  assert.deepEqual(file.grants, [
    { line: 2, playerId: 'alice', spinNumber: 5, reason: 'say "hi";' },
    { line: 8, playerId: 'erin', spinNumber: 7, reason: 'ok' },
  ])
  assert.deepEqual(
    file.wrong.map(({ line, problem }) => [line, problem]),
    [
      [4, 'import.badSpins'],
      [5, 'import.badSpins'],
      [6, 'import.badSpins'],
      [7, 'import.noPlayer'],
    ],
  )
  const half = readGrantFile('Kunde;Spins;reason;expiresAt\nkai;2;Treue;2026-12-24')
  assert.deepEqual([half.grants, half.wrong[0]?.problem], [[], 'import.badHead'])
  const foreign = readGrantFile('Kunde,Drehungen,Grund\nzoe,2,Stammkunde\nzoe,3,Stammkunde')
  assert.deepEqual(
    [foreign.grants, foreign.wrong.length, foreign.wrong[0]?.problem],
    [[], 1, 'import.badHead'],
  )
  assert.equal(readGrantFile('zoe,2x\nkim,3').wrong[0]?.problem, 'import.badSpins')
  const plain = readGrantFile('alice,5,order-1\nalice,5,order-1\nbob,2')
  assert.equal(plain.spins, 7)
  assert.equal(plain.wrong[0]?.problem, 'import.doubleKey')
})

test('spins expire at the end of a day, or at a time; other files than text are not read', () => {
  const { grants, wrong } = readGrantFile(
    'a,1,,,2026-12-31\nb,1,,,2026-12-24T18:00:00+01:00\nc,1,,,2026-02-30\nd,1,,,31.12.2026',
    'Europe/Berlin',
  )
  assert.deepEqual(
    grants.map(({ expiresAt }) => expiresAt),
    ['2026-12-31T23:00:00.000Z', '2026-12-24T17:00:00.000Z'],
  )
  assert.deepEqual(
    wrong.map(({ line, problem }) => [line, problem]),
    [3, 4].map((line) => [line, 'import.badExpiry']),
  )
  // The clocks of Beirut go forward at midnight.
  const [skipped] = readGrantFile('a,1,,,2027-03-27', 'Asia/Beirut').grants
  assert.equal(skipped?.expiresAt, '2027-03-27T22:00:00.000Z')
  assert.equal(textOfFile(new TextEncoder().encode('alice,5')), 'alice,5')
  assert.equal(textOfFile(Buffer.from('Jürgen,5', 'latin1')), undefined, 'another encoding')
  assert.equal(textOfFile(Buffer.from('PK\u0003\u0004\u0014\0\u0006\0')), undefined)
})

test('a file of codes is read from its first column, each code once', () => {
  assert.deepEqual(readCodes('code;value\nA-1;5\n"B,2";5\nA-1;5\n\n'), {
    codes: ['A-1', 'B,2'],
    repeats: 1,
  })
})

describe('importing grants', () => {
  const suite = makeConsoleSuite()

  test(`a file of ${lineCount} grants is checked first, sent with progress, reported line by line, and safe to repeat`, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { db } = suite.server.ctx
    const { page } = await openConsole(t, suite, { testMerchant, role: 'editor', path: '/import' })
    page.setDefaultTimeout(600_000)
    const lines = times(lineCount, (index) =>
      index % 1_000 === 7
        ? `player-${index},none`
        : `player-${index % 1_000},2${index === 3 ? ',2031-06-01T09:00:00+02:00' : ''}`,
    )
    const send = `Send ${(lineCount - lineCount / 1_000).toLocaleString('en')} grants`
    const granted = (lineCount / 1_000) * 2
    const csv = {
      name: 'grants.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['playerId,spins,expires', ...lines].join('\n')),
    }
    const [file] = [page.locator('input[type="file"]')]
    await file?.setInputFiles(csv)
    await page.getByText(`${lineCount / 1_000} lines have errors and will be skipped.`).waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these lines' }).click()
    const wrong = readFileSync(await (await saving).path(), 'utf8').split('\r\n')
    assert.equal(wrong[0], '\uFEFFplayerId,spins,expires')
    assert.equal(wrong.length, 1 + lineCount / 1_000)
    // Enter and pasted lines become spaces: a reason is one line.
    await page.getByLabel('Reason').fill('the\nnewsletter')
    assert.equal(await page.getByLabel('Reason').inputValue(), 'the newsletter')
    await page.getByRole('button', { name: send }).click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download results' }).click()
    const rows = readFileSync(await (await downloading).path(), 'utf8').split('\r\n')
    assert.equal(rows.length, lineCount + 1)
    assert.equal(rows[1], '2,player-0,2,granted,2,')
    assert.match(rows[8] as string, /^9,,,wrong,,/)
    const { merchantId } = testMerchant.merchant
    const player = async () =>
      (await findPlayer(db, { merchantId, playerId: 'player-3' }, new Date())) as Player
    const balance = async () => (await player()).balance
    assert.equal(await balance(), granted)
    const lots = async () =>
      (await listLots(db, await player(), new Date())).map((lot) => [
        lot.spinsLeft,
        lot.expiresAt.toISOString(),
      ])
    assert.deepEqual(await lots(), [[2, '2031-06-01T07:00:00.000Z']])

    await page.reload()
    await page.locator('input[type="file"]').setInputFiles(csv)
    await page.getByLabel('Reason').fill('the newsletter')
    await page.getByRole('button', { name: send }).click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    assert.equal((await lots()).length, 1)
    assert.equal(await balance(), granted, 'importing the same file again grants nothing')
  })
})
