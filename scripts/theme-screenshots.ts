// Part of `npm run screenshots`: a sheet for each theme in docs/themes.md. It has a phone before the spin, a phone with
// a prize, and a desktop, in light and in dark surroundings.
import { join } from 'node:path'
import type { Browser, Frame } from 'playwright-core'
import { publishedText } from '../src/wheel-document/published-text.ts'
import { type ThemeName, themeNames } from '../src/wheel-document/theme-names.ts'
import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'
import type { Draft as PreviewDraft } from '../web/game/preview.ts'
import { themes } from '../web/game/look/themes.ts'
import { takeWebp } from './webp.ts'

export async function takeThemeSheets(
  browser: Browser,
  options: { url: string; wheel: WheelDocument; folder: string; names?: readonly ThemeName[] },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1120, height: 430 }, deviceScaleFactor: 1.25 })
  for (const name of options.names ?? themeNames) {
    await page.goto(`${options.url}/console`)
    await page.evaluate(showFrames, draftOf(themed(options.wheel, name)))
    const [ready, won, desktop] = page.frames().slice(1) as [Frame, Frame, Frame]
    for (const frame of [ready, won, desktop]) {
      await frame.locator('body[data-state="ready"]').waitFor()
      await frame.evaluate(() => document.fonts.ready)
    }
    await won.locator('#action').click()
    await won.locator('body[data-state="won"]').waitFor()
    await page.waitForTimeout(900) // The confetti is in the air.
    await takeWebp(page, join(options.folder, `theme-${name}.webp`))
  }
  await page.close()
}

type Draft = Omit<PreviewDraft, 'prizes'> & { prizes: object[] }

/** Runs in the console's page, whose previews are the real game page. */
function showFrames(draft: Draft): void {
  const screens = [
    { width: 390, height: 780, scale: 0.5 },
    { width: 390, height: 780, scale: 0.5 },
    { width: 1280, height: 800, scale: 0.4875 },
  ]
  document.body.style.cssText =
    'margin: 0; height: 430px; background: linear-gradient(90deg, #ffffff 0 245px, #18181b 245px 715px, #ffffff 715px)'
  let left = 24
  const frames = screens.map(({ width, height, scale }) => {
    const frame = Object.assign(document.createElement('iframe'), {
      src: '/spinthewheel/?preview',
      width,
      height,
    })
    frame.style.cssText = `position: absolute; top: 20px; left: ${left}px; border: 0; border-radius: 24px; transform: scale(${scale}); transform-origin: 0 0`
    left += width * scale + 24
    return frame
  })
  addEventListener('message', ({ source, data }) => {
    const frame = frames.find((one) => one.contentWindow === source)
    if (data?.type === 'preview') frame?.contentWindow?.postMessage(draft, location.origin)
  })
  document.body.replaceChildren(...frames)
}

function draftOf(wheel: WheelDocument): Draft {
  return {
    published: publishedText(wheel),
    prizes: wheel.segments.map(({ prize, title, instructions }) => ({
      kind: prize.kind === 'fixed' ? 'code' : prize.kind,
      title: title ?? null,
      instructions: instructions ?? null,
      spins: null,
      code: prize.code ?? null,
      url: null,
      points: null,
      claimBefore: null,
    })),
    language: null,
    opening: { isOpen: true, opensAt: null, closesAt: null },
  }
}

function themed(wheel: WheelDocument, theme: ThemeName): WheelDocument {
  const { prizes, blanks } = themes[theme]
  const segments = wheel.segments.map((segment, index) => {
    const colours = segment.prize.kind === 'none' ? blanks : prizes
    return { ...segment, color: colours[Math.floor(index / 2) % colours.length] ?? segment.color }
  })
  return { ...wheel, segments, look: { ...wheel.look, theme } }
}
