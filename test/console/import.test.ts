import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { listLots } from '../../src/players/lot-rows.ts'
import { findPlayer, type Player } from '../../src/players/players.ts'
import { textOfFile } from '../../web/console/parts/text-file.ts'
import { readCodes } from '../../web/console/views/code-file.ts'
import { readRows } from '../../web/console/views/import/csv-rows.ts'
import { guessLayout, isComplete, readGrants } from '../../web/console/views/import/grant-file.ts'
import {
  ambiguousDay,
  dayOrderOf,
  guessDayOrder,
  readWrittenDay,
} from '../../web/console/views/import/written-days.ts'
import { makeConsoleSuite, makeTestMerchant, openConsole } from './console-scene.ts'
import { times } from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

/** With TESTS=all, as many as a large merchant imports. */
const lineCount = runsAll ? 100_000 : 5_000

/** As the page reads it, with the columns that it offers. */
function readGrantFile(text: string, { zone = 'UTC', locale = 'en-GB', expiresAt = '' } = {}) {
  const rows = readRows(text)
  const forAll = { zone, ...(expiresAt === '' ? {} : { expiresAt }) }
  return readGrants(rows, guessLayout(rows, dayOrderOf(locale)), forAll)
}

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
  assert.equal(readGrantFile('zoe,2x\nkim,3').wrong[0]?.problem, 'import.badSpins')
  const plain = readGrantFile('alice,5,order-1\nalice,5,order-1\nbob,2')
  assert.equal(plain.spins, 7)
  assert.equal(plain.wrong[0]?.problem, 'import.doubleKey')
})

test('headings that nobody knows leave the choice of the columns to the person', () => {
  const rows = readRows('Grund,Kunde,Drehungen\nStammkunde,zoe,2\nStammkunde,kim,3')
  const guessed = guessLayout(rows, 'dmy')
  assert.deepEqual([guessed.hasHead, isComplete(guessed)], [true, false])
  const columns = { ...guessed.columns, playerId: 1, spinNumber: 2, reason: 0 }
  assert.deepEqual(readGrants(rows, { ...guessed, columns }, { zone: 'UTC' }).grants, [
    { line: 2, playerId: 'zoe', spinNumber: 2, reason: 'Stammkunde' },
    { line: 3, playerId: 'kim', spinNumber: 3, reason: 'Stammkunde' },
  ])
  const half = guessLayout(readRows('Kunde;Spins;reason;expiresAt\nkai;2;Treue;2026-12-24'), 'dmy')
  assert.deepEqual([isComplete(half), half.columns.spinNumber, half.columns.expiresAt], [false, 1, 3])
})

test('players in more than one line are named with their lines', () => {
  assert.deepEqual(readGrantFile('ann,1\nbob,1\nann,2\nann,x').repeated, [{ playerId: 'ann', lines: [1, 3] }])
})

test('days are read as the locale writes them, and never in another order', () => {
  const inBritain = ['31/12/2026', '31.12.26', '2026-12-31', '2026/12/31', '3/4/2027', '31-12-2026 18:00']
  assert.deepEqual(
    inBritain.map((text) => readWrittenDay(text, dayOrderOf('en-GB'))),
    ['2026-12-31', '2026-12-31', '2026-12-31', '2026-12-31', '2027-04-03', '2026-12-31T18:00'],
  )
  assert.deepEqual(
    ['3/4/2027', '12/31/2026', '31.12.2026'].map((text) => readWrittenDay(text, dayOrderOf('en-US'))),
    ['2027-03-04', '2026-12-31', '2026-12-31'],
  )
  assert.deepEqual(['de', 'ja', 'en-US', 'hu'].map(dayOrderOf), ['dmy', 'ymd', 'mdy', 'ymd'])
  const none = ['12/31/2026', '30.02.2026', '31/12.2026', '1/2', '1/2/3', '31/12/1999', '31/12/2026 24:00']
  for (const text of none) assert.equal(readWrittenDay(text, 'dmy'), undefined, text)
  assert.equal(readWrittenDay('03/04/2027', 'ymd'), undefined)
})

