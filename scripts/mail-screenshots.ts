// Part of `npm run screenshots`: the sheet of docs/mail.md, with messages as a phone shows them.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { Wheelhouse } from '../packages/client/src/index.ts'
import { takeSheet } from './sheet.ts'

type Shot = {
  kind: 'won' | 'spins_waiting'
  language?: string
  colorScheme?: 'dark'
  /** As mail programs show it until the reader asks for pictures. */
  isWithoutPictures?: boolean
}

const shots: Record<string, Shot> = {
  won: { kind: 'won' },
  'won, dark': { kind: 'won', colorScheme: 'dark' },
  'won, without pictures': { kind: 'won', isWithoutPictures: true },
  'won, Arabic': { kind: 'won', language: 'ar' },
  'spins waiting': { kind: 'spins_waiting' },
}

export async function takeMailSheet(
  browser: Browser,
  { url, token, folder }: { url: string; token: string; folder: string },
): Promise<void> {
  const wheelhouse = new Wheelhouse({ url, token })
  const pictures: { name: string; picture: string }[] = []
  for (const [name, { kind, language = 'en', colorScheme = 'light', isWithoutPictures }] of Object.entries(
    shots,
  )) {
    const { html } = await wheelhouse.request('POST', '/api/v1/messages/preview', {
      body: { kind, language },
    })
    const page = await browser.newPage({ viewport: { width: 320, height: 640 }, colorScheme })
    await page.setContent(isWithoutPictures === true ? html.replace(/src="data:[^"]+"/, '') : html)
    pictures.push({ name, picture: (await page.screenshot()).toString('base64') })
    await page.close()
  }
  await takeSheet(browser, pictures, join(folder, 'mails.webp'))
}
