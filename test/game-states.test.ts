import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { revokeLinksOfMerchant, setSuspension } from '../src/merchants/merchants.ts'
import { setBlock } from '../src/players/players.ts'
import { setPause } from '../src/wheels/wheels.ts'
import {
  holdAnswers,
  makeArcade,
  makeLink,
  makeShop,
  reach,
  type Shop,
  spin,
  violations,
  visit,
  type Visit,
  wheelOf,
} from './game-scene.ts'
import { type Lifetime, makeServer, post, repository } from './scene.ts'

const languageFolder = join(repository, 'web', 'game', 'languages')
const screens = {
  phone: { viewport: { width: 320, height: 568 }, locale: 'en-GB' },
  desktop: { viewport: { width: 1280, height: 800 }, locale: 'ar-EG' },
} as const

describe('each state of the game page', { concurrency: 2 }, () => {
  const arcade = makeArcade()

  /** No state may stick out, complain, or be out of reach for anybody; on a phone in English, on a desktop in Arabic. */
  async function check({ page, complaints }: Visit): Promise<void> {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it sticks out')
    assert.deepEqual(await violations(page), [])
    // The browser itself notes every refusal of the server.
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith('Failed to load resource')),
      [],
    )
  }

  async function onEveryScreen(
    t: Lifetime,
    link: string,
    look: (visited: Visit) => Promise<unknown>,
    options: Parameters<typeof visit>[3] = {},
  ): Promise<void> {
    for (const screen of Object.values(screens)) {
      const visited = await visit(t, arcade, link, { ...screen, ...options })
      await look(visited)
      await check(visited)
    }
  }

  const textOf = ({ page }: Visit): Promise<string> => page.locator('#panel').innerText()

  test('loading, then ready: the spins by locale, and one button', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1234)
    for (const [name, screen] of Object.entries(screens)) {
      let letGo = (): void => undefined
      const visited = await visit(t, arcade, link, {
        ...screen,
        prepare: async (page) => (letGo = await holdAnswers(page, '**/session')),
      })
      await visited.page.locator('#action[aria-disabled="true"]').waitFor()
      await check(visited)
      letGo()
      await reach(visited.page, 'ready')
      const expected = name === 'phone' ? 'You have 1,234 spins.' : 'لديك ١٬٢٣٤ محاولة.'
      assert.equal(await visited.page.locator('#panel-title').textContent(), expected)
      assert.equal(await visited.page.locator('html').getAttribute('dir'), name === 'phone' ? 'ltr' : 'rtl')
      for (const summary of await visited.page.locator('summary:visible').all()) await summary.click()
      await check(visited)
    }
  })

  test("in ten languages, by the browser's setting or by the address", async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const languages = readdirSync(languageFolder).map((file) => file.replace('.json', ''))
    assert.ok(languages.length >= 10)
    const asked = await visit(t, arcade, link, { ...screens.phone, locale: 'sv' })
    for (const language of languages) {
      const texts = JSON.parse(readFileSync(join(languageFolder, `${language}.json`), 'utf8'))
      const set = await visit(t, arcade, link, { ...screens.phone, locale: language })
      await asked.page.goto(`${link}&lang=${language}`)
      for (const { page } of [set, asked]) {
        await reach(page, 'ready')
        assert.equal(await page.locator('#action').textContent(), texts['ready.action'])
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        assert.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr')
      }
      await set.page.context().close()
    }
  })

  test('turning, and won', async (t) => {
    const prize = { kind: 'fixed', code: 'A-LONG-CODE-THAT-NEEDS-ROOM-1234567890' } as const
    const instructions = 'Enter it at the checkout. '.repeat(10).trim()
    const claimWithinSeconds = 86_400
    const wheel = wheelOf({
      prize,
      title: 'A quarter off '.repeat(8).trim(),
      instructions,
      claimWithinSeconds,
    })
    const link = await makeLink(arcade, await makeShop(arcade, { wheel }), 9)
    await onEveryScreen(t, link, async (visited) => {
      const letGo = await holdAnswers(visited.page, '**/plays')
      await visited.page.locator('#action').click()
      await reach(visited.page, 'turning', 'waiting')
      await check(visited)
      letGo()
      await reach(visited.page, 'won')
      assert.ok((await textOf(visited)).includes(prize.code))
    })
  })

  test('no luck, and then no spins left until the merchant gives some', async (t) => {
    const shop = await makeShop(arcade, { wheel: wheelOf({ prize: { kind: 'none' } }) })
    const link = await makeLink(arcade, shop, 1)
    const visited = await visit(t, arcade, link, screens.phone)
    await reach(visited.page, 'ready')
    assert.equal(await spin(visited.page), 'noLuck')
    assert.match(await textOf(visited), /No luck this time[^]*That was your last spin/)
    await check(visited)
    await visited.page.getByRole('button', { name: 'Check for new spins' }).click()
    await reach(visited.page, 'noSpins')
    await onEveryScreen(t, link, ({ page }) => reach(page, 'noSpins', 'noLuck'))
    await post(`${arcade.server.url}/api/player/increaseSpin`, shop.token, { playerId: 'pia', spinNumber: 2 })
    await visited.page.getByRole('button', { name: 'Check again' }).click()
    await reach(visited.page, 'ready')
    assert.match(await textOf(visited), /You have 2 spins\./)
  })

  test('closed, with the time at which it opens; paused; both found out with the press as well', async (t) => {
    const shop = await makeShop(arcade)
    const link = await makeLink(arcade, shop, 1)
    const early = await visit(t, arcade, link)
    await reach(early.page, 'ready')
    const opensAt = new Date(Date.now() + 5 * 86_400_000)
    await shop.publish(wheelOf({}, { opensAt: opensAt.toISOString() }))
    await onEveryScreen(t, link, ({ page }) => reach(page, 'closed'))
    await early.page.locator('#action').click()
    await reach(early.page, 'closed')
    const day = opensAt.toLocaleDateString('en-GB', { dateStyle: 'medium' })
    assert.ok((await textOf(early)).includes(`It opens on ${day}`), await textOf(early))

    const { merchantId } = shop.merchant
    await setPause(arcade.server.ctx.db, { merchantId, slug: 'main', isPaused: true, now: new Date() })
    await onEveryScreen(t, link, async ({ page }) => {
      await page.locator('body[data-state="closed"], body[data-state="paused"]').waitFor()
      while ((await reach(page, 'closed', 'paused')) === 'closed') {
        await page.locator('#action').click()
        await page.locator('#action[aria-disabled="false"]').waitFor()
      }
    })
  })

  const endings: [string, RegExp, (shop: Shop) => Promise<unknown>][] = [
    [
      'revoked',
      /no longer valid.*get a new one/,
      ({ merchant }) =>
        revokeLinksOfMerchant(arcade.server.ctx.db, merchant.merchantId, new Date(Date.now() + 1)),
    ],
    [
      'blocked',
      /isn’t available to you.*contact the shop/,
      ({ merchant: { merchantId } }) =>
        setBlock(arcade.server.ctx.db, { merchantId, playerId: 'pia' }, new Date()),
    ],
    [
      'suspended',
      /closed at the moment.*contact the shop/,
      ({ merchant }) => setSuspension(arcade.server.ctx.db, merchant.slug, new Date()),
    ],
  ]
  for (const [state, text, end] of endings) {
    test(`${state}, from the start and in the middle of a game`, async (t) => {
      const shop = await makeShop(arcade)
      const link = await makeLink(arcade, shop, 1)
      const early = await visit(t, arcade, link)
      await reach(early.page, 'ready')
      await end(shop)
      await early.page.locator('#action').click()
      await reach(early.page, state)
      assert.match(await textOf(early), text)
      await onEveryScreen(t, link, ({ page }) => reach(page, state))
    })
  }

  test('expired, and invalid: cut off or without a token', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const { ctx, target, url } = arcade.server
    const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000)
    const later = await makeServer(t, { database: { target, db: ctx.db }, now: inTwoDays })
    await onEveryScreen(t, link.replace(url, later.url), ({ page }) => reach(page, 'expired'))
    for (const broken of [link.slice(0, -20), `${arcade.server.url}/spinthewheel/`]) {
      await onEveryScreen(t, broken, ({ page }) => reach(page, 'invalid'))
    }
  })

  test('offline, and back by itself', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    await onEveryScreen(t, link, ({ page }) => reach(page, 'offline'), {
      prepare: (page) => page.route('**/session', (route) => route.abort()),
    })
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    await page.context().setOffline(true)
    await page.locator('#action').click()
    await reach(page, 'turning', 'waiting')
    await page.context().setOffline(false)
    await reach(page, 'won', 'noLuck')
  })

  test('the server down, and up again with the next try', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const prepare = (page: Visit['page']) =>
      page.route('**/session', (route) => route.fulfill({ status: 503, body: '' }))
    await onEveryScreen(
      t,
      link,
      async ({ page }) => {
        await reach(page, 'down')
        await page.unroute('**/session')
        await page.locator('#action').click()
        await reach(page, 'ready')
      },
      { prepare },
    )
  })

  test("a merchant's look is put on, and stays readable with colours that can't be told apart", async (t) => {
    const look = {
      merchantName: 'Grey & Sons <b>',
      background: '#777777',
      surface: '#787878',
      accent: '#767676',
      text: '#757575',
    }
    const texts = {
      en: { title: 'Our <i>wheel</i>', button: 'Go on', won: 'Hooray' },
      ar: { title: 'عجلتنا' },
    }
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}, { look, texts }) }), 9)
    await onEveryScreen(t, link, async ({ page }) => {
      await spin(page)
    })
    const { page } = await visit(t, arcade, `${link}&lang=en`, { locale: 'ja' })
    await reach(page, 'won')
    assert.equal(await page.locator('#title').innerText(), 'Our <i>wheel</i>')
    assert.equal(await page.locator('#merchant').innerText(), 'Grey & Sons <b>')
    assert.equal(await page.locator('#panel-title').innerText(), 'Hooray')
    assert.match(page.url(), /\?lang=en$/)
  })

  test('forced colours and 200 % zoom leave everything in reach', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 3)
    const forced = await visit(t, arcade, link, { forcedColors: 'active' })
    await reach(forced.page, 'ready')
    await check(forced)
    // What a window of 1280 pixels shows at 200 %.
    const zoomed = await visit(t, arcade, link, {
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
    })
    await reach(zoomed.page, 'ready')
    await spin(zoomed.page)
    await check(zoomed)
  })

  test('a look at the server that is under way does not disturb a spin', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 3)
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    const letLookGo = await holdAnswers(page, '**/session')
    const letPlayGo = await holdAnswers(page, '**/plays')
    const asked = page.waitForRequest('**/session')
    // The player comes back to the tab after a while.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 61_000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await asked
    await page.locator('#action').click()
    await reach(page, 'turning', 'waiting')
    const answered = page.waitForResponse('**/session')
    letLookGo()
    await answered
    assert.notEqual(await reach(page, 'turning', 'waiting', 'ready'), 'ready')
    letPlayGo()
    await reach(page, 'won')
    assert.match(await page.locator('#note').innerText(), /2 spins left/)
  })

  test('the sound can be muted, and stays so', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    await page.getByRole('button', { name: 'Sound', pressed: true }).click()
    await page.reload()
    await reach(page, 'ready')
    assert.equal(await page.getByRole('button', { name: 'Sound', pressed: false }).count(), 1)
  })
})
