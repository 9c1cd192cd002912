import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { themeNames } from '../../src/wheel-document/theme-names.ts'
import { calendarOf } from '../../web/game/wallet/calendar.ts'
import { makeGameSuite, openGame, spin, untilState, violations } from '../scenes/game-scene.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { post } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

test('a reminder for the calendar has UTC times, escaped texts, and lines of at most 75 octets', () => {
  const text = 'Zeige ihn, bitte; an der Kasse\nund 🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡🎡 \\ ende'
  const now = new Date('2026-11-19T01:02:03.456Z')
  const file = calendarOf({
    prizeId: 'play-1',
    title: 'Kaffee, groß',
    text,
    until: '2026-12-01T00:30:00+02:00',
    now,
  })
  const octets = file.split('\r\n').map((line) => Buffer.byteLength(line))
  assert.ok(Math.max(...octets) <= 75, octets.join())
  assert.ok(octets.filter((count) => count > 70).length >= 1, 'long lines are folded, not cut')
  assert.doesNotMatch(file, /[^\r]\n/)
  const unfolded = file.replaceAll('\r\n ', '')
  const fields = unfolded.split('\r\n')
  for (const field of [
    'UID:play-1',
    'DTSTAMP:20261119T010203Z',
    'DTSTART:20261130T223000Z',
    'SUMMARY:Kaffee\\, groß',
    `DESCRIPTION:Zeige ihn\\, bitte\\; an der Kasse\\nund ${'🎡'.repeat(21)} \\\\ ende`,
  ])
    assert.ok(fields.includes(field), field)
  assert.doesNotMatch(file, /token|http/)
})

