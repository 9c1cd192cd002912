// How messages look where they are read: on a phone, by day and by night, in every language.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { codeMail } from '../../src/entries/code-mail.ts'
import { playerLanguages, samplePrize } from '../../src/languages/mail-words.ts'
import { messageKinds } from '../../src/messages/message-texts.ts'
import { renderMessage } from '../../src/messages/render-message.ts'
import { violations } from '../scenes/game-scene.ts'
import { openBrowser } from '../scenes/pages.ts'
import { suiteLifetime } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('how messages look', onLanding, () => {
  const lifetime = suiteLifetime()
  let browser: Browser
  before(async () => {
    browser = await openBrowser(lifetime)
  })

  const long = 'https://wheel.example/wallet/?token=' + 'x'.repeat(300)
  const factsOf = (kind: string, language: string) => {
    const shared = { merchant: 'Bäckerei & Söhne', link: long, timeZone: 'Europe/Berlin' }
    const lastDay = new Date('2026-12-24T23:00:00Z')
    return kind.startsWith('spins')
      ? { ...shared, lastDay, spins: 3, unsubscribe: 'https://wheel.example/u/abc' }
      : { ...shared, lastDay, prize: samplePrize(language), code: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCD' }
  }
  const htmlOf = (kind: (typeof messageKinds)[number] | 'address_code', language: string) =>
    kind === 'address_code'
      ? codeMail('ann@shop.example', { code: '482913', merchant: 'Acme', language }).html
      : renderMessage(kind, { language, layers: [], facts: factsOf(kind, language) }).html

  test('every message fits a narrow window and can be read, in light and dark, without pictures', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } })
    for (const language of playerLanguages)
      for (const kind of [...messageKinds, 'address_code'] as const) {
        const html = htmlOf(kind, language)
        const name = `${kind} in ${language}`
        // No picture is fetched, and here none of its own parts arrives.
        assert.doesNotMatch(html, /<img(?! src="cid:)|<script|url\(/, name)
        assert.ok(Buffer.byteLength(html) < 100_000, name)
        await page.setContent(html)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(wide <= 320, `${name} is ${wide} wide`)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          assert.deepEqual(await violations(page, 'colours'), [], `${name}, ${colorScheme}`)
        }
      }
    await page.close()
  })
})
