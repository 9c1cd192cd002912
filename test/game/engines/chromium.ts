// Chromium by Playwright, which drives it in the other tests too.
import { chromium, type Page } from 'playwright-core'
import { chromiumFlags } from '../../../scripts/chromium.ts'
import { defer, type Lifetime, waitMsMax } from '../../scenes/scene.ts'
import type { Driver, Step } from './engine.ts'

export async function startChromium(
  t: Lifetime,
  { isReducedMotion }: { isReducedMotion: boolean },
): Promise<Driver> {
  const browser = await chromium.launch({
    executablePath: process.env.TEST_CHROMIUM as string,
    args: chromiumFlags,
    timeout: waitMsMax,
  })
  defer(t, () => browser.close())
  const page = await browser.newPage({
    locale: 'en-GB',
    reducedMotion: isReducedMotion ? 'reduce' : 'no-preference',
  })
  return {
    navigate: async (url) => void (await page.goto(url)),
    resize: (size) => page.setViewportSize(size),
    call: (source, json) => page.evaluate(`(${source})(${JSON.stringify(json)})`),
    perform: async (actions) => {
      for (const { parameters, actions: steps } of actions) {
        await (parameters?.pointerType === 'touch' ? touch(page, steps) : perform(page, steps))
      }
    },
  }
}

async function perform({ mouse, keyboard }: Page, steps: Step[]): Promise<void> {
  const keys: Record<string, string> = {
    '\uE004': 'Tab',
    '\uE007': 'Enter',
    '\uE008': 'Shift',
    '\uE00C': 'Escape',
  }
  for (const { type, x = 0, y = 0, value = '' } of steps) {
    const key = keys[value] ?? value
    if (type === 'pointerMove') await mouse.move(x, y)
    else if (type === 'pointerDown') await mouse.down()
    else if (type === 'pointerUp') await mouse.up()
    else if (type === 'keyDown') await keyboard.down(key)
    else if (type === 'keyUp') await keyboard.up(key)
  }
}

async function touch(page: Page, steps: Step[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  let at = { x: 0, y: 0 }
  let isDown = false
  for (const { type, x = 0, y = 0 } of steps) {
    if (type === 'pointerMove') at = { x, y }
    const kind = type === 'pointerDown' ? 'touchStart' : type === 'pointerUp' ? 'touchEnd' : 'touchMove'
    if (type === 'pointerDown') isDown = true
    const touchPoints = kind === 'touchEnd' ? [] : [at]
    if (isDown) await devtools.send('Input.dispatchTouchEvent', { type: kind, touchPoints })
  }
}
