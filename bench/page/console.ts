// `npm run bench:console [-- rounds]`: measures how long the console's first view takes to load over loopback, with an
// empty cache and with a full one.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts')
const rounds = Number(process.argv[2] ?? 10)
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-console-'))
chmodSync(folder, 0o711)
const url = 'http://127.0.0.1:8096'
const env = {
  PATH: process.env.PATH,
  DATA_DIR: join(folder, 'data'),
  PORT: '8096',
  METRICS_ADDRESS: 'off',
  LOG_LEVEL: 'warn',
}

type View = { paint: number; figures: number; chart: number; kilobytes: number; shift: number }

const server = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const invitation = await started()
  execFileSync(process.execPath, [main, 'demo', '--players', '40'], { env })
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const state = await signIn(browser, invitation)
  const fresh: View[] = []
  const again: View[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ storageState: state, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    fresh.push(await open(page))
    again.push(await open(page))
    await context.close()
  }
  await browser.close()
  print('empty cache', fresh)
  print('full cache', again)
} finally {
  const over = once(server, 'exit')
  server.kill('SIGTERM')
  await over
  rmSync(folder, { recursive: true, force: true })
}

async function started(): Promise<string> {
  let output = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += String(text)
    const link = /http\S+\/console\/welcome#[\w-]+/.exec(output)?.[0]
    if (link !== undefined && output.includes('/api/game/sso')) return link
  }
  throw new Error(`The server did not start:\n${output}`)
}

async function signIn(browser: Browser, invitation: string) {
  const page = await browser.newPage()
  await page.goto(invitation)
  await page.getByLabel('Email').fill('bench@example.com')
  await page.getByLabel('Your name').fill('Bench')
  await page.getByLabel('Choose a password').fill('a long enough password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
  const state = await page.context().storageState()
  await page.close()
  return state
}

/** Times are the browser's own, in ms since the start of the navigation. Elements are checked for in every frame. */
async function open(page: Page): Promise<View> {
  await page.addInitScript(() => {
    const seen = { figures: 0, chart: 0, shift: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      const shows = (selector: string) =>
        document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) === true
      if (seen.figures === 0 && shows('.stat-value')) seen.figures = performance.now()
      if (seen.chart === 0 && shows('.recharts-surface')) seen.chart = performance.now()
      requestAnimationFrame(look)
    }
    look()
  })
  await page.goto(`${url}/console/m/demo/overview`)
  await page.waitForFunction(() => (globalThis as unknown as { seen: View }).seen.chart > 0)
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { figures: number; chart: number; shift: number } }
    const paints = performance.getEntriesByName('first-contentful-paint')
    const loads = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    const bytes = loads.reduce((sum, { transferSize }) => sum + transferSize, 0)
    return { ...seen, paint: paints[0]?.startTime ?? 0, kilobytes: bytes / 1000 }
  })
}

function print(name: string, views: readonly View[]): void {
  const text = (pick: (view: View) => number, digits = 0) => {
    const values = views.map(pick).toSorted((one, other) => one - other)
    const [median, slowest] = [values[Math.floor(values.length / 2)] ?? 0, values.at(-1) ?? 0]
    return `${median.toFixed(digits)} (${slowest.toFixed(digits)})`
  }
  console.log(
    `${name.padEnd(12)} first paint ${text((view) => view.paint)} ms, figures ${text((view) => view.figures)} ms, chart ${text((view) => view.chart)} ms, ${text((view) => view.kilobytes)} kB, layout shift ${text((view) => view.shift, 3)}`,
  )
}
