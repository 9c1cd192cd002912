// The chances before the press and the proof after it: what can't be won now, what is proved, and what is taken on
// trust.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { WheelDocument, WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import {
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  openGame,
  spin,
  untilState,
  violations,
  wheelOf,
} from '../scenes/game-scene.ts'
import { post } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const day = 86_400_000
const inDays = (count: number) => new Date(Date.now() + count * day).toISOString()

function prize(id: string, limits: Partial<WheelSegment>): WheelSegment {
  return { id, label: id, color: '#e11d48', weight: 1, prize: { kind: 'handover' }, ...limits }
}

/** One segment for each reason why a prize can't be won, a free prize, and the fallback. */
const limitedWheel: WheelDocument = wheelOf(
  {},
  {
    segments: [
      prize('free', { weight: 4 }),
      prize('gone', { stock: 0 }),
      prize('soon', { winnableFrom: inDays(3) }),
      prize('past', { winnableUntil: inDays(-1) }),
      prize('left', { stock: 5 }),
      prize('codes', { prize: { kind: 'pool', pool: 'empty' }, stock: 0 }),
      { ...prize('nothing', { weight: 2 }), prize: { kind: 'none' } },
    ],
  },
)

describe('chances and proofs', { concurrency: 2, ...onLanding }, () => {
  const suite = makeGameSuite()

  async function unavailable(link: string): Promise<Record<string, unknown>[]> {
    const token = new URL(link).searchParams.get('token')
    const { body } = await post(`${suite.server.url}/api/v1/game/session`, undefined, { token })
    return (body.wheel as { unavailable: Record<string, unknown>[] }).unavailable
  }

  test('the session says which prizes this player cannot win now, why, and until when', async () => {
    const testMerchant = await makeTestMerchant(suite)
    const { merchantId } = testMerchant.merchant
    await uploadCodes(suite.server.ctx.db, { merchantId, pool: 'empty' }, ['ONE'], new Date())
    await testMerchant.publish(limitedWheel)
    const link = await makeLink(suite, testMerchant, 1)
    const soon = limitedWheel.segments[2]?.winnableFrom
    assert.deepEqual(await unavailable(link), [
      { segment: 1, reason: 'out_of_stock', until: null },
      { segment: 2, reason: 'not_winnable_now', until: soon },
      { segment: 3, reason: 'not_winnable_now', until: null },
      { segment: 5, reason: 'out_of_stock', until: null },
    ])
  })

  test('the table marks limited and unavailable prizes and shows the real chances, before the press', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { merchantId } = testMerchant.merchant
    await uploadCodes(suite.server.ctx.db, { merchantId, pool: 'empty' }, ['ONE'], new Date())
    await testMerchant.publish(limitedWheel)
    const { page } = await openGame(t, suite, await makeLink(suite, testMerchant, 1))
    await untilState(page, 'ready')
    await page.locator('#odds summary').click()
    const rows = await page.locator('#odds tbody tr').allInnerTexts()
    const expected = [
      /^free\s+36.3%$/,
      /^gone\s+Sold out\s+0%\s+Drawn: 9.1%$/,
      /^soon\s+Can be won from .+\s+0%/,
      /^past\s+Can no longer be won\s+0%/,
      /^left\s+Limited\s+9.1%$/,
      /^codes\s+Sold out\s+0%/,
      /^nothing\s+54.6%\s+Drawn: 18.2%$/,
    ]
    for (const [index, text] of expected.entries()) assert.match(rows[index] ?? '', text)
    assert.match(await page.locator('#odds').innerText(), /If one of them is drawn, you get “nothing”/)
    assert.equal(await page.locator('#disc .unavailable').count(), 4)
    const description = (await page.locator('#fields').textContent()) ?? ''
    assert.match(description, /free 36.3%, gone 0% \(Sold out\)/)
    assert.deepEqual(await violations(page), [])
  })

  test('a prize limited per day or per player comes back, or does not, as the table says', async (t) => {
    const wheel = wheelOf({ label: 'Cup', stockPerDay: 1 }, { timeZone: 'Pacific/Auckland' })
    const testMerchant = await makeTestMerchant(suite, { wheel })
    const link = await makeLink(suite, testMerchant, 3)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    await spin(page)
    await page.getByText('There’s nothing more to win right now').waitFor()
    assert.match(await page.locator('#panel').innerText(), /You won![^]*Check for the next spin/)
    assert.equal(
      await page.locator('#disc .unavailable').count(),
      1,
      'the winner sees that it was the last one',
    )
    assert.equal(await page.locator('#disc .glow').count(), 1)
    assert.match((await page.locator('#fields').textContent()) ?? '', /Cup 0% \(Sold out until .+\)/)
    const [cup] = await unavailable(link)
    assert.equal(cup?.reason, 'out_of_stock_today')
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', timeStyle: 'short' })
    assert.equal(clock.format(new Date(cup?.until as string)), '00:00')
    await page.reload()
    await untilState(page, 'soldOut')
    assert.match(
      await page.locator('#text').innerText(),
      /The next prize can be won from .+ you can’t spin\.$/,
    )

    await testMerchant.publish(wheelOf({ label: 'Cup', limitPerPlayer: 1 }))
    await page.reload()
    await untilState(page, 'ready')
    assert.equal(await spin(page), 'won')
    assert.deepEqual(await unavailable(link), [{ segment: 0, reason: 'player_limit', until: null }])
  })

  test('after a fallback, the dialog says in words what is proved and what is taken on trust', async (t) => {
    const wheel = wheelOf({ label: 'Car', stock: 1 })
    const testMerchant = await makeTestMerchant(suite, { wheel })
    const link = await makeLink(suite, testMerchant, 3)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    // The last one is won in another tab, between the opening of this page and its press.
    const other = await openGame(t, suite, link)
    await untilState(other.page, 'ready')
    assert.equal(await spin(other.page), 'won')
    assert.equal(await spin(page), 'noLuck')
    assert.match(
      await page.locator('#panel').innerText(),
      /stopped at “Nothing”\. “Car” was drawn, but none are left[^]*Check for the next spin[^]*nothing more to win right now/,
    )
    await page.locator('#panel').getByRole('button', { name: 'Verify this spin' }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('One fact has to be taken on trust.').waitFor()
    assert.match(
      await dialog.innerText(),
      /Proved: “Car” was drawn\..+“Nothing” replaces it[^]*Taken on trust: that none were left\./,
    )
    assert.ok(!(await dialog.innerText()).includes('out_of_stock'), 'words, no codes')
    assert.deepEqual(await violations(page), [])
  })

  test('one button checks every spin, and the shown commands do the same without this page', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Cup' }) })
    const { page } = await openGame(t, suite, await makeLink(suite, testMerchant, 3))
    await untilState(page, 'ready')
    await page.locator('#fairness summary').first().click()
    await page.getByText('After your first spin, you can check it here.').waitFor()
    await spin(page)
    await spin(page)
    await page.getByRole('button', { name: 'Check all my spins' }).click()
    await page.getByText('2 spins checked: everything matches.').waitFor()
    assert.deepEqual(await violations(page), [])
    await page.locator('dialog').getByRole('button', { name: 'Spin 1: Cup' }).click()
    await page.getByText('Check it without this page').click()
    const lines = ((await page.locator('.commands').textContent()) ?? '').split('\n')
    assert.equal(lines.length, 8)
    for (const [index, command] of lines.entries()) {
      if (index % 2 === 1) continue
      const { stdout } = await promisify(execFile)('bash', ['-c', command])
      assert.equal(`# ${stdout.split(/\s/)[0]}`, lines[index + 1], command)
    }
    assert.deepEqual(await violations(page), [])
  })
})
