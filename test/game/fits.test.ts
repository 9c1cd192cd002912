// Everything fits: each label in its segment, and the result together with pointer and segment on small screens. With
// TESTS=all every count of segments is measured in every language, and the selection on screens up to 4K. FITS=hi,ar
// does so for some of the languages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { publishedText } from '../../src/wheel-document/published-text.ts'
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
  wheelOf,
} from '../scenes/game-scene.ts'
import { labels, type Sample, wheelWith, worstExcess } from './label-scene.ts'
import type { Draft } from '../../web/game/preview.ts'
import { type Lifetime, times } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'

const asked = process.env.FITS?.split(',')
const isAll = runsAll || asked !== undefined
const chosen = Object.keys(labels).filter((name) => asked?.includes(name) ?? runsAll)

describe('everything fits', { concurrency: 2, ...onLanding }, () => {
  const suite = makeGameSuite()

  /** The console's preview is the real page. It shows any wheel without publishing it. */
  async function openPreview(t: Lifetime, size: { width: number; height: number }): Promise<Page> {
    const { page } = await openGame(t, suite, `${suite.server.url}/console`)
    await page.evaluate(({ width, height }) => {
      const frame = Object.assign(document.createElement('iframe'), { src: '/spinthewheel/?preview' })
      frame.style.cssText = `position: fixed; inset: 0; width: ${width}px; height: ${height}px`
      const ready = new Promise<void>((resolve) =>
        addEventListener('message', ({ data }) => data?.type === 'preview' && resolve()),
      )
      document.body.replaceChildren(frame)
      return ready
    }, size)
    return page
  }

  async function measure(page: Page, sample: Sample, title: string): Promise<void> {
    await page.evaluate((draft) => window.frames[0]?.postMessage(draft, location.origin), {
      published: publishedText(wheelWith(sample, title)),
      prizes: [],
      language: null,
      opening: { isOpen: true, opensAt: null, closesAt: null },
    } satisfies Draft)
    await page.frameLocator('iframe').getByRole('heading', { name: title, exact: true }).waitFor()
    // Labels are drawn again once the font has arrived.
    await page.frames()[1]?.evaluate(async () => {
      await document.fonts.ready
      await new Promise(requestAnimationFrame)
    })
    const { excess, label, empty } = await page.evaluate(worstExcess)
    // A font's box is taller than its letters, most of all with stacked accents, or for letters that no font has.
    assert.ok(excess < 1.6, `“${label}” sticks out by ${excess}: ${JSON.stringify(sample)}`)
    assert.equal(empty, 0, `a segment has no label: ${JSON.stringify(sample)}`)
  }

  const all = Object.values(labels).flat()
  const fewSamples: Sample[] = [2, 3, 5, 8, 12, 17, 24].map((count) => ({
    count,
    words: all.slice((count * 5) % all.length).concat(all),
    pointer: count % 2 === 0 ? 'top' : 'left',
    isByWeight: count === 12,
  }))
  const samplesIn = (language: string): Sample[] =>
    times(23, (index) => index + 2).flatMap((count) =>
      (['top', 'left'] as const).flatMap((pointer) =>
        [false, true].map((isByWeight) => ({
          count,
          words: labels[language] as string[],
          pointer,
          isByWeight,
        })),
      ),
    )
  const screens = isAll
    ? [
        { width: 320, height: 568 },
        { width: 390, height: 844 },
        { width: 844, height: 390 },
        { width: 1280, height: 800 },
        { width: 3840, height: 2160 },
      ]
    : [{ width: 320, height: 568 }]
  for (const size of screens)
    test(`every label is inside its segment at ${size.width} × ${size.height}`, async (t) => {
      const page = await openPreview(t, size)
      for (const [index, sample] of fewSamples.entries()) await measure(page, sample, `Wheel ${index}`)
    })
  for (const language of chosen)
    test(`every label is inside its segment, on every wheel in ${language}`, async (t) => {
      const page = await openPreview(t, { width: 320, height: 568 })
      for (const [index, sample] of samplesIn(language).entries())
        await measure(page, sample, `Wheel ${index}`)
    })

  const longWord = 'Donaudampfschifffahrtsgesellschaftskap'
  // Where the browser has a dictionary, it breaks the word itself.
  const inParts = new RegExp(
    `^(?:Donau-dampf-schiff-fahrts-gesell-schafts-kap|${longWord})$`.replaceAll('-', '\u00ad'),
  )
  const small = [
    ['a small phone', { width: 320, height: 568 }],
    ['a small phone on its side', { width: 568, height: 320 }],
    ...(isAll ? ([['a phone on its side', { width: 844, height: 390 }]] as const) : []),
  ] as const
  for (const [name, viewport] of small)
    test(`the button, then pointer, segment and result are in view on ${name}, and nothing overflows`, async (t) => {
      const prize = { kind: 'fixed', code: 'SUNNY-10' } as const
      const wheel = wheelOf(
        {
          label: viewport.width === 320 ? longWord : 'Überraschungsgeschenk',
          prize,
          instructions: 'At the till. '.repeat(5),
        },
        { look: { merchantName: 'Rosamunde Pfefferkorns Feinkosthandlung' } },
      )
      const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 2)
      const { page } = await openGame(t, suite, link, { viewport, locale: 'de' })
      await untilState(page, 'ready')
      const button = await page.locator('#action').boundingBox()
      assert.ok(button !== null && button.y + button.height <= viewport.height, JSON.stringify(button))
      await spin(page)
      const seen = await page.evaluate(() => {
        // Finishes the scrolling and the card's arrival.
        document
          .getAnimations()
          .forEach((one) => one.effect?.getComputedTiming().iterations !== Infinity && one.finish())
        const box = (selector: string) =>
          (document.querySelector(selector) as Element).getBoundingClientRect()
        const isIn = ({ top, bottom }: DOMRect) => top >= -1 && bottom <= innerHeight + 1
        const tip = box('#pointer')
        const under = document.elementFromPoint(tip.x + tip.width / 2, tip.bottom + 12)
        return {
          pointer: isIn(tip),
          segment: under?.closest('#disc svg') !== null,
          title: isIn(box('#panel-title')),
          prize: isIn(box('#prize')),
          coversWheel: innerWidth === 320 && box('#panel').top < box('#stage').bottom,
          sound: box('#mute').width,
          fits: document.documentElement.scrollWidth <= innerWidth,
        }
      })
      assert.deepEqual(seen, {
        pointer: true,
        segment: true,
        title: true,
        prize: true,
        coversWheel: false,
        sound: 44,
        fits: true,
      })
      if (viewport.width === 320) assert.match((await page.locator('#prize').textContent()) ?? '', inParts)
    })

  test('a phone that is turned while the wheel turns still shows the drawn segment', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 1)
    const viewport = { width: 390, height: 844 }
    const { page } = await openGame(t, suite, link, { ...turning, viewport })
    await untilState(page, 'ready')
    const release = await holdResponses(page, '**/plays')
    await page.locator('#action').click()
    await untilState(page, 'turning', 'waiting')
    await page.setViewportSize({ width: 844, height: 390 })
    release()
    await untilState(page, 'won')
    assert.equal(await segmentUnderPointer(page), 0)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  })
})
