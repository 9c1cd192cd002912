import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { isBuildKept } from '../../scripts/embed-builds.ts'
import {
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  openGame,
  violations,
  wheelOf,
} from '../scenes/game-scene.ts'
import { makeEntryPage } from '../scenes/entry-scene.ts'
import { defer, type Lifetime, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('<wheelhouse-game>', { concurrency: 2 }, () => {
  const suite = makeGameSuite()

  type Embed = { script: string; integrity: string; newest: string }
  type Heard = { id: string; type: string; detail: Record<string, unknown> }

  const readEmbed = async () => {
    const described = (await (await fetch(`${suite.server.url}/embed/v1.json`)).json()) as Embed
    // The server of a test is not at its public address.
    const here = (url: string) => suite.server.url + new URL(url).pathname
    return { ...described, script: here(described.script), newest: here(described.newest) }
  }

  /** A shop in another site, with a policy that allows no inline styles and no inline scripts. */
  async function makeShop(t: Lifetime, body: () => string): Promise<string> {
    const { script, integrity } = await readEmbed()
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      const { url } = suite.server
      response.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${url}; frame-src ${url}`)
      response.end(`<!doctype html><html lang="en"><title>Shop</title>
        <script async src="${script}" integrity="${integrity}" crossorigin="anonymous"></script><main>${body()}</main>`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    defer(t, () => server.close())
    return `http://localhost:${(server.address() as AddressInfo).port}`
  }

  /** Opens the shop where third-party cookies and storage are blocked, and records the events of the elements in it. */
  async function visit(t: Lifetime, shop: string) {
    const opened = await openGame(t, suite, 'about:blank', {
      viewport: { width: 900, height: 800 },
      prepare: async (page) => {
        const session = await page.context().newCDPSession(page)
        await session.send('Network.enable')
        await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
        await page.addInitScript(prepareFrame)
      },
    })
    const { page } = opened
    await page.goto(shop)
    await page.waitForFunction(() => customElements.get('wheelhouse-game') !== undefined)
    const heard = () => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
    const hears = (id: string, type: string) =>
      until(async () => (await heard()).some((one) => one.id === id && one.type === type))
    return { ...opened, heard, hears }
  }

  const gameFrames = (page: Page) => page.frames().filter((frame) => frame.url().includes('/spinthewheel/'))

  /** Waits until the frame is as high as its content. */
  async function fits(frame: Frame): Promise<void> {
    const box = await frame.frameElement()
    await until(async () => {
      const content = await frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height))
      return (await box.boundingBox())?.height === content
    })
  }

  test(
    'two games on a page, one of them in shadow DOM, play without cookies and by keyboard alone',
    onLanding,
    async (t) => {
      const links: string[] = []
      const shop = await makeShop(
        t,
        () =>
          `<h1>Shop</h1><button id="play">Play</button><wheelhouse-game id="inline" trigger="load" link="${links[0]}"></wheelhouse-game>
      <div><template shadowrootmode="open">
        <wheelhouse-game id="dialog" mode="dialog" trigger="click #play" link="${links[1]}" label="Your wheel"></wheelhouse-game>
      </template></div>`,
      )
      for (const spins of [1, 0]) {
        const settings = { embedOrigins: [shop] }
        const merchant = await makeTestMerchant(suite, { wheel: wheelOf({}), settings })
        links.push(await makeLink(suite, merchant, spins))
      }
      const { page, pageErrors, heard, hears } = await visit(t, shop)
      await hears('inline', 'opened')
      const inline = gameFrames(page)[0] as Frame
      await inline.locator('#action').click()
      await hears('inline', 'won')
      const details = (await heard()).filter(({ type }) => ['opened', 'played', 'won'].includes(type))
      assert.deepEqual(
        details.map(({ type, detail: { playId, ...rest } }) => [type, rest, typeof playId]),
        [
          ['opened', { spinCount: 1 }, 'undefined'],
          ['played', { segment: 0, won: true }, 'string'],
          ['won', { kind: 'handover' }, 'string'],
        ],
      )
      await fits(inline)
      assert.equal((await heard()).filter(({ type }) => type === 'show').length, 1)

      const { keyboard } = page
      const closings = async () => (await heard()).filter(({ type }) => type === 'close').length
      await page.locator('#play').focus()
      await keyboard.press('Enter')
      await until(async () => (await heard()).filter(({ type }) => type === 'opened').length === 2)
      assert.equal(await page.evaluate(deepFocus), 'BUTTON Close')
      assert.deepEqual(await violations(page), [])
      await keyboard.press('Tab')
      assert.equal(await page.evaluate(deepFocus), 'IFRAME Your wheel')
      await keyboard.press('Escape')
      await until(async () => (await closings()) === 1)
      assert.equal(await page.evaluate(deepFocus), 'BUTTON Play')
      await keyboard.press('Enter')
      await until(async () => (await page.evaluate(deepFocus)) === 'BUTTON Close')
      await keyboard.press('Escape')
      await until(async () => (await closings()) === 2)
      assert.equal(await page.evaluate(deepFocus), 'BUTTON Play')
      await inline.evaluate(() => (document.cookie = 'a=1; SameSite=None; Secure'))
      assert.equal(await inline.evaluate(() => document.cookie), '', 'cookies are blocked')
      assert.deepEqual(pageErrors, [])
    },
  )

  test('with `entry` a visitor enters in a dialog and plays, and a site that is not listed shows nothing', async (t) => {
    let address = ''
    const shop = await makeShop(
      t,
      () =>
        `<h1>Shop</h1><a class="play" href="${address}">Play</a>
        <wheelhouse-game id="game" mode="dialog" trigger="click .play" entry="${address}"></wheelhouse-game>`,
    )
    const entry = await makeEntryPage(suite.server)
    await entry.api.publish(wheelOf({}))
    address = `${suite.server.url}/play/${entry.merchant}/main`
    const unlisted = await visit(t, shop)
    await unlisted.page.locator('.play').click()
    await unlisted.hears('game', 'error')
    await unlisted.page.locator('wheelhouse-game:not([open])').waitFor({ state: 'attached' })

    await entry.api.call('PATCH', '/merchant', { embedOrigins: [shop] })
    await until(
      async () =>
        (await fetch(address)).headers.get('content-security-policy')?.endsWith(` ${shop}`) === true,
    )
    const { page, pageErrors, heard, hears } = await visit(t, shop)
    await page.locator('.play').click()
    await until(async () => page.frames().some((frame) => frame.url() === address))
    const frame = page.frames().find((one) => one.url() === address) as Frame
    await frame.getByLabel('Your e-mail').fill('ann@shop.example')
    await page.keyboard.press('Enter')
    await hears('game', 'opened')
    await frame.locator('#action').click()
    await hears('game', 'won')
    const types = (await heard()).map(({ type }) => type)
    assert.deepEqual(types, ['show', 'entered', 'opened', 'played', 'won'])
    assert.equal((await page.context().cookies()).length, 0)
    assert.deepEqual(pageErrors, [])
  })

  test(
    'with `entry` it opens inline, in a corner and as a dialog, by each trigger, and a link goes first',
    onLanding,
    async (t) => {
      let address = ''
      const shop = await makeShop(
        t,
        () =>
          `<h1>Shop</h1><input id="field" aria-label="Search"><button class="play">Play</button>
        <wheelhouse-game id="game" trigger="none" entry="${address}"></wheelhouse-game>`,
      )
      const entry = await makeEntryPage(suite.server)
      await entry.api.publish(wheelOf({}))
      await entry.api.call('PATCH', '/merchant', { embedOrigins: [shop] })
      address = `${suite.server.url}/play/${entry.merchant}/main`
      const policy = async () => (await fetch(address)).headers.get('content-security-policy') ?? ''
      await until(async () => (await policy()).endsWith(` ${shop}`))
      const { page, pageErrors } = await visit(t, shop)
      const game = page.locator('#game')
      const set = (attributes: Record<string, string>) =>
        game.evaluate((element, all) => {
          element.removeAttribute('open')
          for (const [name, value] of Object.entries(all)) element.setAttribute(name, value)
        }, attributes)
      const shows = async () => {
        await game.locator('iframe').contentFrame().getByLabel('Your e-mail').waitFor()
        assert.deepEqual(await violations(page), [])
      }

      await set({ trigger: 'load' })
      await shows()
      const frame = (await (await game.locator('iframe').elementHandle())?.contentFrame()) as Frame
      await fits(frame)
      assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      await page.locator('#field').focus()
      await set({ mode: 'corner', trigger: 'delay 0' })
      await shows()
      assert.match(await page.evaluate(deepFocus), /^INPUT/, 'a corner that appears by itself takes no focus')
      await set({ mode: 'dialog', trigger: 'exit' })
      await page.mouse.move(200, 200)
      await page.mouse.move(200, -10)
      await shows()
      await page.keyboard.press('Escape')
      await set({ trigger: 'click .play' })
      await page.locator('.play').click()
      await shows()
      await page.keyboard.press('Escape')
      await set({ mode: 'corner', trigger: 'scroll 50' })
      await page.evaluate(() => {
        document.body.style.height = '3000px'
        scrollTo(0, 2000)
      })
      await shows()
      await set({ trigger: 'load', link: await makeLink(suite, entry.api, 1) })
      await game.locator('iframe').contentFrame().locator('body[data-state="ready"]').waitFor()
      assert.deepEqual(pageErrors, [])
    },
  )

  test('it follows its attributes and triggers, and heeds only the game in its own frame', async (t) => {
    const shop = await makeShop(
      t,
      () => '<input id="field"><wheelhouse-game id="game" trigger="none"></wheelhouse-game>',
    )
    const merchant = await makeTestMerchant(suite, { settings: { embedOrigins: [shop] } })
    const link = await makeLink(suite, merchant, 1)
    const { page, pageErrors, heard, hears } = await visit(t, shop)
    const set = (attributes: Record<string, string | null>) =>
      page.evaluate((all) => {
        for (const [name, value] of Object.entries(all))
          if (value === null) document.querySelector('#game')?.removeAttribute(name)
          else document.querySelector('#game')?.setAttribute(name, value)
      }, attributes)
    const count = async (type: string) => (await heard()).filter((one) => one.type === type).length

    await set({ open: '', link: 'javascript:alert(1)' })
    await hears('game', 'error')
    assert.match(pageErrors.join(), /link is not an http\(s\) address/)
    assert.equal(page.frames().length, 1)
    await page.evaluate(() => postMessage({ source: 'wheelhouse', type: 'won' }, '*'))
    await set({ link })
    await until(async () => (await count('opened')) === 1)
    assert.equal(await count('won'), 0, 'the page itself is not the game')
    await page.evaluate(() => {
      const game = document.querySelector('#game') as HTMLElement
      game.remove()
      document.body.append(game)
    })
    await until(async () => (await count('opened')) === 2)

    // A corner that appears by itself leaves the focus alone; one that was asked for takes and returns it.
    await page.locator('#field').focus()
    await set({ open: null, mode: 'corner' })
    await set({ trigger: 'delay 0' })
    await until(async () => (await count('opened')) === 3)
    assert.match(await page.evaluate(deepFocus), /^INPUT/)
    await set({ open: null })
    await page.evaluate(() => (document.querySelector('#game') as unknown as { show: () => void }).show())
    assert.equal(await page.evaluate(deepFocus), 'BUTTON Close')
    await page.keyboard.press('Escape')
    assert.match(await page.evaluate(deepFocus), /^INPUT/)
    const closings = await count('close')

    // Also if the focus is in the game.
    await page.evaluate(() => (document.querySelector('#game') as unknown as { show: () => void }).show())
    const action = page.locator('#game iframe').contentFrame().locator('#action')
    await action.click()
    await until(async () => (await count('played')) === 1)
    await page.keyboard.press('Escape')
    await until(async () => (await count('close')) === closings + 1)
    assert.match(await page.evaluate(deepFocus), /^INPUT/)

    await set({ trigger: 'exit' })
    await page.mouse.move(200, 200)
    await page.mouse.move(200, -10)
    await until(async () => (await count('show')) === 6)
    await set({ open: null, trigger: 'scroll 50' })
    await page.evaluate(() => {
      document.body.style.height = '3000px'
      scrollTo(0, 2000)
    })
    await until(async () => (await count('show')) === 7)

    // A game whose link is dead reports its height too.
    const revocation = `${suite.server.url}/api/v1/players/pia/links/revocation`
    const headers = { Authorization: merchant.token }
    assert.equal((await fetch(revocation, { method: 'PUT', headers })).status, 200)
    await set({ mode: 'inline' })
    // Browsers don't lay out a frame of another site that is far out of view.
    await page.evaluate(() => scrollTo(0, 0))
    const frame = page.locator('#game iframe')
    await frame.contentFrame().locator('body[data-state="revoked"]').waitFor()
    await fits((await (await frame.elementHandle())?.contentFrame()) as Frame)
    const opacity = () => page.locator('#game iframe').evaluate((shown) => getComputedStyle(shown).opacity)
    assert.equal(await opacity(), '1')

    const stranger = await makeTestMerchant(suite)
    await page.clock.install()
    await set({ link: await makeLink(suite, stranger, 1) })
    assert.equal(await opacity(), '0', "the browser's error page is not shown")
    await until(async () => {
      await page.clock.fastForward(10_000)
      return (await heard()).some(({ detail }) => String(detail.message).includes('embedding origins'))
    })
    // On a site that is not listed it disappears.
    assert.equal(await page.locator('#game iframe').count(), 0)
    assert.equal(await page.locator('#game').getAttribute('open'), null)
  })

  test('the script is small, kept for ever under its hash, and can be checked by its integrity', async () => {
    const { script, integrity, newest } = await readEmbed()
    const pinned = await fetch(script, { headers: { 'Accept-Encoding': 'identity' } })
    const code = Buffer.from(await pinned.arrayBuffer())
    assert.equal(integrity, `sha384-${createHash('sha384').update(code).digest('base64')}`)
    assert.equal(pinned.headers.get('Cache-Control'), 'public, max-age=31536000, immutable')
    const latest = await fetch(newest, { headers: { 'Accept-Encoding': 'br' } })
    assert.match(latest.headers.get('Cache-Control') ?? '', /^public, max-age=3600,/)
    for (const { headers } of [pinned, latest]) {
      assert.equal(headers.get('Access-Control-Allow-Origin'), '*')
      assert.match(headers.get('Content-Type') ?? '', /\/javascript; charset=utf-8$/)
    }
    assert.equal(latest.headers.get('Content-Encoding'), 'br')
    assert.ok(Number(latest.headers.get('Content-Length')) < 4_000)
    assert.ok(isBuildKept(), 'the script has changed: run `npm run build -- --keep`')
  })
})

/** The element with the focus, also inside shadow trees. */
function deepFocus(): string {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  const name = element?.getAttribute('aria-label') ?? element?.getAttribute('title') ?? element?.textContent
  return `${element?.tagName} ${name}`
}

/** Runs in every frame before its scripts: browsers that block third-party cookies may refuse storage too. */
function prepareFrame(): void {
  if (window !== window.parent)
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
  const heard: object[] = []
  Object.assign(window, { heard })
  const types = ['show', 'entered', 'opened', 'played', 'won', 'close', 'error']
  const define = customElements.define.bind(customElements)
  // Listens to each element from its beginning, also inside shadow trees.
  customElements.define = (name, Element) =>
    define(
      name,
      class extends Element {
        constructor() {
          super()
          for (const type of types)
            this.addEventListener(type, (event) =>
              heard.push({ id: this.id, type, detail: (event as CustomEvent<object>).detail }),
            )
        }
      },
    )
}