describe('the wallet', () => {
  const suite = makeGameSuite()
  const card = (page: Page, text: string) => page.locator('#prizes > li', { hasText: text })

  async function makePlayer(t: Parameters<typeof openGame>[0], first: Parameters<typeof alwaysWins>[0]) {
    const api = await makeManagementApi(suite.server)
    await api.publish(alwaysWins(first))
    const { body } = await post(`${suite.server.url}/api/game/sso`, api.token, {
      playerId: 'pia',
      initialSpin: 2,
    })
    const game = await openGame(t, suite, `${suite.server.url}/spinthewheel/?token=${String(body.token)}`)
    await untilState(game.page, 'ready')
    await spin(game.page)
    return { api, ...game }
  }

  test('is opened from the game, shows code, QR code and last day, works offline, and forgets', async (t) => {
    const prize = { kind: 'fixed', code: 'CAFE-77' } as const
    const { page, pageErrors } = await makePlayer(t, { prize, claimWithinSeconds: 86_400 })
    await page.locator('#wins button').press('Enter')
    await card(page, 'CAFE-77').waitFor()
    assert.match(page.url(), /\/wallet\/#game$/, 'the address has no token')
    assert.equal(await page.locator('svg.qr').getAttribute('aria-label'), 'QR code for CAFE-77')
    assert.match(await page.locator('.left').innerText(), /^23:59:\d\d left$/)
    assert.deepEqual(await violations(page, 'everything'), [])
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Add to calendar' }).click()
    assert.match(readFileSync(await (await started).path(), 'utf8'), /^BEGIN:VCALENDAR\r\n/)
    await page.waitForFunction(async () => {
      const worker = await navigator.serviceWorker.ready
      const cache = await caches.open('wheelhouse-wallet')
      return worker.active?.state === 'activated' && (await cache.keys()).length > 2
    })
    await page.context().setOffline(true)
    await page.reload()
    await card(page, 'CAFE-77').waitFor()
    assert.match(await page.locator('#status').innerText(), /^No connection\. This is what you had on /)
    await page.context().setOffline(false)
    await page.getByText('No connection').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Forget on this device' }).click()
    await page.getByText('This device has forgotten your prizes.').waitFor()
    const left = await page.evaluate(async () => [
      await caches.keys(),
      (await navigator.serviceWorker.getRegistrations()).length,
    ])
    assert.deepEqual(left, [[], 0])
    assert.equal(await rowsKept(page), 0)
    assert.deepEqual(
      pageErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    )
  })

  test('claims by a press, fits a narrow window, and keeps nothing once its link is revoked', async (t) => {
    const first = { title: 'A mug', claimInWallet: true, claimWithinSeconds: 86_400 }
    const { api, page } = await makePlayer(t, first)
    await page.setViewportSize({ width: 320, height: 600 })
    const { token, linkId } = (await api.call('POST', '/players/pia/wallet-links', {})).body
    await page.goto(`${suite.server.url}/wallet/?token=${token}&lang=ar`)
    await page.locator('html[dir="rtl"] .state').waitFor()
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(await isWide(), false)
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    assert.equal(await isWide(), false, 'with text twice as large')
    await page.locator('button.primary').press('Enter')
    await page.locator('.state', { hasText: 'تمت المطالبة بها' }).waitFor()
    assert.equal(await page.locator('button.primary').count(), 0)
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'title')
    assert.equal(await rowsKept(page), 1)
    await api.call('PUT', `/links/${linkId}/revocation`)
    await page.reload()
    await page.locator('#prizes:empty').waitFor({ state: 'attached' })
    await page.waitForFunction(() => document.querySelector('#title')?.textContent !== 'جوائزك')
    assert.equal(await rowsKept(page), 0)
  })

  test('every language and theme fits a narrow window, and axe finds nothing', onLanding, async (t) => {
    for (const [index, language] of playerLanguages.entries()) {
      const theme = themeNames[index % themeNames.length] as (typeof themeNames)[number]
      const api = await makeManagementApi(suite.server)
      await api.publish({
        ...alwaysWins({ claimInWallet: true, claimWithinSeconds: 86_400, title: 'Kaffeevollautomat' }),
        look: { theme },
      })
      await api.call('POST', '/links', { playerId: 'pia', initialSpins: 2 })
      await api.play('pia')
      await api.play('pia')
      const { token } = (await api.call('POST', '/players/pia/wallet-links', {})).body
      const link = `${suite.server.url}/wallet/?token=${token as string}&lang=${language}`
      const { page, pageErrors } = await openGame(t, suite, link, { viewport: { width: 320, height: 600 } })
      await page.locator('#prizes > li').nth(1).waitFor()
      const name = `${language}, ${theme}`
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      assert.deepEqual(await violations(page, 'everything'), [], name)
      await page.locator('button.primary').first().click()
      await page.locator('button.primary').nth(1).waitFor({ state: 'detached' })
      assert.deepEqual(await violations(page, 'everything'), [], `${name}, one claimed`)
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${name} overflows with text twice as large`,
      )
      assert.deepEqual(pageErrors, [], name)
      await page.close()
    }
  })

  test('shows a prize that is checked, then why it was refused and who hears an objection, and no code', async (t) => {
    const prize = { kind: 'fixed', code: 'CAFE-78' } as const
    const { api, page } = await makePlayer(t, { prize, hold: { checkHours: 24 } })
    await page.getByText('It is being checked.').first().waitFor()
    await api.call('PUT', '/campaigns/main/messages', { replyTo: 'help@shop.example', kinds: {} })
    await page.locator('#wins button').press('Enter')
    await card(page, 'Being checked').getByText('The decision appears here by').waitFor()
    assert.deepEqual(await violations(page, 'everything'), [])
    const { prizes } = (await api.call('GET', '/prizes?state=held')).body
    await api.call('PUT', `/prizes/${prizes[0].playId}/refusal`, { reason: 'terms_not_met' })
    await page.reload()
    const refused = card(page, 'Not granted')
    await refused.getByText('The terms of the promotion were not met.').waitFor()
    await refused.getByText('To object, contact help@shop.example.').waitFor()
    assert.equal(await page.getByText('CAFE-78').count(), 0)
    for (const [language, text] of [
      ['de', 'Die Teilnahmebedingungen waren nicht erfüllt.'],
      ['ar', 'لم تتحقق شروط العرض.'],
    ] as const) {
      const { token } = (await api.call('POST', '/players/pia/wallet-links', {})).body
      await page.goto(`${suite.server.url}/wallet/?token=${token}&lang=${language}`)
      await page.getByText(text).waitFor()
    }
  })
})

/** How many wallets the browser keeps. */
function rowsKept(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('wheelhouse-wallet', 1)
        opening.addEventListener('success', () => {
          const rows = opening.result.transaction('wallets').objectStore('wallets').count()
          rows.addEventListener('success', () => resolve(rows.result))
        })
      }),
  )
}
