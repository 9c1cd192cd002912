// Fixtures for the tests of the console: people, each signed in with a browser context of their own.
import { before } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumFlags } from '../scripts/chromium.ts'
import type { Merchant } from '../src/merchants/merchants.ts'
import { admit } from '../src/staff/sign-in.ts'
import type { Role } from '../src/staff/roles.ts'
import { defer, type Lifetime, makeMerchant, makeServer, type Server, suiteLifetime } from './scene.ts'
import { makeStaff } from './staff-scene.ts'

export type House = { server: Server; browser: Browser }

/** Enough for a machine that is ten times slower. */
export const patienceMs = 90_000

/** One server and one browser for a suite. Call it in the body of `describe`. `furnish` prepares what the settings refer to. */
export function makeHouse(
  furnish: (t: Lifetime) => Promise<Record<string, string>> = async () => ({}),
): House {
  const lifetime = suiteLifetime()
  const house = {} as House
  before(async () => {
    house.browser = await chromium.launch({
      executablePath: process.env.TEST_CHROMIUM as string,
      args: chromiumFlags,
    })
    lifetime.after(() => house.browser.close())
    house.server = await makeServer(lifetime, { env: await furnish(lifetime) })
  })
  return house
}

export type Shop = { merchant: Merchant; token: string }

export async function makeShop({ server }: House): Promise<Shop> {
  return makeMerchant(server.ctx.db)
}

export type Desk = { page: Page; requests: string[]; complaints: string[]; email: string }

/** A person with a role, signed in and at a view of the console. Records every request and every console error. */
export async function sitDown(
  t: Lifetime,
  house: House,
  options: BrowserContextOptions & { shop: Shop; role: Role; path?: string; isOperator?: boolean },
): Promise<Desk> {
  const { shop, role, path = '', isOperator = false, ...rest } = options
  const { db } = house.server.ctx
  const person = await makeStaff(db, [[shop.merchant, role]], { isOperator })
  const desk = await openPage(t, house, rest)
  const { sessionToken } = await admit(db, person.staffId, {
    address: '127.0.0.1',
    browser: 'test',
    browserToken: undefined,
    now: new Date(),
  })
  const cookie = { name: 'wheelhouse-session-8080', value: sessionToken, url: house.server.url }
  await desk.page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  await desk.page.goto(`${house.server.url}/console/m/${shop.merchant.slug}${path}`)
  return { ...desk, email: person.email }
}

export const desktop = { width: 1280, height: 900 }

/** A page with its own cookies. */
export async function openPage(
  t: Lifetime,
  { browser }: House,
  options: BrowserContextOptions = {},
): Promise<Omit<Desk, 'email'>> {
  const context = await browser.newContext({
    viewport: desktop,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  defer(t, () => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, requests, complaints }
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
