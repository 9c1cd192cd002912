import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import {
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  turning,
  openGame,
  wheelOf,
} from '../scenes/game-scene.ts'
import { defer, type Lifetime, until } from '../scenes/scene.ts'

describe('the game embedded in a page', { concurrency: 2 }, () => {
  const suite = makeGameSuite()

  type Message = Record<string, unknown>

  /** A page with an empty frame, served under another name of this machine, which makes it another site. */
  async function makeEmbeddingPage(t: Lifetime): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<title>Shop</title><body><iframe title="Game" width="400" height="900"></iframe>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    defer(t, () => server.close())
    return `http://localhost:${(server.address() as AddressInfo).port}`
  }

  /** Shows the link in the frame of such a page, and collects the messages of the game. */
  async function embed(
    page: Page,
    link: string,
  ): Promise<{ frame: Frame; messages: () => Promise<Message[]> }> {
    await page.evaluate((src) => {
      const messages: unknown[] = []
      addEventListener('message', (event) => messages.push({ origin: event.origin, ...event.data }))
      Object.assign(window, { messages })
      document.querySelector('iframe')?.setAttribute('src', src)
    }, link)
    const messages = () => page.evaluate(() => (window as unknown as { messages: Message[] }).messages)
    return { frame: page.frames()[1] as Frame, messages }
  }

  test('in a listed origin the game plays without cookies and posts messages to that origin only', async (t) => {
    const origin = await makeEmbeddingPage(t)
    const testMerchant = await makeTestMerchant(suite, {
      wheel: wheelOf({}),
      settings: { embedOrigins: [origin, 'https://other.example'] },
    })
    const link = await makeLink(suite, testMerchant, 1)
    const { page, pageErrors } = await openGame(t, suite, origin, turning)
    const { frame, messages } = await embed(page, link)
    await until(async () => (await messages()).some(({ type }) => type === 'opened'))
    await frame.locator('#action').click()
    await until(async () => (await messages()).some(({ type }) => type === 'won'))
    const seen = await messages()
    assert.ok(seen.every((message) => message.source === 'wheelhouse' && message.origin === suite.server.url))
    assert.deepEqual(
      seen
        .filter(({ type }) => type !== 'height')
        .map(({ type, spinCount, won, segment, kind }) => ({ type, spinCount, won, segment, kind })),
      [
        { type: 'opened', spinCount: 1 },
        { type: 'played', won: true, segment: 0 },
        { type: 'won', kind: 'handover' },
      ].map((message) => ({
        spinCount: undefined,
        won: undefined,
        segment: undefined,
        kind: undefined,
        ...message,
      })),
    )
    const heightNow = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height))
    await until(async () => {
      const heights = (await messages()).filter(({ type }) => type === 'height')
      return heights.at(-1)?.height === (await heightNow())
    })
    assert.equal((await page.context().cookies()).length, 0)
    assert.deepEqual(pageErrors, [])
  })

  test('the frame alone can be reloaded in a listed origin, with no token in its address', async (t) => {
    const origin = await makeEmbeddingPage(t)
    const testMerchant = await makeTestMerchant(suite, {
      wheel: wheelOf({}),
      settings: { embedOrigins: [origin] },
    })
    const { page, requests, pageErrors } = await openGame(t, suite, origin)
    const { frame, messages } = await embed(page, `${await makeLink(suite, testMerchant, 2)}&lang=de`)
    const reached = (state: string) => frame.locator(`body[data-state="${state}"]`).waitFor()
    await reached('ready')
    assert.match(frame.url(), /^[^?]*\/spinthewheel\/\?lang=de&frame=\d+\.\w+\.[\w-]+$/)
    await frame.evaluate(() => location.reload())
    await until(async () => (await messages()).filter(({ type }) => type === 'opened').length === 2)
    await reached('ready')
    await frame.locator('#action').click()
    await reached('won')
    assert.equal(await frame.locator('html').getAttribute('lang'), 'de')
    assert.equal(requests.filter((url) => url.includes('token=')).length, 1)
    assert.deepEqual(pageErrors, [])
  })

  test('the wallet opens in the frame, can be reloaded there, and leads back to the game', async (t) => {
    const origin = await makeEmbeddingPage(t)
    const wheel = wheelOf({ prize: { kind: 'fixed', code: 'FRAME-7' } })
    const testMerchant = await makeTestMerchant(suite, { wheel, settings: { embedOrigins: [origin] } })
    const { page, pageErrors } = await openGame(t, suite, origin)
    const { frame } = await embed(page, await makeLink(suite, testMerchant, 1))
    await frame.locator('#action').click()
    await frame.locator('body[data-state="won"]').waitFor()
    await frame.locator('#wins button').click()
    const code = frame.locator('#prizes', { hasText: 'FRAME-7' })
    await code.waitFor()
    assert.doesNotMatch(frame.url(), /token/)
    await frame.evaluate(() => location.reload())
    await code.waitFor()
    await frame.getByRole('button', { name: 'Back to the game' }).click()
    await frame.locator('#action').waitFor()
    assert.equal((await page.context().cookies()).length, 0)
    assert.deepEqual(pageErrors, [])
  })

  test('in any other origin the game is not shown and posts no message', async (t) => {
    const [origin, elsewhere] = await Promise.all([makeEmbeddingPage(t), makeEmbeddingPage(t)])
    const testMerchant = await makeTestMerchant(suite, { settings: { embedOrigins: [origin] } })
    const { page, pageErrors } = await openGame(t, suite, elsewhere)
    const { messages } = await embed(page, await makeLink(suite, testMerchant, 1))
    await until(() => pageErrors.length > 0)
    assert.match(pageErrors.join(), /frame-ancestors/)
    assert.deepEqual(await messages(), [])
  })

  test('a code can be copied where the frame has no clipboard permission', async (t) => {
    const origin = await makeEmbeddingPage(t)
    const testMerchant = await makeTestMerchant(suite, {
      wheel: wheelOf({ prize: { kind: 'fixed', code: 'FRAMED-1' } }),
      settings: { embedOrigins: [origin] },
    })
    const { page } = await openGame(t, suite, origin, { viewport: { width: 800, height: 960 } })
    await page.context().grantPermissions(['clipboard-read'], { origin })
    const { frame } = await embed(page, await makeLink(suite, testMerchant, 1))
    await frame.locator('#action').click()
    await frame.locator('body[data-state="won"]').waitFor()
    const refusal = await frame.evaluate(() =>
      navigator.clipboard.writeText('by the modern way').then(String, (error: Error) => error.name),
    )
    assert.equal(refusal, 'NotAllowedError', 'the embedding page did not allow it')
    await frame.locator('#panel').getByRole('button', { name: 'Copy' }).click()
    await frame.locator('#panel').getByRole('button', { name: 'Copied' }).waitFor()
    await page.locator('body').click({ position: { x: 600, y: 10 } })
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'FRAMED-1')
    // In a browser without any way to copy, the code is selected, so that the player can copy it.
    await frame.evaluate(() => (document.execCommand = () => false))
    await frame.getByRole('button', { name: 'Copied' }).click()
    await frame.getByRole('button', { name: 'Selected: please copy it yourself' }).waitFor()
    assert.equal(await frame.evaluate(() => String(getSelection())), 'FRAMED-1')
  })
})
