// Looks and languages: themes, widths, swipes, confetti, and the merchant's texts in the player's language.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { themeNames } from '../../src/wheel-document/theme-names.ts'
import type { WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { contrast, textOn } from '../../web/game/look/colour.ts'
import { readWheel } from '../../web/game/wheel/published.ts'
import { themes } from '../../web/game/look/themes.ts'
import {
  holdResponses,
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  openGame,
  segmentUnderPointer,
  spin,
  turning,
  untilState,
  violations,
  wheelOf,
} from '../scenes/game-scene.ts'
import { makePng, makeWebp } from '../scenes/media.ts'
import { repository } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

test('every theme is readable, and its neighbouring segments differ', () => {
  for (const name of themeNames) {
    const { colours, prizes, blanks } = themes[name]
    const { background, surface, accent, text } = colours
    assert.ok(contrast(text, background) >= 4.5 && contrast(text, surface) >= 4.5, `${name}: text`)
    assert.ok(contrast(accent, surface) >= 3 && contrast(textOn(accent), accent) >= 4.5, `${name}: button`)
    assert.equal(new Set([...prizes, ...blanks]).size, prizes.length + blanks.length, name)
  }
})

test('a theme that does not exist falls back to the default look', () => {
  const published = (look: object) => JSON.stringify({ segments: [], look })
  const { look } = readWheel(published({ theme: 'no-longer-there', accent: '#123456' }))
  assert.deepEqual([look.background, look.accent], [themes.dark.colours.background, '#123456'])
  for (const theme of ['constructor', '__proto__', 7, null])
    assert.equal(readWheel(published({ theme })).look.theme, themes.dark)
  const gone = { theme: 'cafe', font: 'no-longer-there', sound: '__proto__', tickSound: 'https://evil/x.mp3' }
  const { font, sound, ownSounds } = readWheel(published(gone)).look
  assert.deepEqual([font, sound, ownSounds.tick], ['podkova', 'marimba', null])
})

test('quiet themes are muted until the player or the merchant wants sounds', () => {
  const isQuiet = (look: object) => readWheel(JSON.stringify({ segments: [], look })).look.isQuiet
  assert.deepEqual(
    [{ theme: 'corporate' }, { theme: 'corporate', sound: 'bells' }, { theme: 'cafe' }, {}].map(isQuiet),
    [true, false, false, false],
  )
})

describe('looks and languages', { concurrency: 2, ...onLanding }, () => {
  const suite = makeGameSuite()

  test('a theme changes the whole page and passes the colour checks', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const link = await makeLink(suite, testMerchant, 9)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const before = await background()
    await testMerchant.publish(wheelOf({}, { look: { theme: 'cafe' } }))
    await page.reload()
    await untilState(page, 'ready')
    assert.notEqual(await background(), before)
    assert.deepEqual(
      await page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset))),
      {
        rim: 'wood',
        tip: 'pin',
        backdrop: 'paper',
        corners: 'soft',
        font: 'podkova',
      },
    )
    for (const summary of await page.locator('#sections > details > summary:visible').all())
      await summary.click()
    assert.deepEqual(await violations(page, 'colours'), [])
  })

  test('a font blocks nothing: only its needed file is loaded, then labels fit it and nothing moves', async (t) => {
    const look = { theme: 'cafe', font: 'oswald', address: 'formal' } as const
    const wheel = wheelOf({ label: 'Überraschungsgeschenk' }, { look })
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 9)
    const fontRequested = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const prepare = (page: Page) =>
      page.route('**/*.woff2', async (route) => {
        fontRequested.resolve()
        await released
        await route.continue()
      })
    const { page, requests } = await openGame(t, suite, link, { prepare, locale: 'de' })
    await untilState(page, 'ready')
    await fontRequested.promise
    assert.equal(await page.locator('#panel-title').innerText(), 'Sie haben 9 Drehungen.')
    assert.equal(await page.locator('#action').innerText(), 'Rad drehen', 'a text with one form for both')
    // A label that is drawn again is another element.
    await page
      .locator('#disc text')
      .evaluateAll((all) => all.forEach((one) => one.setAttribute('data-first', '')))
    const boxes = () =>
      page.evaluate(async () => {
        // The button rises when it can be pressed.
        const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
        await Promise.allSettled(transitions.map(({ finished }) => finished))
        return ['#title', '#subtitle', '#stage', '#panel', '#action', '#sections'].map((id) => {
          const { top, height } = (document.querySelector(id) as Element).getBoundingClientRect()
          return [id, top, height]
        })
      })
    const places = await boxes()
    release()
    await page.locator('#disc text[data-first]').first().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.fonts.check('700 1rem oswald', 'Ü'))
    assert.deepEqual(await boxes(), places)
    const fonts = requests.filter((url) => url.endsWith('.woff2'))
    assert.match(fonts.join(), /^[^,]+\/oswald-latin-wght-normal-[\w-]+\.woff2$/)
    assert.ok(requests.every((url) => url.startsWith(suite.server.url) || url.startsWith('data:')))
  })

  test('until a font arrives, its fallback has about the same width', onLanding, async (t) => {
    const { page } = await openGame(t, suite, `${suite.server.url}/spinthewheel/`)
    const folder = join(repository, 'web', 'game', 'dist', 'assets')
    const files = readdirSync(folder).filter((file) => /-latin-wght.*woff2$/.test(file))
    const differences = await page.evaluate(async (names) => {
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      const sample = 'Press the button to see what you win. Sie haben noch 3 Drehungen.'
      const found: [string, number][] = []
      for (const name of names) {
        const font = name.split('-')[0] as string
        document.fonts.add(new FontFace(font, `url(assets/${name})`, { weight: '200 900' }))
        for (const weight of [400, 700]) {
          const widths = []
          for (const family of [font, `"${font} fallback"`]) {
            // Rejected if the device has none of the fallback's fonts.
            const faces = await document.fonts.load(`${weight} 100px ${family}`).catch(() => [])
            pen.font = `${weight} 100px ${family}`
            if (faces.length > 0) widths.push(pen.measureText(sample).width)
          }
          const [own = 1, fallback = own] = widths
          found.push([`${font} ${weight}`, Math.abs(fallback / own - 1)])
        }
      }
      return found
    }, files)
    assert.equal(differences.length, 12)
    for (const [name, difference] of differences) assert.ok(difference < 0.04, `${name}: ${difference}`)
  })

  test('odd texts and pictures that a browser cannot decode are shown safely', async (t) => {
    const broken = makeWebp()
    const odd = ['\u202Egnorw', 'Z̴̡͝͝͝͝a̶͓͗͗͗l̸̪̈g̷̼̈o̴͈͒', '<img src=x onerror=alert(1)>', '👩‍👩‍👧‍👦🏳️‍🌈', 'a']
    const wheel = wheelOf({ label: 'قهوة مجانية', prize: { kind: 'none' }, image: broken, icon: '★' })
    wheel.look = { logo: broken, merchantName: '\u202E<b>Shop</b>' }
    wheel.segments.push(
      ...odd.map((label, index) => ({
        id: `odd-${index}`,
        label,
        color: '#334155',
        weight: 0,
        prize: { kind: 'none' as const },
      })),
    )
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 3)
    const { page, pageErrors } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    await page.locator('#hub svg').waitFor()
    await page.locator('#disc text', { hasText: '★' }).waitFor()
    await page.locator('#logo').waitFor({ state: 'hidden' })
    assert.equal(await page.locator('#disc image, main b, main img:visible').count(), 0)
    const zalgo = (await page.locator('#disc text', { hasText: 'Z' }).first().textContent()) ?? ''
    assert.doesNotMatch(zalgo, /\p{Mn}{3}/u)
    await spin(page)
    assert.match(await page.locator('#text').innerText(), /“\u2068قهوة مجانية\u2069”/)
    assert.deepEqual([await violations(page), pageErrors], [[], []])
  })

  test('a wide logo leaves room for the sound button on a small phone with large text', async (t) => {
    const look = { logo: makePng({ width: 200, height: 60 }), merchantName: 'The corner shop' }
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}, { look }) }), 1)
    const { page } = await openGame(t, suite, link, { viewport: { width: 320, height: 568 } })
    await untilState(page, 'ready')
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const widthOf = async (id: string) => (await page.locator(id).boundingBox())?.width ?? 0
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.ok((await widthOf('#logo')) >= 60 && (await widthOf('#merchant')) >= 60)
  })

  test('widths by weight are drawn, and the wheel stops on the drawn segment', async (t) => {
    const wheel: WheelDocument = wheelOf({ weight: 3 }, { look: { widths: 'weight' } })
    const wide = {
      ...wheel,
      segments: wheel.segments.map((one, index) => (index === 1 ? { ...one, weight: 1 } : one)),
    }
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wide }), 3)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const path = await page.locator('#disc path').first().getAttribute('d')
    assert.equal(path, 'M0 0L0 -100A100 100 0 1 1 -100 0Z', 'three quarters of the disc')
    await page.locator('#odds summary').click()
    await page.getByText('A field is as wide as its chance of being drawn.').waitFor()
    const state = await spin(page)
    assert.equal(await segmentUnderPointer(page), state === 'won' ? 0 : 1)
  })

  test('a swipe spins the wheel its way, a short drag does not, and confetti ends with the next press', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 5)
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    const box = (await page.locator('#stage').boundingBox()) as {
      x: number
      y: number
      width: number
      height: number
    }
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.8]
    const drag = async (distance: number) => {
      await page.mouse.move(x - distance / 2, y)
      await page.mouse.down()
      await page.mouse.move(x + distance / 2, y, { steps: 4 })
      await page.mouse.up()
    }
    // A slow, short drag: the pause makes the speed at its end zero.
    await page.mouse.move(x - 10, y)
    await page.mouse.down()
    await page.mouse.move(x + 10, y)
    await page.waitForFunction(
      (start) => performance.now() - start > 150,
      await page.evaluate(() => performance.now()),
    )
    await page.mouse.move(x + 10, y + 1)
    await page.mouse.up()
    assert.equal(await page.evaluate(() => document.body.dataset.state), 'ready')
    await drag(box.width * 0.7)
    await untilState(page, 'won')
    assert.equal(await segmentUnderPointer(page), 0)

    const release = await holdResponses(page, '**/plays')
    await page.locator('#action').click()
    await page.locator('#confetti').evaluate(async (canvas) => {
      const pen = (canvas as HTMLCanvasElement).getContext('2d') as CanvasRenderingContext2D
      const isDrawn = () => pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data.some(Boolean)
      while (isDrawn()) await new Promise(requestAnimationFrame)
    })
    assert.notEqual(await untilState(page, 'turning', 'waiting', 'won'), 'won')
    release()
    await untilState(page, 'won')
  })

  test(
    "the merchant's texts follow the player's languages, then the default language",
    onLanding,
    async (t) => {
      const wheel = wheelOf(
        {
          label: 'Kaffee',
          title: 'Ein Kaffee',
          instructions: 'An der Kasse.',
          translations: {
            en: { label: 'Coffee', title: 'A coffee', instructions: 'At the till.' },
            sv: { label: 'Kaffe' },
            'zh-Hant': { label: '咖啡' },
          },
        },
        {
          language: 'de',
          texts: { de: { title: 'Unser Rad' }, en: { title: 'Our wheel' }, sv: { title: 'Vårt hjul' } },
        },
      )
      const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 9)
      const cases = [
        ['en-GB', 'Our wheel', 'Coffee', 'en-GB'],
        ['de-AT', 'Unser Rad', 'Kaffee', 'de-AT'],
        // The game has no Swedish texts of its own: they are in the wheel's default language.
        ['sv-SE', 'Vårt hjul', 'Kaffe', 'de'],
        ['zh-TW', 'Unser Rad', '咖啡', 'zh-TW'],
        ['fr', 'Unser Rad', 'Kaffee', 'fr'],
      ] as const
      for (const [locale, title, label, lang] of cases) {
        const { page } = await openGame(t, suite, link, { locale })
        await untilState(page, 'ready')
        assert.equal(await page.locator('#title').innerText(), title, locale)
        assert.equal(await page.locator('#odds tbody th').first().textContent(), label, locale)
        assert.equal(await page.locator('html').getAttribute('lang'), lang)
        // A screen reader needs another voice for texts that are not in the language of the page.
        const spoken = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((one) => one.closest('[lang]')?.getAttribute('lang'))
        assert.equal(
          await spoken('#title'),
          locale === 'sv-SE' ? 'sv' : lang.startsWith('zh') || lang === 'fr' ? 'de' : lang,
        )
        assert.equal(
          await spoken('#odds tbody th > span:not(.swatch)'),
          locale === 'sv-SE' ? 'sv' : lang === 'fr' ? 'de' : lang,
        )
        assert.equal(await spoken('#action'), lang)
        await page.close()
      }
      // Neither the game nor the merchant has Finnish, and the wheel has no default language: both speak English.
      const english = await makeTestMerchant(suite, {
        wheel: wheelOf({}, { texts: { en: { title: 'Ours' } } }),
      })
      const finnish = await openGame(t, suite, await makeLink(suite, english, 1), { locale: 'fi' })
      await untilState(finnish.page, 'ready')
      assert.equal(await finnish.page.locator('#title').innerText(), 'Ours')
      const { page } = await openGame(t, suite, link, { locale: 'en-GB' })
      await untilState(page, 'ready')
      await spin(page)
      assert.match(await page.locator('#panel').innerText(), /A coffee[^]*At the till\./)
      await page.getByRole('button', { name: 'Verify this spin' }).first().click()
      await page.getByText('Everything matches: this spin was fair.').waitFor()
      const steps = await page.locator('dialog .steps').first().innerText()
      assert.ok(steps.includes('Coffee') && !steps.includes('Kaffee'), steps)
    },
  )
})
