// Pages of a browser, each with its own cookies and storage.
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { chromiumFlags } from '../../scripts/chromium.ts'
import { defer, type Lifetime, waitMsMax } from './scene.ts'

/** The pages of a test are gone before their code is worth optimising. */
const testFlags = [...chromiumFlags, '--js-flags=--no-opt --no-maglev']

let ofThisProcess: Promise<Browser> | undefined
after(async () => (await ofThisProcess)?.close())

/**
 * The browser of this process, which its suites use one after the other: to start one takes a second of CPU time. All
 * pages are closed when the suite ends.
 */
export async function openBrowser(t: Lifetime): Promise<Browser> {
  ofThisProcess ??= launchBrowser()
  const browser = await ofThisProcess
  defer(t, async () => {
    idle.delete(browser)
    for (const context of browser.contexts()) await context.close()
  })
  return browser
}

export async function launchBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.TEST_CHROMIUM as string,
    args: [...testFlags, ...flags],
    timeout: waitMsMax,
  })
}

type Opener = { context: BrowserContext; page: Page }

/** The openers that no test uses, by origin and options. */
const idle = new WeakMap<Browser, Map<string, Promise<Opener>[]>>()

/**
 * A page that is closed when the test ends. The page of an earlier test opens it, so it runs in the same process, which
 * has already compiled our scripts. A new process for each page would take twice the CPU time.
 */
export async function openBlankPage(
  t: Lifetime,
  browser: Browser,
  origin: string,
  { viewport, colorScheme, reducedMotion, ...rest }: BrowserContextOptions,
): Promise<Page> {
  const openers = idleOpeners(browser, JSON.stringify([origin, rest]))
  const opener = await (openers.pop() ?? makeOpener(browser, origin, rest))
  const opened = opener.context.waitForEvent('page')
  await opener.page.evaluate(() => void open('about:blank'))
  const page = await opened
  const closed = new Promise<Opener>((resolve) => void page.once('close', () => resolve(cleanUp(opener))))
  page.once('close', () => openers.push(closed))
  defer(t, async () => {
    // A request may be under way in a handler of the test.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
    await closed
  })
  if (viewport !== undefined && viewport !== null) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null })
  return page
}

function idleOpeners(browser: Browser, key: string): Promise<Opener>[] {
  const byKey = idle.get(browser) ?? new Map<string, Promise<Opener>[]>()
  idle.set(browser, byKey)
  const openers = byKey.get(key) ?? []
  byKey.set(key, openers)
  return openers
}

async function makeOpener(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Opener> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(origin)
  return { context, page }
}

/** Leaves nothing of a test to the next one. */
async function cleanUp(opener: Opener): Promise<Opener> {
  const { context, page } = opener
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  return opener
}
