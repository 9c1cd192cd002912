// Part of `npm run screenshots`: two sheets for docs/page.md, one with every theme and one with the states of the page.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { publishedText } from '../src/wheels/published-text.ts'
import { themeNames } from '../src/wheels/theme-names.ts'
import type { WheelDocument } from '../src/wheels/wheel-document.ts'
import { themes } from '../web/game/themes.ts'

const phone = { width: 390, height: 780 }

/** Every theme in the console's preview, which is the real page. */
export async function takeThemeSheet(
  browser: Browser,
  options: { url: string; wheel: WheelDocument; folder: string },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1700, height: 1080 }, deviceScaleFactor: 0.75 })
  await page.goto(`${options.url}/console`)
  const drafts = themeNames.map((name) => publishedText(themed(options.wheel, name)))
  await page.evaluate(async (published) => {
    const frames = published.map(() =>
      Object.assign(document.createElement('iframe'), { src: '/spinthewheel/?preview' }),
    )
    document.body.style.cssText =
      'display: flex; flex-wrap: wrap; gap: 20px; padding: 20px; background: white'
    for (const frame of frames) frame.style.cssText = 'width: 390px; height: 780px; border: 0; zoom: 0.65'
    addEventListener('message', ({ source, data }) => {
      const index = frames.findIndex((frame) => frame.contentWindow === source)
      if (data?.type === 'preview')
        frames[index]?.contentWindow?.postMessage(
          { published: published[index], prizes: [] },
          location.origin,
        )
    })
    document.body.replaceChildren(...frames)
  }, drafts)
  for (const frame of page.frames().slice(1)) await frame.locator('body[data-state="ready"]').waitFor()
  await page.locator('body').screenshot({ path: join(options.folder, 'themes.png') })
  await page.close()
}

function themed(wheel: WheelDocument, theme: (typeof themeNames)[number]): WheelDocument {
  const { prizes, blanks } = themes[theme]
  const segments = wheel.segments.map((segment, index) => {
    const colours = segment.prize.kind === 'none' ? blanks : prizes
    return { ...segment, color: colours[Math.floor(index / 2) % colours.length] ?? segment.color }
  })
  return { ...wheel, segments, look: { ...wheel.look, theme, merchantName: theme } }
}

/** A player's page in each of these states. `publish` makes a wheel current, `link` is for a new player. */
export async function takeStateSheet(
  browser: Browser,
  game: {
    wheel: WheelDocument
    publish: (wheel: WheelDocument) => Promise<void>
    link: (player: string) => Promise<string>
  },
  folder: string,
): Promise<void> {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const limited = game.wheel.segments.map((one) => (one.prize.kind === 'none' ? one : { ...one, stock: 0 }))
  const wheels: [string, WheelDocument][] = [
    ['closed', { ...game.wheel, opensAt: inDays(2) }],
    ['over', { ...game.wheel, closesAt: inDays(-1) }],
    ['soldOut', { ...game.wheel, segments: limited }],
    ['ready', game.wheel],
  ]
  const pictures: string[] = []
  for (const [state, wheel] of wheels) {
    await game.publish(wheel)
    const page = await browser.newPage({ viewport: phone, reducedMotion: 'reduce' })
    await page.goto(await game.link(`state-${state}`))
    await page.locator(`body[data-state="${state}"]`).waitFor()
    if (state === 'ready') await page.locator('#odds summary').click()
    pictures.push((await page.screenshot()).toString('base64'))
    if (state === 'ready') pictures.push(await verified(page))
    await page.close()
  }
  const sheet = await browser.newPage({ viewport: { width: 1720, height: 680 }, deviceScaleFactor: 0.75 })
  const images = pictures.map((one) => `<img height="640" src="data:image/png;base64,${one}">`)
  await sheet.setContent(
    `<body style="margin: 20px; display: flex; gap: 20px; background: white">${images.join('')}`,
  )
  await sheet.screenshot({ path: join(folder, 'states.png') })
  await sheet.close()
}

async function verified(page: Page): Promise<string> {
  await page.locator('#action').click()
  await page.locator('body:is([data-state="won"], [data-state="noLuck"])').waitFor()
  await page.locator('#panel .quiet').click()
  await page.locator('dialog .verdict').waitFor()
  return (await page.screenshot()).toString('base64')
}
