import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { revokeLinksOfMerchant } from '../../src/merchants/merchants.ts'
import { openBrowser } from '../scenes/pages.ts'
import { makeMerchant, makeServer, post, type Server, suiteLifetime, waitMsMax } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('in a real browser', () => {
  const lifetime = suiteLifetime()
  let browser: Browser
  let server: Server
  before(async () => {
    browser = await openBrowser(lifetime)
    server = await makeServer(lifetime)
  })

  /** A page that records every request and every console error. */
  async function openPage(url: string, size = { width: 390, height: 844 }) {
    const page = await browser.newPage({ viewport: size })
    page.setDefaultTimeout(waitMsMax)
    const requests: string[] = []
    const pageErrors: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && pageErrors.push(message.text()))
    page.on('pageerror', (error) => pageErrors.push(error.message))
    await page.goto(url)
    return { page, requests, pageErrors }
  }

  async function makeLink(initialSpin: number): Promise<{ link: string; merchantId: number }> {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const answer = await post(`${server.url}/api/game/sso`, token, { playerId: 'pia', initialSpin })
    return {
      link: `${server.url}/spinthewheel/?token=${answer.body.token as string}`,
      merchantId: merchant.merchantId,
    }
  }

  const textOf = async (page: Page, expected: RegExp) => {
    await page.waitForFunction((source) => new RegExp(source).test(document.body.innerText), expected.source)
  }

  test("the link opens a page with the player's spins, and the token is removed from the address bar", async () => {
    for (const size of [
      { width: 320, height: 568 },
      { width: 1280, height: 800 },
    ]) {
      const { link } = await makeLink(1234)
      const { page, requests, pageErrors } = await openPage(link, size)
      await textOf(page, /You have 1,234 spins\./)
      assert.equal(page.url(), `${server.url}/spinthewheel/`)
      assert.ok(requests.every((url) => url.startsWith(server.url)))
      assert.equal(
        requests.filter((url) => url.includes('token=')).length,
        1,
        'only the request for the page has the token in its address',
      )
      assert.deepEqual(pageErrors, [])
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        'nothing overflows',
      )
      await page.close()
    }
  })

  test('a revoked link, a broken link and a link without a token each say what to do', async () => {
    const { link, merchantId } = await makeLink(3)
    await revokeLinksOfMerchant(server.ctx.db, merchantId, new Date(Date.now() + 1))
    const states: [string, RegExp][] = [
      [link, /no longer valid.*get a new one/],
      [`${server.url}/spinthewheel/?token=x.y.z`, /doesn’t work.*get a new one/],
      [`${server.url}/spinthewheel/`, /doesn’t work.*get a new one/],
    ]
    for (const [url, expected] of states) {
      const { page } = await openPage(url)
      await textOf(page, expected)
      await page.close()
    }
  })

  test('an offline player can try again', async () => {
    const { link } = await makeLink(3)
    const page = await browser.newPage()
    page.setDefaultTimeout(waitMsMax)
    await page.route('**/api/v1/game/session', (route) => route.abort())
    await page.goto(link)
    await textOf(page, /couldn’t reach the game/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await textOf(page, /You have 3 spins\./)
    await page.close()
  })

  test('the policy of the API reference allows no inline script and nothing evaluated', async () => {
    const policy = (await fetch(`${server.url}/docs/`)).headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self' 'sha256-[^']+';/)
  })

  test(
    'the API reference shows both operations and loads nothing from other origins',
    onLanding,
    async () => {
      const { page, requests, pageErrors } = await openPage(`${server.url}/docs`, {
        width: 1280,
        height: 900,
      })
      await textOf(page, /Increase the number of spins/)
      await textOf(page, /Generate a game link/)
      assert.deepEqual(
        requests.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url)),
        [],
      )
      assert.deepEqual(pageErrors, [])
      await page.close()
    },
  )
})
