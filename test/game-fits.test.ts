// Everything fits: each label in its segment, and the result together with pointer and segment on small screens. With
// FITS=all every count of segments is measured in every language, at every pointer, on screens from 320 px to 4K.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { publishedText } from '../src/wheels/published-text.ts'
import { defaultWheel, type WheelDocument } from '../src/wheels/wheel-document.ts'
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
} from './game-scene.ts'
import { type Lifetime, times } from './scene.ts'

const isAll = process.env.FITS === 'all'

/** Short and long words, phrases and emoji, as merchants write them. */
const labels: Record<string, string[]> = {
  en: ['Free coffee', '10 % off', 'Try again', 'One more chance to win', 'A', 'Refrigerator magnets'],
  de: [
    'Überraschungsgeschenk',
    'Gutschein',
    'Donaudampfschifffahrtsgesellschaft',
    'Leider nichts',
    'Weihnachtsgebäck',
  ],
  fr: ['Livraison gratuite', 'Réessaye', 'Un café offert à la boutique', 'Extraordinairement'],
  es: ['Envío gratis', 'Inténtalo otra vez', 'Descuento extraordinario'],
  pt: ['Frete grátis', 'Não foi desta vez', 'Desconto extraordinário'],
  tr: ['Ücretsiz kargo', 'Muvaffakiyetsizleştiriciler', 'Tekrar dene'],
  ar: ['قهوة مجانية', 'حاول مرة أخرى', 'خصم عشرة بالمئة على كل شيء'],
  hi: ['मुफ़्त कॉफ़ी', 'फिर कोशिश करें', 'दस प्रतिशत की छूट'],
  ja: ['コーヒー無料', 'もう一度挑戦', '全商品十パーセント割引クーポン'],
  zh: ['免费咖啡', '再试一次', '全场九折优惠券限今日使用'],
  emoji: ['🎁', '👩‍🚀🚀', '🇩🇪', '🎉🎉🎉', '☕'],
  odd: ['x'.repeat(40), 'Z̴̡͝a̶͓͗l̸̪̈g̷̼̈o̴͈͒', 'عربي in English', '<b>bold</b>', 'W'.repeat(12), '1'],
}

type Sample = {
  count: number
  words: string[]
  pointer: 'top' | 'right' | 'bottom' | 'left'
  isByWeight: boolean
}

function wheelWith({ count, words, pointer, isByWeight }: Sample, title: string): WheelDocument {
  return {
    ...defaultWheel,
    fallback: 's0',
    look: { pointer, widths: isByWeight ? 'weight' : 'equal' },
    texts: { en: { title } },
    segments: times(count, (index) => ({
      id: `s${index}`,
      label: words[index % words.length] as string,
      color: '#7c3aed',
      weight: 1 + ((index * 7) % 5),
      ...(index % 4 === 3 ? { icon: '⭐' } : {}),
      prize: { kind: 'none' as const },
    })),
  }
}

/** How far each label's box sticks out of its segment, the rim or the hub, in percent of the wheel's radius. */
function worstExcess(): { excess: number; label: string; empty: number } {
  const disc = (document.querySelector('iframe') as HTMLIFrameElement).contentDocument as Document
  const worst = { excess: -Infinity, label: '', empty: 0 }
  for (const segment of disc.querySelectorAll<SVGGElement>('#disc svg > g')) {
    const [path, content] = [...segment.children] as [SVGPathElement, SVGGElement]
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (
      /L(\S+) (\S+)A.* 1 (\S+) (\S+)Z/.exec(path.getAttribute('d') ?? '') ?? []
    )
      .slice(1)
      .map(Number)
    const degrees = (x: number, y: number) => ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360
    const from = degrees(x1, y1)
    const width = (degrees(x2, y2) - from + 360) % 360
    const texts = [...content.querySelectorAll<SVGTextElement>('.label')]
    if (texts.length === 0) worst.empty++
    for (const text of texts) {
      const turn = content.transform.baseVal.consolidate()?.matrix as DOMMatrix
      const place = turn.multiply(text.transform.baseVal.consolidate()?.matrix as DOMMatrix)
      const box = text.getBBox()
      for (const x of [box.x, box.x + box.width])
        for (const y of [box.y, box.y + box.height]) {
          const corner = new DOMPoint(x, y).matrixTransform(DOMMatrix.fromMatrix(place))
          const radius = Math.hypot(corner.x, corner.y)
          const angle = (degrees(corner.x, corner.y) - from + 360) % 360
          const beyond = Math.min(360 - angle, angle - width)
          const sideways = angle <= width ? 0 : radius * Math.sin((beyond * Math.PI) / 180)
          const excess = Math.max(sideways, radius - 100, 27 - radius)
          if (excess > worst.excess) Object.assign(worst, { excess, label: text.textContent })
        }
    }
  }
  return worst
}

describe('everything fits', { concurrency: 2 }, () => {
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
    await page.evaluate(
      (published) => window.frames[0]?.postMessage({ published, prizes: [] }, location.origin),
      publishedText(wheelWith(sample, title)),
    )
    await page.frameLocator('iframe').getByRole('heading', { name: title, exact: true }).waitFor()
    const { excess, label, empty } = await page.evaluate(worstExcess)
    assert.ok(excess < 1, `“${label}” sticks out by ${excess}: ${JSON.stringify(sample)}`)
    assert.equal(empty, 0, `a segment has no label: ${JSON.stringify(sample)}`)
  }

  const all = Object.values(labels).flat()
  const fewSamples: Sample[] = [2, 3, 5, 8, 12, 17, 24].map((count) => ({
    count,
    words: all.slice((count * 5) % all.length).concat(all),
    pointer: count % 2 === 0 ? 'top' : 'left',
    isByWeight: count === 12,
  }))
  const allSamples = Object.values(labels).flatMap((words) =>
    times(23, (index) => index + 2).flatMap((count) =>
      (['top', 'right', 'bottom', 'left'] as const).flatMap((pointer) =>
        [false, true].map((isByWeight) => ({ count, words, pointer, isByWeight })),
      ),
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
      for (const [index, sample] of (isAll ? allSamples : fewSamples).entries())
        await measure(page, sample, `Wheel ${index}`)
    })

  const small = [
    ['a small phone', { width: 320, height: 568 }],
    ['a phone on its side', { width: 844, height: 390 }],
  ] as const
  for (const [name, viewport] of small)
    test(`pointer, segment and result are in view together on ${name}, and nothing overflows`, async (t) => {
      const prize = { kind: 'fixed', code: 'SUNNY-10' } as const
      const wheel = wheelOf({
        label: 'Überraschungsgeschenk',
        prize,
        instructions: 'At the till. '.repeat(5),
      })
      const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 2)
      const { page } = await openGame(t, suite, link, { viewport, locale: 'de' })
      await untilState(page, 'ready')
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
          fits: document.documentElement.scrollWidth <= innerWidth,
        }
      })
      assert.deepEqual(seen, { pointer: true, segment: true, title: true, prize: true, fits: true })
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
