import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** A screenshot as WebP, a quarter of a PNG. Playwright takes PNG and JPEG only, the browser itself all three. */
export async function takeWebp(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const { scale, y } = await page.evaluate(() => ({ scale: devicePixelRatio, y: scrollY }))
  const clip = { x: 0, y, width, height, scale }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82, clip })
  writeFileSync(file, Buffer.from(data, 'base64'))
  await session.detach()
}
