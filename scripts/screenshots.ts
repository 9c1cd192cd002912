// `npm run screenshots`: starts a server on a new folder, plays, and takes the screenshots for the README, docs/page.md and
// docs/console.md.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import type { WheelDocument } from '../src/wheels/wheel-document.ts'
import { chromiumFlags, findChromium } from './chromium.ts'
import { takeConsoleScreenshots } from './console-screenshots.ts'
import { takeStateSheet, takeThemeSheet } from './page-screenshots.ts'

const images = join(import.meta.dirname, '..', 'docs', 'images')
const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-pictures-'))
chmodSync(folder, 0o711)
const url = 'http://127.0.0.1:8097'
const env = {
  PATH: process.env.PATH,
  DATA_DIR: join(folder, 'data'),
  PORT: '8097',
  METRICS_ADDRESS: 'off',
  LOG_LEVEL: 'warn',
}

/** All other segments have weight 0, so that the screenshot of a win is certain to show one. */
const wheel: WheelDocument = {
  name: 'Summer',
  timeZone: 'UTC',
  fallback: 'nothing',
  look: { merchantName: 'Corner Café' },
  segments: [
    {
      id: 'ten',
      label: '10 % off',
      color: '#7c3aed',
      icon: '🎁',
      weight: 40,
      prize: { kind: 'fixed', code: 'SUNNY-10' },
      title: '10 % off your next order',
      instructions: 'Enter the code at the checkout.',
    },
    { id: 'nothing', label: 'Try again', color: '#334155', weight: 0, prize: { kind: 'none' } },
    {
      id: 'spins',
      label: '2 spins',
      color: '#db2777',
      icon: '🎯',
      weight: 0,
      prize: { kind: 'spins', spins: 2 },
    },
    { id: 'close', label: 'So close', color: '#475569', weight: 0, prize: { kind: 'none' } },
    {
      id: 'coffee',
      label: 'Free coffee',
      color: '#ea580c',
      icon: '☕',
      weight: 0,
      prize: { kind: 'handover' },
    },
    { id: 'today', label: 'Not today', color: '#334155', weight: 0, prize: { kind: 'none' } },
    { id: 'cake', label: 'A cake', color: '#ca8a04', icon: '🍰', weight: 0, prize: { kind: 'handover' } },
    { id: 'next', label: 'Next time', color: '#475569', weight: 0, prize: { kind: 'none' } },
  ],
}

function cli(...args: string[]): string {
  return execFileSync(process.execPath, [main, ...args], { env, encoding: 'utf8' })
}

async function publish(document: WheelDocument): Promise<void> {
  writeFileSync(join(folder, 'wheel.json'), JSON.stringify(document))
  cli('wheel', 'import', 'demo', 'main', join(folder, 'wheel.json'))
  cli('wheel', 'publish', 'demo', 'main')
  // A publication takes effect within a second.
  await setTimeout(1_200)
}

async function gameLink(token: string, playerId: string): Promise<string> {
  const response = await fetch(`${url}/api/game/sso`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ playerId, initialSpin: 5 }),
  })
  return ((await response.json()) as { link: string }).link
}

async function picture(
  browser: Browser,
  name: string,
  link: string,
  size: { width: number; height: number },
): Promise<void> {
  const page = await browser.newPage({ viewport: size })
  await page.goto(link)
  const button = page.locator('button:visible').filter({ hasText: /\S/ }).first()
  await button.waitFor()
  if (name === 'won') {
    await button.click()
    await page.getByText('SUNNY-10').first().waitFor()
    await page.waitForTimeout(2_500) // Until the confetti has fallen.
  }
  await page.screenshot({ path: join(images, `${name}.png`) })
  await page.close()
}

mkdirSync(images, { recursive: true })
const server = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  let output = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += String(text)
    if (output.includes('/api/game/sso')) break
  }
  const token = /demo-\w+:[0-9a-f]{64}/.exec(output)?.[0] ?? ''
  await publish(wheel)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const phone = { width: 390, height: 780 }
  await picture(browser, 'phone', await gameLink(token, 'ann'), phone)
  await picture(browser, 'won', await gameLink(token, 'bob'), phone)
  await picture(browser, 'arabic', `${await gameLink(token, 'cem')}&lang=ar`, phone)
  await picture(browser, 'desktop', await gameLink(token, 'dan'), { width: 1280, height: 800 })
  await takeThemeSheet(browser, { url, wheel, folder: images })
  await takeStateSheet(browser, { wheel, publish, link: (player) => gameLink(token, player) }, images)
  cli('demo')
  const invitation = /http\S+\/console\/welcome#[\w-]+/.exec(output)?.[0] ?? ''
  await takeConsoleScreenshots(browser, { invitation, folder: images })
  await browser.close()
} finally {
  const stopped = once(server, 'exit')
  server.kill('SIGTERM')
  await stopped
  rmSync(folder, { recursive: true, force: true })
}
