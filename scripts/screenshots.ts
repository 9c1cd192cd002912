// `npm run screenshots`: starts a server on a new folder, plays, and takes the screenshots for the README,
// docs/page.md, docs/themes.md, docs/console.md, docs/campaigns.md, docs/test-mode.md, docs/free-spins.md,
// docs/visitors.md and docs/mail.md. `npm run screenshots -- themes` takes only that part; the others are page, states,
// mails and console.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { Wheelhouse } from '../packages/client/src/index.ts'
import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'
import { chromiumFlags, findChromium } from './chromium.ts'
import { takeConsoleScreenshots } from './console-screenshots.ts'
import { addCampaigns } from './example-campaigns.ts'
import { addTestMerchant } from './example-test-merchant.ts'
import { addVisitors } from './example-visitors.ts'
import { exampleWheel } from './example-wheel.ts'
import { takeMailSheet } from './mail-screenshots.ts'
import { drawPrizePictures } from './prize-pictures.ts'
import { takeStateSheets } from './state-screenshots.ts'
import { takeThemeSheets } from './theme-screenshots.ts'
import { takeWebp } from './webp.ts'

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
  // Messages can be switched on; nothing is sent.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'wheel@example.com',
}

function cli(...args: string[]): string {
  return execFileSync(process.execPath, [main, ...args], { env, encoding: 'utf8' })
}

function isWanted(part: string): boolean {
  const parts = process.argv.slice(2)
  return parts.length === 0 || parts.includes(part)
}

let demoToken = ''

async function publishAs(id: string, document: WheelDocument): Promise<void> {
  const wheelhouse = new Wheelhouse({ url, token: demoToken })
  await wheelhouse.request('PUT', '/api/v1/wheels/{wheel}', { path: { wheel: id }, body: document })
  await wheelhouse.request('POST', '/api/v1/wheels/{wheel}/publication', { path: { wheel: id } })
}

let published = ''

async function publish(document: WheelDocument): Promise<void> {
  if (JSON.stringify(document) === published) return
  published = JSON.stringify(document)
  await publishAs('main', document)
  // A publication takes effect within a second.
  await setTimeout(1_200)
}

async function gameLink(token: string, playerId: string, initialSpin: number): Promise<string> {
  const response = await fetch(`${url}/api/game/sso`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ playerId, initialSpin }),
  })
  return ((await response.json()) as { link: string }).link
}

async function lobbyLink(token: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/links`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ playerId: 'ann', campaign: '*' }),
  })
  return ((await response.json()) as { link: string }).link
}

async function picture(
  browser: Browser,
  name: string,
  link: string,
  size: { width: number; height: number },
): Promise<void> {
  const page = await browser.newPage({
    viewport: size,
    deviceScaleFactor: 1.5,
    timezoneId: 'Europe/Berlin',
  })
  await page.goto(link)
  await page.locator('body:is([data-state="ready"], [data-state="form"])').waitFor()
  const button = page.locator('#action')
  await page.evaluate(() => document.fonts.ready)
  if (name === 'won') {
    await button.click()
    await page.getByText('SUNNY-10').first().waitFor()
    await page.waitForTimeout(800) // The confetti is in the air.
  }
  await takeWebp(page, join(images, `${name}.webp`))
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
  demoToken = /demo-\w+:[0-9a-f]{64}/.exec(output)?.[0] ?? ''
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const wheel = exampleWheel(await drawPrizePictures(browser))
  await publish(wheel)
  const phone = { width: 390, height: 780 }
  const link = (player: string, spins: number) => gameLink(demoToken, player, spins)
  if (isWanted('page')) {
    await picture(browser, 'phone', await link('ann', 5), phone)
    await picture(browser, 'won', await link('bob', 5), phone)
    await picture(browser, 'arabic', `${await link('cem', 5)}&lang=ar`, phone)
  }
  if (isWanted('themes')) await takeThemeSheets(browser, { url, wheel, folder: images })
  if (isWanted('states')) await takeStateSheets(browser, { wheel, publish, link }, images)
  if (isWanted('mails')) await takeMailSheet(browser, { url, token: demoToken, folder: images })
  if (isWanted('console')) {
    cli('demo')
    await addCampaigns({ url, token: demoToken }, publishAs, wheel)
    await picture(browser, 'visitors', await addVisitors({ url, token: demoToken }), phone)
    await picture(browser, 'lobby', await lobbyLink(demoToken), phone)
    await picture(browser, 'free-spins', await addTestMerchant({ url, token: demoToken }, wheel), phone)
    const invitation = /http\S+\/console\/welcome#[\w-]+/.exec(output)?.[0] ?? ''
    await takeConsoleScreenshots(browser, { invitation, folder: images })
  }
  await browser.close()
} finally {
  const stopped = once(server, 'exit')
  server.kill('SIGTERM')
  await stopped
  rmSync(folder, { recursive: true, force: true })
}
