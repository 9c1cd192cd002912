// Fixtures for the tests of the game page: a browser, a merchant's wheel, and a player's page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before } from 'node:test'
import type axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Merchant, MerchantSettings } from '../../src/merchants/merchants.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { openBrowser, openBlankPage } from './pages.ts'
import {
  type Lifetime,
  makeMerchant,
  makeServer,
  post,
  repository,
  type Server,
  suiteLifetime,
  until,
  waitMsMax,
} from './scene.ts'

export type GameSuite = { server: Server; browser: Browser }

/** One server and one browser for a suite. Call it in the body of `describe`. */
export function makeGameSuite(
  optionsOf: (t: Lifetime) => Promise<Parameters<typeof makeServer>[1]> = async () => ({}),
): GameSuite {
  const lifetime = suiteLifetime()
  const suite = {} as GameSuite
  before(async () => {
    suite.browser = await openBrowser(lifetime)
    suite.server = await makeServer(lifetime, await optionsOf(lifetime))
  })
  return suite
}

/** A wheel that always draws the first segment, unless its prize is unavailable. */
export function wheelOf(first: Partial<WheelSegment>, rest: Partial<WheelDocument> = {}): WheelDocument {
  return {
    ...defaultWheel,
    fallback: 'nothing',
    segments: [
      { id: 'first', label: 'First', color: '#e11d48', weight: 1, prize: { kind: 'handover' }, ...first },
      { id: 'nothing', label: 'Nothing', color: '#334155', weight: 0, prize: { kind: 'none' } },
    ],
    ...rest,
  }
}

export type TestMerchant = {
  merchant: Merchant
  token: string
  publish: (draft: WheelDocument) => Promise<void>
}

export async function makeTestMerchant(
  { server }: Pick<GameSuite, 'server'>,
  { wheel, ...options }: { wheel?: WheelDocument; settings?: Partial<MerchantSettings> } = {},
): Promise<TestMerchant> {
  const { db } = server.ctx
  const { merchant, token } = await makeMerchant(db, options)
  const { merchantId } = merchant
  const publish = async (draft: WheelDocument) => {
    const now = new Date()
    await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now })
    const { version } = await publishWheel(db, { merchantId, slug: 'main', now })
    await until(async () => (await server.ctx.wheels.current(merchantId)).version === version)
  }
  if (wheel !== undefined) await publish(wheel)
  return { merchant, token, publish }
}

export async function makeLink(
  { server }: Pick<GameSuite, 'server'>,
  testMerchant: TestMerchant,
  initialSpin: number,
): Promise<string> {
  const answer = await post(`${server.url}/api/game/sso`, testMerchant.token, {
    playerId: 'pia',
    initialSpin,
  })
  return `${server.url}/spinthewheel/?token=${answer.body.token as string}`
}

export type GamePage = { page: Page; requests: string[]; pageErrors: string[] }

/** A turning wheel costs two seconds of processor time, so it turns only in tests about turning. */
export const turning = { reducedMotion: 'no-preference' } as const

/** A player's page, which records every request and console error. `prepare` runs before it is opened. */
export async function openGame(
  t: Lifetime,
  { browser, server }: GameSuite,
  link: string,
  options: BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> } = {},
): Promise<GamePage> {
  const { prepare, ...rest } = options
  const origin = link.startsWith('http') ? new URL(link).origin : server.url
  const page = await openBlankPage(t, browser, origin, {
    // Tall enough for the whole page. An animation costs processor time by its size.
    viewport: { width: 480, height: 960 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...rest,
  })
  page.setDefaultTimeout(waitMsMax)
  const requests: string[] = []
  const pageErrors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && pageErrors.push(message.text()))
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await prepare?.(page)
  await page.goto(link)
  return { page, requests, pageErrors }
}

/** Waits until the page is in one of these states, and returns it. */
export async function untilState(page: Page, ...states: string[]): Promise<string> {
  await page.locator(states.map((state) => `body[data-state="${state}"]`).join(', ')).waitFor()
  return page.evaluate(() => document.body.dataset.state as string)
}

export async function spin(page: Page): Promise<string> {
  await page.locator('#action').click()
  return untilState(page, 'won', 'noLuck')
}

/**
 * Holds back the server's responses to such requests until the returned function is called, so that the state in
 * between lasts as long as the test needs it. The page waits for them without a limit.
 */
export async function holdResponses(page: Page, requests: string): Promise<() => void> {
  const waitForEver = () => {
    AbortSignal.timeout = () => new AbortController().signal
  }
  await page.addInitScript(waitForEver)
  await page.evaluate(waitForEver)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(requests, async (route) => {
    const response = await route.fetch({ timeout: waitMsMax })
    await promise
    await route.fulfill({ response })
  })
  return resolve
}

/** The segment under the tip of the pointer. */
export async function segmentUnderPointer(page: Page): Promise<number> {
  return page.evaluate(pointedSegment, null)
}

/** The same, found by geometry alone. Runs in the page, for the game in it or in one of its frames. */
export function pointedSegment(frame: number | null): number {
  const game =
    frame === null ? document : (document.querySelectorAll('iframe')[frame]?.contentDocument as Document)
  const middleOf = (selector: string) => {
    const box = (game.querySelector(selector) as Element).getBoundingClientRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  game.querySelector('#stage')?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const wheel = middleOf('#stage')
  const pointer = middleOf('#pointer')
  const toward = (from: number, to: number) => from + (to - from) * 0.8
  const hit = game.elementFromPoint(toward(wheel.x, pointer.x), toward(wheel.y, pointer.y))
  const part = hit?.closest('#disc svg > g')
  return [...game.querySelectorAll('#disc svg > g')].indexOf(part as Element)
}

const axeSource = readFileSync(join(repository, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** The violations that axe finds: in all rules, or in the colour rules only. */
export async function violations(
  page: Page,
  about: 'everything' | 'colours' = 'everything',
): Promise<string[]> {
  // A card that is still fading in has less contrast than the final one.
  await page.evaluate(() =>
    document
      .getAnimations()
      .forEach((one) => one.effect?.getComputedTiming().iterations !== Infinity && one.finish()),
  )
  // Injected once per page, since parsing the source takes as long as a check.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeSource)
  const { violations: found } = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(rules === undefined ? {} : { runOnly: rules }),
      }),
    about === 'colours' ? ['color-contrast', 'link-in-text-block'] : undefined,
  )
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
  )
}
