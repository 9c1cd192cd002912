// axe on every state of the game page in every language: all of them with TESTS=all, a few every day. The other tests
// of the page check each state in English.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { revokeLinksOfMerchant, setSuspension } from '../../src/merchants/merchants.ts'
import { setBlock } from '../../src/players/players.ts'
import type { WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { setPause } from '../../src/wheels/wheels.ts'
import {
  holdResponses,
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  openGame,
  spin,
  type TestMerchant,
  untilState,
  violations,
  wheelOf,
} from '../scenes/game-scene.ts'
import { type Lifetime, makeServer, suiteLifetime, until } from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

const languages = runsAll ? playerLanguages : ['hi']
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const prize = { kind: 'fixed', code: 'SUNNY-10' } as const

type Way = {
  link: () => Promise<string>
  prepare?: (page: Page) => Promise<unknown>
  go?: (page: Page) => Promise<unknown>
}

describe('axe finds nothing', { concurrency: 2 }, () => {
  const suite = makeGameSuite()
  const lifetime: Lifetime = suiteLifetime()
  let later = ''
  before(async () => {
    const { ctx, target } = suite.server
    const now = () => new Date(Date.now() + 2 * 86_400_000)
    later = (await makeServer(lifetime, { database: { target, db: ctx.db }, now })).url
  })

  const made = new Map<string, Promise<string>>()
  /** One link for all languages. */
  const linkTo = (
    name: string,
    { wheel = wheelOf({ prize }), spins = 99 }: { wheel?: WheelDocument; spins?: number } = {},
    then: (merchant: TestMerchant) => Promise<unknown> = async () => undefined,
  ) => {
    const make = async () => {
      const merchant = await makeTestMerchant(suite, { wheel })
      const link = await makeLink(suite, merchant, spins)
      await then(merchant)
      return link
    }
    if (!made.has(name)) made.set(name, make())
    return made.get(name) as Promise<string>
  }
  const fresh = async (wheel: WheelDocument) => makeLink(suite, await makeTestMerchant(suite, { wheel }), 9)
  const press = (page: Page) => page.locator('#action').click()
  const openSections = async (page: Page) => {
    for (const summary of await page.locator('#sections > details > summary:visible').all())
      await summary.click()
  }

  const ways: Record<string, Way> = {
    loading: { link: () => linkTo('ready'), prepare: (page) => holdResponses(page, '**/session') },
    ready: { link: () => linkTo('ready'), go: openSections },
    // It plays, so a page with the same link would show that result instead of its own state.
    turning: {
      link: () => fresh(wheelOf({ prize })),
      go: async (page) => {
        await holdResponses(page, '**/plays')
        await press(page)
      },
    },
    waiting: {
      link: () => linkTo('ready'),
      go: async (page) => {
        await page.route('**/plays', (route) => route.abort())
        await press(page)
      },
    },
    won: {
      link: () => fresh(wheelOf({ prize, title: 'A prize', stock: 5 })),
      go: async (page) => {
        await spin(page)
        await openSections(page)
        await page.locator('#panel').locator('#footer button').click()
        await page.locator('dialog[open]').waitFor()
        assert.deepEqual(await violations(page), [], 'in the dialog')
        await page.keyboard.press('Escape')
      },
    },
    noLuck: { link: () => fresh(wheelOf({ prize: { kind: 'none' } })), go: spin },
    noSpins: { link: () => linkTo('noSpins', { spins: 0 }) },
    soldOut: { link: () => linkTo('soldOut', { wheel: wheelOf({ stock: 0 }) }), go: openSections },
    paused: {
      link: () =>
        linkTo('paused', {}, async ({ merchant: { merchantId } }) => {
          const { db, wheels } = suite.server.ctx
          await setPause(db, { merchantId, slug: 'main', isPaused: true, now: new Date() })
          await until(async () => (await wheels.current(merchantId)).pausedAt !== null)
        }),
    },
    closed: { link: () => linkTo('closed', { wheel: wheelOf({}, { opensAt: inDays(3) }) }) },
    over: { link: () => linkTo('over', { wheel: wheelOf({}, { closesAt: inDays(-3) }) }) },
    offline: {
      link: () => linkTo('ready'),
      prepare: (page) => page.route('**/session', (route) => route.abort()),
    },
    down: {
      link: () => linkTo('ready'),
      prepare: (page) => page.route('**/session', (route) => route.fulfill({ status: 503, body: '' })),
    },
    expired: { link: async () => (await linkTo('ready')).replace(suite.server.url, later) },
    revoked: {
      link: () =>
        linkTo('revoked', {}, ({ merchant }) =>
          revokeLinksOfMerchant(suite.server.ctx.db, merchant.merchantId, new Date(Date.now() + 1)),
        ),
    },
    invalid: { link: async () => `${suite.server.url}/spinthewheel/?token=x.y.z` },
    blocked: {
      link: () =>
        linkTo('blocked', {}, ({ merchant: { merchantId } }) =>
          setBlock(suite.server.ctx.db, { merchantId, playerId: 'pia' }, new Date()),
        ),
    },
    suspended: {
      link: () =>
        linkTo('suspended', {}, ({ merchant }) =>
          setSuspension(suite.server.ctx.db, merchant.slug, new Date()),
        ),
    },
  }

  for (const [state, { link, prepare, go }] of Object.entries(ways)) {
    if (!runsAll && state !== 'won') continue
    test(`${state}, in ${languages.join(', ')}`, async (t) => {
      for (const locale of languages) {
        const opened = await openGame(t, suite, await link(), {
          locale,
          viewport: { width: 320, height: 568 },
          ...(prepare === undefined ? {} : { prepare }),
        })
        const { page } = opened
        if (go !== undefined) await untilState(page, 'ready', 'soldOut', 'won', 'noLuck')
        await go?.(page)
        await untilState(page, state)
        assert.deepEqual(await violations(page), [], `${state} in ${locale}`)
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${state} in ${locale} overflows`,
        )
        await page.close()
      }
    })
  }

  test(`changed, in ${languages.join(', ')}`, { skip: !runsAll }, async (t) => {
    const merchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Before' }) })
    const link = await makeLink(suite, merchant, 1)
    for (const locale of languages) {
      const { page } = await openGame(t, suite, link, { locale, viewport: { width: 320, height: 568 } })
      await untilState(page, 'ready')
      await merchant.publish(wheelOf({ label: `After ${locale}` }))
      await press(page)
      await untilState(page, 'changed')
      assert.deepEqual(await violations(page), [], locale)
      await page.close()
    }
  })
})
