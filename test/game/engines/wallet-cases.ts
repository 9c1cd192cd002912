// The wallet in any engine: opened from the game, read without a connection, claimed and forgotten.
import assert from 'node:assert/strict'
import { wheelOf } from '../../scenes/game-scene.ts'
import { until } from '../../scenes/scene.ts'
import { makeGame, type World } from './world.ts'

const code = 'CAFE-77'

export async function keepPrizes(world: World): Promise<void> {
  const { page, setNetwork } = world
  const prize = { prize: { kind: 'fixed', code }, claimInWallet: true, claimWithinSeconds: 86_400 } as const
  const game = await makeGame(world, { wheel: wheelOf(prize), spins: 1 })
  await page.open(game.link)
  await page.untilState('ready')
  await page.click('#action')
  await page.untilState('won')
  await page.click('#wins button')
  await until(() => page.evaluate(() => location.pathname === '/wallet/').catch(() => false))
  await page.untilText('#prizes', new RegExp(code))
  await page.untilText('#prizes .left', /^23:59:\d\d left$/)
  assert.equal(
    await page.evaluate(() => document.querySelector('svg.qr')?.getAttribute('aria-label') ?? ''),
    `QR code for ${code}`,
  )
  assert.ok(await page.evaluate(() => !location.search.includes('token')), 'the address has no token')

  await until(() => page.evaluate(hasKeptPage))
  setNetwork(() => 'drop-request')
  await page.open(`${world.url}/wallet/`)
  await page.untilText('#status', /^No connection\. This is what you had on /)
  await page.untilText('#prizes', new RegExp(code))
  setNetwork(() => 'none')
  await page.click('#tools button.quiet')
  await page.untilText('#status', /^$/)

  await page.click('#prizes button.primary')
  await page.untilText('#prizes .state', /^Claimed$/)
  await page.click('#tools button:last-child')
  await page.untilText('#status', /This device has forgotten your prizes\./)
  assert.equal(await page.text('#prizes'), '')
  assert.equal(await page.evaluate(async () => (await caches.keys()).length), 0)
}

/** Runs in the page. */
async function hasKeptPage(): Promise<boolean> {
  const worker = await navigator.serviceWorker.ready
  const cache = await caches.open('wheelhouse-wallet')
  return worker.active?.state === 'activated' && (await cache.keys()).length > 2
}
