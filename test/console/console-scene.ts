// Fixtures for the tests of the console: people, each signed in with a browser context of their own.
import { before } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { admit } from '../../src/staff/sign-in.ts'
import type { Role } from '../../src/staff/roles.ts'
import { openBrowser } from '../scenes/pages.ts'
import {
  defer,
  type Lifetime,
  makeMerchant,
  makeServer,
  type Server,
  suiteLifetime,
  waitMsMax,
} from '../scenes/scene.ts'
import { makeStaff } from '../scenes/staff-scene.ts'

export type ConsoleSuite = { server: Server; browser: Browser }

/** One server and one browser for a suite. Call it in the body of `describe`. `makeEnv` returns its settings. */
export function makeConsoleSuite(
  makeEnv: (t: Lifetime) => Promise<Record<string, string>> = async () => ({}),
  now?: () => Date,
): ConsoleSuite {
  const lifetime = suiteLifetime()
  const suite = {} as ConsoleSuite
  before(async () => {
    suite.browser = await openBrowser(lifetime)
    suite.server = await makeServer(lifetime, { env: await makeEnv(lifetime), ...(now && { now }) })
  })
  return suite
}

export type TestMerchant = { merchant: Merchant; token: string }

export async function makeTestMerchant({ server }: ConsoleSuite): Promise<TestMerchant> {
  return makeMerchant(server.ctx.db)
}

export type ConsolePage = { page: Page; requests: string[]; pageErrors: string[]; email: string }

/** A person with a role, signed in and at a view of the console. Records every request and every console error. */
export async function openConsole(
  t: Lifetime,
  suite: ConsoleSuite,
  options: BrowserContextOptions & {
    testMerchant: TestMerchant
    role: Role
    path?: string
    isOperator?: boolean
  },
): Promise<ConsolePage> {
  const { testMerchant, role, path = '', isOperator = false, ...rest } = options
  const { db } = suite.server.ctx
  const person = await makeStaff(db, [[testMerchant.merchant, role]], { isOperator })
  const opened = await openPage(t, suite, rest)
  const { sessionToken } = await admit(db, person.staffId, {
    address: '127.0.0.1',
    browser: 'test',
    browserToken: undefined,
    now: new Date(),
  })
  const cookie = { name: 'wheelhouse-session-8080', value: sessionToken, url: suite.server.url }
  await opened.page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  await opened.page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}${path}`)
  return { ...opened, email: person.email }
}

export const desktop = { width: 1280, height: 900 }

/** A page with its own cookies. */
export async function openPage(
  t: Lifetime,
  { browser }: ConsoleSuite,
  options: BrowserContextOptions = {},
): Promise<Omit<ConsolePage, 'email'>> {
  const context = await browser.newContext({
    viewport: desktop,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMsMax)
  const requests: string[] = []
  const pageErrors: string[] = []
  defer(t, async () => {
    if (t.passed === false) console.error(await describePage(page), pageErrors)
    await context.close()
  })
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} at ${message.location().url}`)
  })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  return { page, requests, pageErrors }
}

/** What somebody would see, for finding out why a test failed. */
async function describePage(page: Page): Promise<string> {
  const fields = page.locator('input, textarea')
  const values = await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))
  return [page.url(), await page.locator('body').innerText(), `fields: ${values.join(' | ')}`].join('\n')
}

/** Waits until nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    () => document.querySelector('[aria-busy="true"], [role="status"][aria-label="Loading"]') === null,
  )
}

export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}
