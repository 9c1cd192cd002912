import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  holdResponses,
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  untilState,
  spin,
  turning,
  openGame,
  wheelOf,
} from '../scenes/game-scene.ts'
import { makeWav } from '../scenes/media.ts'
import { until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

type Effects = {
  contexts: number
  tones: { hertz: number; atMs: number }[]
  /** The lengths of the merchant's own sounds. */
  ownSounds: number[]
  vibrations: unknown[]
}
const nothing: Effects = { contexts: 0, tones: [], ownSounds: [], vibrations: [] }

describe('sound, confetti and vibration', { concurrency: 2, ...onLanding }, () => {
  const suite = makeGameSuite()

  /** Records the page's calls of browser functions, and lets the browser execute them. */
  async function listen(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const effects: Effects = { contexts: 0, tones: [], ownSounds: [], vibrations: [] }
      Object.assign(window, { effects })
      window.AudioContext = class extends AudioContext {
        constructor() {
          super()
          effects.contexts++
        }
      }
      window.OscillatorNode = class extends OscillatorNode {
        override start(when: number) {
          effects.tones.push({ hertz: this.frequency.value, atMs: performance.now() })
          super.start(when)
        }
      }
      window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
        override start() {
          effects.ownSounds.push(this.buffer?.duration ?? 0)
          super.start()
        }
      }
      const vibrate = navigator.vibrate.bind(navigator)
      navigator.vibrate = (pattern) => {
        effects.vibrations.push(pattern)
        return vibrate(pattern as VibratePattern)
      }
    })
  }

  const effectsOf = (page: Page): Promise<Effects> =>
    page.evaluate(() => (window as unknown as { effects: Effects }).effects)
  const tickHertz = 1400
  const win = [523, 659, 784, 1047]

  test('start with the first spin and not before: ticks while the wheel turns, and all effects for a win', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 1)
    const { page, requests, pageErrors } = await openGame(t, suite, link, { prepare: listen, ...turning })
    await untilState(page, 'ready')
    await page.waitForLoadState('networkidle')
    const confettiRequests = () => requests.filter((url) => url.includes('confetti')).length
    assert.equal(confettiRequests(), 0)
    assert.deepEqual(await effectsOf(page), nothing)

    const release = await holdResponses(page, '**/plays')
    await page.locator('#action').click()
    await until(async () => (await effectsOf(page)).tones.length >= 4)
    release()
    await untilState(page, 'won')
    assert.equal(confettiRequests(), 1)
    await until(async () => (await effectsOf(page)).vibrations.some(Array.isArray))
    const { contexts, tones, vibrations } = await effectsOf(page)
    assert.equal(contexts, 1)
    const ticks = tones.slice(0, -4)
    assert.ok(ticks.every(({ hertz }) => hertz === tickHertz))
    assert.deepEqual(
      tones.slice(-4).map(({ hertz }) => hertz),
      win,
    )
    // The ticks follow the angle: while the wheel slows down, the last segment takes far longer than one at full speed.
    const gaps = ticks.slice(1).map(({ atMs }, index) => atMs - (ticks[index]?.atMs ?? 0))
    assert.ok(Math.max(...gaps) > 1.5 * Math.min(...gaps), gaps.join(' '))
    assert.deepEqual(vibrations.at(-1), [60, 40, 120])
    assert.deepEqual(new Set(vibrations.slice(0, -1)), new Set([8]), 'slow ticks can be felt')
    await page.locator('#confetti').evaluate(async (canvas) => {
      const pen = (canvas as HTMLCanvasElement).getContext('2d') as CanvasRenderingContext2D
      const isDrawn = () => pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data.some(Boolean)
      while (!isDrawn()) await new Promise(requestAnimationFrame)
    })
    assert.deepEqual(pageErrors, [])
  })

  test('a muted game makes no sound and does not vibrate', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 1)
    const { page } = await openGame(t, suite, link, { prepare: listen, ...turning })
    await untilState(page, 'ready')
    await page.getByRole('button', { name: 'Sound', pressed: true }).click()
    await spin(page)
    assert.deepEqual(await effectsOf(page), nothing)
  })

  test("reduced motion shows no confetti and does not vibrate; the merchant's own sound is played", async (t) => {
    const wheel = wheelOf({}, { look: { theme: 'corporate', winSound: makeWav({ seconds: 0.25 }) } })
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 1)
    const { page } = await openGame(t, suite, link, { prepare: listen, reducedMotion: 'reduce' })
    await untilState(page, 'ready')
    await spin(page)
    await until(async () => (await effectsOf(page)).ownSounds.length > 0)
    const { ownSounds, tones, vibrations } = await effectsOf(page)
    assert.deepEqual([ownSounds, tones, vibrations], [[0.25], [], []])
    const [width, height] = await page
      .locator('#confetti')
      .evaluate((canvas) => [(canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height])
    assert.deepEqual([width, height], [300, 150], 'the canvas has its default size')
  })
})
