// Part of `npm run screenshots`: the sheets of docs/page.md, with every state of the page on a phone.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'
import { takeSheet } from './sheet.ts'

/** `publish` makes a wheel current, `link` is for a new player with that many spins. */
type Game = {
  wheel: WheelDocument
  publish: (wheel: WheelDocument) => Promise<void>
  link: (player: string, spins: number) => Promise<string>
}

type Shot = {
  /** What to publish first, if it is not the example. */
  wheel?: WheelDocument
  spins?: number
  /** Answers the opening of the link in place of the server: a refusal by its code, or none at all. */
  refusal?: string
  /** The server's answer, with this state of the wheel. */
  wheelState?: 'paused'
  /** What the player does before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
}

const phone = { width: 390, height: 780 }
const perSheet = 5

export async function takeStateSheets(browser: Browser, game: Game, folder: string): Promise<void> {
  const pictures: { name: string; picture: string }[] = []
  for (const [state, shot] of Object.entries(shotsOf(game))) {
    await game.publish(shot.wheel ?? game.wheel)
    const page = await browser.newPage({ viewport: phone, reducedMotion: 'reduce' })
    if (shot.refusal !== undefined) await refuse(page, shot.refusal)
    if (shot.wheelState !== undefined) await pretend(page, shot.wheelState)
    await page.goto(await game.link(`state-${state}`, shot.spins ?? 3))
    await shot.act?.(page)
    await page.locator(`body[data-state="${state.split('-')[0]}"]`).waitFor()
    await page.evaluate(() => document.fonts.ready)
    pictures.push({ name: state, picture: (await page.screenshot()).toString('base64') })
    await page.close()
  }
  for (let index = 0; index * perSheet < pictures.length; index++)
    await takeSheet(
      browser,
      pictures.slice(index * perSheet, (index + 1) * perSheet),
      join(folder, `states-${index + 1}.webp`),
    )
  await game.publish(game.wheel)
}

/** The key is the state; what follows a dash tells two pictures of one state apart. */
function shotsOf({ wheel, publish }: Game): Record<string, Shot> {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const segments = wheel.segments.map((one) => (one.prize.kind === 'none' ? one : { ...one, stock: 0 }))
  const blank = wheel.segments.map((one) => ({ ...one, weight: one.id === 'nothing' ? 1 : 0 }))
  const press = (page: Page) => page.locator('body[data-state="ready"] #action').click()
  return {
    ready: {},
    'ready-chances': { act: (page) => page.locator('#odds summary').click() },
    changed: {
      act: async (page) => {
        await page.locator('body[data-state="ready"]').waitFor()
        await publish({ ...wheel, segments: wheel.segments.map((one) => ({ ...one, weight: 1 })) })
        await press(page)
      },
    },
    turning: { act: (page) => holdPlays(page).then(() => press(page)) },
    waiting: { act: (page) => holdPlays(page).then(() => press(page)) },
    won: { act: press },
    'won-verified': {
      act: async (page) => {
        await press(page)
        await page.locator('#panel .quiet').click()
        await page.locator('dialog .verdict').waitFor()
      },
    },
    noLuck: { wheel: { ...wheel, segments: blank }, act: press },
    noSpins: { spins: 0 },
    soldOut: { wheel: { ...wheel, segments } },
    paused: { wheelState: 'paused' },
    closed: { wheel: { ...wheel, opensAt: inDays(2) } },
    over: { wheel: { ...wheel, closesAt: inDays(-1) } },
    offline: { refusal: 'offline' },
    down: { refusal: 'overloaded' },
    expired: { refusal: 'game_token_expired' },
    revoked: { refusal: 'game_token_revoked' },
    invalid: { refusal: 'game_token_invalid' },
    blocked: { refusal: 'player_blocked' },
    suspended: { refusal: 'merchant_suspended' },
  }
}

async function refuse(page: Page, code: string): Promise<void> {
  await page.route('**/game/session', (route) =>
    code === 'offline' ? route.abort() : route.fulfill({ status: 403, json: { code } }),
  )
}

async function pretend(page: Page, state: string): Promise<void> {
  await page.route('**/game/session', async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as { wheel: object }
    await route.fulfill({ response, json: { ...session, wheel: { ...session.wheel, state } } })
  })
}

/** The answer to the press never arrives. */
async function holdPlays(page: Page): Promise<void> {
  await page.route('**/game/plays', () => undefined)
}
