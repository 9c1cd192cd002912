import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { revokeLinksOfMerchant, setSuspension } from '../../src/merchants/merchants.ts'
import { setBlock } from '../../src/players/players.ts'
import { setPause } from '../../src/wheels/wheels.ts'
import {
  holdResponses,
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  untilState,
  type TestMerchant,
  spin,
  violations,
  openGame,
  type GamePage,
  wheelOf,
} from '../scenes/game-scene.ts'
import { type Lifetime, makeServer, post, repository } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'

const languageFolder = join(repository, 'src', 'languages')
const screens = {
  phone: { viewport: { width: 320, height: 568 }, locale: 'en-GB' },
  desktop: { viewport: { width: 1280, height: 800 }, locale: 'ar-EG' },
} as const

describe('each state of the game page', { concurrency: 2 }, () => {
  const suite = makeGameSuite()

  /** No state may overflow, log an error or be inaccessible. */
  async function check(visited: GamePage): Promise<void> {
    await checkLayout(visited)
    assert.deepEqual(await violations(visited.page), [])
  }

  async function checkLayout({ page, pageErrors }: GamePage): Promise<void> {
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
    assert.ok(fits, 'the page overflows')
    // The browser itself logs every refusal of the server.
    const isOurs = (text: string) => !text.startsWith('Failed to load resource')
    assert.deepEqual(pageErrors.filter(isOurs), [])
  }

  /** On a phone in English, and on a desktop in Arabic. */
  async function onEveryScreen(
    t: Lifetime,
    link: string,
    look: (visited: GamePage) => Promise<unknown>,
    options: Parameters<typeof openGame>[3] = {},
  ): Promise<void> {
    const visited = await openGame(t, suite, link, { ...screens.phone, ...options })
    await look(visited)
    await check(visited)
    // The same page again: a new one would take twice the processor time.
    await visited.page.setViewportSize(screens.desktop.viewport)
    await options.prepare?.(visited.page)
    await visited.page.goto(`${link}${link.includes('?') ? '&' : '?'}lang=ar`)
    await look(visited)
    await (runsAll ? check(visited) : checkLayout(visited))
  }

  const textOf = ({ page }: GamePage): Promise<string> => page.locator('#panel').innerText()

  test('loading, then ready: the spins formatted by locale, and one button', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1234)
    for (const [name, screen] of Object.entries(screens)) {
      let release = (): void => undefined
      const visited = await openGame(t, suite, link, {
        ...screen,
        prepare: async (page) => (release = await holdResponses(page, '**/session')),
      })
      await visited.page.locator('#action[aria-disabled="true"]').waitFor()
      await check(visited)
      release()
      await untilState(visited.page, 'ready')
      const expected = name === 'phone' ? 'You have 1,234 spins.' : 'لديك ١٬٢٣٤ محاولة.'
      assert.equal(await visited.page.locator('#panel-title').textContent(), expected)
      assert.equal(await visited.page.locator('html').getAttribute('dir'), name === 'phone' ? 'ltr' : 'rtl')
      for (const summary of await visited.page.locator('summary:visible').all()) await summary.click()
      await check(visited)
    }
  })

  test("in every language, by the browser's setting or by the address", onLanding, async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    assert.ok(playerLanguages.length >= 10)
    const asked = await openGame(t, suite, link, { ...screens.phone, locale: 'sv' })
    const isIn = async ({ page }: GamePage, language: string) => {
      const texts = JSON.parse(readFileSync(join(languageFolder, language, 'game.json'), 'utf8'))
      await untilState(page, 'ready')
      assert.equal(await page.locator('#action').textContent(), texts['ready.action'])
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      assert.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr')
    }
    for (const language of runsAll ? playerLanguages : ['ar', 'de']) {
      await asked.page.goto(`${link}&lang=${language}`)
      await isIn(asked, language)
    }
    // Every setting is looked up in the same list.
    for (const locale of ['ar', 'ja'])
      await isIn(await openGame(t, suite, link, { ...screens.phone, locale }), locale)
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
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 9)
    await onEveryScreen(t, link, async (visited) => {
      const release = await holdResponses(visited.page, '**/plays')
      await visited.page.locator('#action').click()
      await untilState(visited.page, 'turning', 'waiting')
      await check(visited)
      release()
      await untilState(visited.page, 'won')
      assert.ok((await textOf(visited)).includes(prize.code))
    })
  })

  test('no win, and then no spins left until the merchant grants some', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ prize: { kind: 'none' } }) })
    const link = await makeLink(suite, testMerchant, 1)
    const visited = await openGame(t, suite, link, screens.phone)
    await untilState(visited.page, 'ready')
    await visited.page.evaluate(() => {
      const announcer = document.getElementById('announcer') as HTMLElement
      const said: string[] = []
      Object.assign(window, { said })
      new MutationObserver(() => said.push(announcer.textContent)).observe(announcer, { childList: true })
    })
    assert.equal(await spin(visited.page), 'noLuck')
    assert.match(await textOf(visited), /No luck this time[^]*That was your last spin/)
    await check(visited)
    const asked = visited.page.waitForRequest('**/session')
    await visited.page.getByRole('button', { name: 'Check for new spins' }).click()
    const { session } = (await asked).postDataJSON() as { session?: string }
    assert.equal(typeof session, 'string', 'an open page that asks again is no new opening of the link')
    await untilState(visited.page, 'noSpins')
    await onEveryScreen(t, link, ({ page }) => untilState(page, 'noSpins', 'noLuck'))
    const never = await makeLink(suite, await makeTestMerchant(suite), 0)
    const first = await openGame(t, suite, never)
    await untilState(first.page, 'noSpins')
    assert.match(await textOf(first), /No spins right now\s+As soon as you get new spins, you can play here/)
    await post(`${suite.server.url}/api/player/increaseSpin`, testMerchant.token, {
      playerId: 'pia',
      spinNumber: 2,
    })
    await visited.page.getByRole('button', { name: 'Check again' }).click()
    await untilState(visited.page, 'ready')
    assert.match(await textOf(visited), /You have 2 spins\./)
    // Each state is announced once, and the result by its focus. A slow machine adds that it takes longer than usual.
    const said = await visited.page.evaluate(() => (window as unknown as { said: string[] }).said)
    assert.deepEqual(
      said.filter((text) => !/longer than usual|Still waiting/.test(text)),
      [
        'The wheel is spinning…',
        '',
        'Opening your game…',
        'No spins right now As soon as you get new spins, you can play here.',
        'Opening your game…',
        'You have 2 spins.',
      ],
    )
  })

  test('closed, with its opening time; paused; both also detected on a press', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const link = await makeLink(suite, testMerchant, 1)
    const early = await openGame(t, suite, link)
    await untilState(early.page, 'ready')
    const opensAt = new Date(Date.now() + 5 * 86_400_000)
    await testMerchant.publish(wheelOf({}, { opensAt: opensAt.toISOString() }))
    await onEveryScreen(t, link, ({ page }) => untilState(page, 'closed'))
    await early.page.locator('#action').click()
    await untilState(early.page, 'closed')
    assert.match(await textOf(early), /No spin was used\./)
    const day = opensAt.toLocaleDateString('en-GB', { dateStyle: 'medium' })
    assert.ok((await textOf(early)).includes(`It opens on ${day}`), await textOf(early))

    const { merchantId } = testMerchant.merchant
    await setPause(suite.server.ctx.db, { merchantId, slug: 'main', isPaused: true, now: new Date() })
    await onEveryScreen(t, link, async ({ page }) => {
      await page.locator('body[data-state="closed"], body[data-state="paused"]').waitFor()
      while ((await untilState(page, 'closed', 'paused')) === 'closed') {
        await page.locator('#action').click()
        await page.locator('#action[aria-disabled="false"]').waitFor()
      }
    })
  })

  test('closed counts down to its opening and then opens by itself', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const opensAt = new Date(Date.now() + 86_400_000 + 60_000).toISOString()
    await testMerchant.publish(wheelOf({}, { opensAt }))
    const link = await makeLink(suite, testMerchant, 1)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'closed')
    assert.match(await page.locator('#countdown').innerText(), /^Opens in 1 day 00:0[01]:\d\d$/)
    assert.ok(!(await page.locator('#panel').innerText()).includes('No spin was used'), 'nothing was pressed')
    assert.equal(await page.locator('#subtitle').innerText(), '')
    assert.equal(await page.locator('#title').innerText(), 'Wheel of fortune')
    await testMerchant.publish(wheelOf({}))
    // A day passes.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 86_400_000 + 60_000
    })
    await untilState(page, 'ready')
    assert.equal(await page.locator('#countdown').isVisible(), false)
    assert.equal(await page.locator('#title').innerText(), 'Spin the wheel')
  })

  test('over: says when it ended, and offers nothing to press', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const link = await makeLink(suite, testMerchant, 3)
    await testMerchant.publish(wheelOf({}, { closesAt: new Date(Date.now() - 60_000).toISOString() }))
    await onEveryScreen(t, link, async (visited) => {
      await untilState(visited.page, 'over')
      assert.equal(await visited.page.locator('#action').isVisible(), false)
      await visited.page.locator('#hub').click()
      assert.equal(await untilState(visited.page, 'over', 'loading'), 'over')
    })
    const visited = await openGame(t, suite, link)
    await untilState(visited.page, 'over')
    assert.match(await textOf(visited), /This game is over\s+It ended on .+ can no longer be played/)
    assert.ok(!(await visited.page.locator('main').innerText()).includes('Press the button'))
  })

  test('from the closing time on, an open page invites to nothing, also below a result', async (t) => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({}, { closesAt: tomorrow }) })
    const link = await makeLink(suite, testMerchant, 9)
    const options = { prepare: (page: GamePage['page']) => page.clock.install() }
    const idle = await openGame(t, suite, link, options)
    await untilState(idle.page, 'ready')
    const winner = await openGame(t, suite, link, options)
    await untilState(winner.page, 'ready')
    assert.equal(await spin(winner.page), 'won')
    // A day passes, for the server and for the pages.
    await testMerchant.publish(wheelOf({}, { closesAt: new Date(Date.now() - 60_000).toISOString() }))
    for (const { page } of [idle, winner]) await page.clock.fastForward(86_400_000)
    assert.notEqual(await untilState(idle.page, 'ready', 'closed', 'over'), 'ready')
    await untilState(idle.page, 'over')
    await winner.page.getByText('This game is over').waitFor()
    assert.match(await textOf(winner), /You won!/)
    for (const { page } of [idle, winner]) {
      assert.equal(await page.locator('#action').isVisible(), false)
      assert.equal(await page.locator('#subtitle').innerText(), '')
    }
  })

  test('sold out: nothing can be pressed that would waste a spin', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ stock: 0 }) })
    const link = await makeLink(suite, testMerchant, 3)
    await onEveryScreen(t, link, ({ page }) => untilState(page, 'soldOut'))
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'soldOut')
    await testMerchant.publish(wheelOf({ stock: 3 }))
    await page.getByRole('button', { name: 'Check again' }).click()
    await untilState(page, 'ready')
    assert.equal(await spin(page), 'won')
  })

  const endings: [string, RegExp, (testMerchant: TestMerchant) => Promise<unknown>][] = [
    [
      'revoked',
      /no longer valid.*get a new one/,
      ({ merchant }) =>
        revokeLinksOfMerchant(suite.server.ctx.db, merchant.merchantId, new Date(Date.now() + 1)),
    ],
    [
      'blocked',
      /isn’t available to you.*contact the shop/,
      ({ merchant: { merchantId } }) =>
        setBlock(suite.server.ctx.db, { merchantId, playerId: 'pia' }, new Date()),
    ],
    [
      'suspended',
      /closed at the moment.*contact the shop/,
      ({ merchant }) => setSuspension(suite.server.ctx.db, merchant.slug, new Date()),
    ],
  ]
  for (const [state, text, end] of endings) {
    const often = state === 'revoked' ? {} : onLanding
    test(`${state}, at the start and in the middle of a game`, often, async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const link = await makeLink(suite, testMerchant, 1)
      const early = await openGame(t, suite, link)
      await untilState(early.page, 'ready')
      await end(testMerchant)
      await early.page.locator('#action').click()
      await untilState(early.page, state)
      assert.match(await textOf(early), text)
      await onEveryScreen(t, link, ({ page }) => untilState(page, state))
    })
  }

  test('expired, and invalid: truncated or without a token', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { ctx, target, url } = suite.server
    const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000)
    const later = await makeServer(t, { database: { target, db: ctx.db }, now: inTwoDays })
    await onEveryScreen(t, link.replace(url, later.url), ({ page }) => untilState(page, 'expired'))
    for (const broken of [link.slice(0, -20), `${suite.server.url}/spinthewheel/`])
      await onEveryScreen(t, broken, ({ page }) => untilState(page, 'invalid'))
  })

  test('offline, and automatically back online', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    await onEveryScreen(t, link, ({ page }) => untilState(page, 'offline'), {
      prepare: (page) => page.route('**/session', (route) => route.abort()),
    })
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    // The page sends nothing now, so it can learn this from the browser only.
    await page.context().setOffline(true)
    await untilState(page, 'offline')
    await page.context().setOffline(false)
    await untilState(page, 'ready')
    // The connection is lost in mid-turn.
    await page.route('**/plays', (route) => route.abort())
    await page.locator('#action').click()
    await untilState(page, 'waiting')
    assert.match(await page.locator('#text').innerText(), /slow or was lost.*your spin counts only once/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await untilState(page, 'won', 'noLuck')
  })

  test('a slow opening says so after three seconds', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    let release = (): void => undefined
    const { page } = await openGame(t, suite, link, {
      prepare: async (fresh) => (release = await holdResponses(fresh, '**/session')),
    })
    await page.getByText('This is taking longer than usual.').first().waitFor()
    release()
    await untilState(page, 'ready')
  })

  test('the server down, and up again on the next try', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const prepare = (page: GamePage['page']) =>
      page.route('**/session', (route) => route.fulfill({ status: 503, body: '' }))
    await onEveryScreen(
      t,
      link,
      async ({ page }) => {
        await untilState(page, 'down')
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.locator('#action').click()
        await untilState(page, 'ready')
      },
      { prepare },
    )
  })

  test("a merchant's theme is applied, and stays readable with indistinguishable colours", async (t) => {
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
    const link = await makeLink(
      suite,
      await makeTestMerchant(suite, { wheel: wheelOf({}, { look, texts }) }),
      9,
    )
    await onEveryScreen(t, link, async ({ page }) => {
      await spin(page)
    })
    const { page } = await openGame(t, suite, `${link}&lang=en`, { locale: 'ja' })
    await untilState(page, 'won')
    assert.equal(await page.locator('#title').innerText(), 'Our <i>wheel</i>')
    assert.equal(await page.locator('#merchant').innerText(), 'Grey & Sons <b>')
    assert.equal(await page.locator('#panel-title').innerText(), 'Hooray')
    assert.match(page.url(), /\?lang=en$/)
  })

  test('everything stays usable with forced colours and 200 % zoom', onLanding, async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 3)
    const forced = await openGame(t, suite, link, { forcedColors: 'active' })
    await untilState(forced.page, 'ready')
    await check(forced)
    // The viewport of a 1280 pixel window at 200 %.
    const viewport = { width: 640, height: 400 }
    const zoomed = await openGame(t, suite, link, { viewport, deviceScaleFactor: 2 })
    await untilState(zoomed.page, 'ready')
    await spin(zoomed.page)
    await check(zoomed)
    await spin(forced.page)
    const panel = forced.page.locator('#panel')
    const colour = (of: string) =>
      panel.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), of)
    assert.notEqual(await colour('border-top-color'), await colour('background-color'))
  })

  test('a refresh in flight does not disturb a spin', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 3)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const releaseRefresh = await holdResponses(page, '**/session')
    const releasePlay = await holdResponses(page, '**/plays')
    const asked = page.waitForRequest('**/session')
    // The player returns to the tab after a while.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 61_000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await asked
    await page.locator('#action').click()
    await untilState(page, 'turning', 'waiting')
    const answered = page.waitForResponse('**/session')
    releaseRefresh()
    await answered
    assert.notEqual(await untilState(page, 'turning', 'waiting', 'ready'), 'ready')
    releasePlay()
    await untilState(page, 'won')
    assert.match(await page.locator('#note').innerText(), /2 spins left/)
  })

  test('the sound can be muted and stays muted', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    await page.getByRole('button', { name: 'Sound', pressed: true }).click()
    await page.reload()
    await untilState(page, 'ready')
    assert.equal(await page.getByRole('button', { name: 'Sound', pressed: false }).count(), 1)
  })
})
