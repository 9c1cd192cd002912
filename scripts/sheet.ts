import type { Browser } from 'playwright-core'
import { takeWebp } from './webp.ts'

/** Screenshots (base64) of a phone side by side, each with its name. */
export async function takeSheet(
  browser: Browser,
  pictures: readonly { name: string; picture: string }[],
  file: string,
): Promise<void> {
  const viewport = { width: pictures.length * 260 + 20, height: 560 }
  const sheet = await browser.newPage({ viewport, deviceScaleFactor: 1.25 })
  const figures = pictures.map(
    ({ name, picture }) =>
      `<figure><img width="240" src="data:image/png;base64,${picture}"><figcaption>${name}</figcaption></figure>`,
  )
  await sheet.setContent(
    `<style>body { margin: 20px; display: flex; gap: 20px; background: white; font: 16px sans-serif }
    figure { margin: 0; text-align: center } img { display: block; border-radius: 12px; margin-bottom: 8px }</style>${figures.join('')}`,
  )
  await takeWebp(sheet, file)
  await sheet.close()
}