test('the days of a file say their order, and a file with two meanings is told apart', () => {
  for (const [texts, preferred, order, ambiguous] of [
    [['31/12/2026', '01/02/2027', ''], 'mdy', 'dmy', undefined],
    [['12/31/2026', '01/02/2027'], 'dmy', 'mdy', undefined],
    [['05/05/2027', '01/02/2027'], 'dmy', 'dmy', '01/02/2027'],
    [['05/05/2027', '01/02/2027'], 'mdy', 'mdy', '01/02/2027'],
    [['05/05/2027', '01.02.2027', '2027-01-02'], 'dmy', 'dmy', undefined],
    [['3/4/2027', 'soon'], 'ymd', 'dmy', '3/4/2027'],
    [['', 'soon'], 'ymd', 'ymd', undefined],
  ] as const) {
    assert.equal(guessDayOrder(texts, preferred), order, texts.join())
    assert.equal(ambiguousDay(texts, order), ambiguous, texts.join())
  }
  const german = readRows('player;spins;until\nann;1;1/2/2027\nbob;1;31/1/2027')
  assert.equal(guessLayout(german, 'mdy').dayOrder, 'dmy')
})

test('spins expire at the end of a day, at a time, or as for the whole file; other files than text are not read', () => {
  const { grants, wrong } = readGrantFile(
    'a,1,,,2026-12-31\nb,1,,,2026-12-24T18:00:00+01:00\nc,1,,,2026-02-30\nd,1,,,31.12.2026\ne,1\nf,1,,,12/31/2026',
    { zone: 'Europe/Berlin', expiresAt: '2027-01-31T23:00:00.000Z' },
  )
  assert.deepEqual(
    grants.map(({ expiresAt }) => expiresAt),
    [
      '2026-12-31T23:00:00.000Z',
      '2026-12-24T17:00:00.000Z',
      '2026-12-31T23:00:00.000Z',
      '2027-01-31T23:00:00.000Z',
      '2026-12-31T23:00:00.000Z',
    ],
  )
  assert.deepEqual(
    wrong.map(({ line, problem }) => [line, problem]),
    [[3, 'import.badExpiry']],
  )
  // The clocks of Beirut go forward at midnight.
  const [skipped] = readGrantFile('a,1,,,2027-03-27', { zone: 'Asia/Beirut' }).grants
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
    await page.getByText('They added nothing.').waitFor()
    assert.equal((await lots()).length, 1)
    assert.equal(await balance(), granted, 'importing the same file again grants nothing')
  })

  test('columns are chosen with a look at the file; what an interrupted import gave counts as given', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'editor', path: '/import' })
    const text = 'Gültig bis;Kunde;Drehungen\n31.12.2031;jo;2\n31.12.2031;kim;3\n31.12.2031;jo;1'
    const file = { name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.locator('input[type="file"]').setInputFiles(file)
    await page.getByText('Choose which columns have the player IDs and the spins.').waitFor()
    const table = page.getByRole('table', { name: 'First lines of the file' })
    await table.getByRole('cell', { name: 'Drehungen' }).waitFor()
    await page.getByLabel('Column 2').selectOption('Player ID')
    await page.getByLabel('Column 3').selectOption('Spins')
    await page.getByLabel('Column 1').selectOption('Spins expire')
    await page.getByText('31.12.2031 is read as 31 December 2031.').waitFor()
    await page
      .getByText('One player is in more than one line and gets the spins of each: jo (lines 2, 4).')
      .waitFor()
    await page.getByLabel('Reason').fill('newsletter')

    // The server has given the spins, but its answer is lost, and then nothing can be reached for a while.
    let sent = 0
    await page.route('**/api/v1/grant-batches', async (route) => {
      if (++sent === 1) await route.fetch()
      if (sent <= 2) await route.abort()
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Send 3 grants' }).click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    assert.ok(sent > 2)
    const counts = page.getByRole('region', { name: 'Result' })
    assert.match(await counts.innerText(), /Given\s+3\s+Given before\s+0\s+Refused\s+0/)
    const { merchantId } = testMerchant.merchant
    const player = await findPlayer(suite.server.ctx.db, { merchantId, playerId: 'jo' }, new Date())
    assert.equal(player?.balance, 3)
  })
})
