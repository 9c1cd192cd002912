// What a player does with a turning wheel, in any engine.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { defaultWheel, type WheelDocument } from '../../../src/wheel-document/wheel-document.ts'
import { makeLink, makeTestMerchant, pointedSegment, wheelOf } from '../../scenes/game-scene.ts'
import { defer, times, until } from '../../scenes/scene.ts'
import { type Game, makeGame, type World } from './world.ts'

export async function spinAndVerify(world: World): Promise<void> {
  const { page } = world
  const game = await makeGame(world)
  await page.open(game.link)
  await page.untilState('ready')
  assert.equal(await page.evaluate(() => location.search), '?lang=en', 'the token is out of the address bar')
  await page.click('#action')
  await page.untilState('won', 'noLuck')
  assert.equal(await page.evaluate(pointedSegment, null), (await game.session()).lastPlay?.segment)
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'panel-title')
  await page.click('#footer .quiet')
  await page.untilText('#verify', /Everything matches: this spin was fair\./)
  assert.equal(await page.evaluate(() => document.querySelectorAll('#verify .steps .bad').length), 0)
}

const dials: Partial<WheelDocument>[] = [
  { look: { pointer: 'top', direction: 'clockwise' } },
  { look: { pointer: 'right', direction: 'counterclockwise' } },
  { look: { pointer: 'bottom', direction: 'clockwise', widths: 'weight' } },
  { look: { pointer: 'left', direction: 'counterclockwise', widths: 'weight' } },
]

/** Several games turn at once, in frames of one page, on wheels with 2 to 24 segments. */
export async function stopWhereDrawn(world: World, turns: number): Promise<void> {
  const frames = 8
  const rounds = Math.ceil(turns / frames)
  const games: Game[] = []
  for (const index of times(frames, (one) => one)) {
    const segments = times([2, 3, 5, 8, 12, 17, 20, 24][index] ?? 8, (one) => ({
      ...(defaultWheel.segments[0] as (typeof defaultWheel.segments)[0]),
      id: `s${one}`,
      label: `Field ${one}`,
      weight: 1 + ((one * 7) % 5),
      prize: { kind: 'none' as const },
    }))
    const wheel = { ...defaultWheel, ...dials[index % 4], fallback: 's0', segments }
    games.push(await makeGame(world, { wheel, spins: rounds }))
  }
  await showInFrames(
    world,
    games.map(({ link }) => link),
    { width: 320, height: 480 },
  )
  for (let round = 0; round < rounds; round++) {
    await world.page.evaluate(() => {
      for (const { contentDocument } of document.querySelectorAll('iframe'))
        contentDocument?.getElementById('action')?.click()
    })
    await untilAll(world, ['won', 'noLuck'])
    for (const [index, game] of games.entries())
      assert.equal(
        await world.page.evaluate(pointedSegment, index),
        (await game.session()).lastPlay?.segment,
        `turn ${round} in frame ${index}`,
      )
  }
}

async function showInFrames(world: World, links: string[], size: { width: number; height: number }) {
  await world.page.open(`${world.url}/embed/preview/`, { width: size.width * 4, height: size.height * 2 })
  await world.page.evaluate(
    (urls, { width, height }) => {
      const frames = urls.map((src, index) => {
        const frame = Object.assign(document.createElement('iframe'), { src, width, height })
        const style = { position: 'fixed', border: '0', left: `${(index % 4) * width}px` }
        Object.assign(frame.style, style, { top: `${Math.floor(index / 4) * height}px` })
        return frame
      })
      document.body.replaceChildren(...frames)
    },
    links,
    size,
  )
  await untilAll(world, ['ready'])
}

function untilAll({ page }: World, states: string[]): Promise<void> {
  return until(() =>
    page.evaluate(
      (wanted) =>
        [...document.querySelectorAll('iframe')].every(({ contentDocument }) =>
          wanted.includes(contentDocument?.body?.dataset.state ?? ''),
        ),
      states,
    ),
  )
}

export async function swipe(world: World): Promise<void> {
  const { page } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 2 })
  await page.open(game.link)
  await page.untilState('ready')
  for (const pointer of ['mouse', 'touch'] as const) {
    const box = await page.evaluate(() => {
      document.getElementById('stage')?.scrollIntoView({ block: 'start', behavior: 'instant' })
      const { x, y, width, height } = (
        document.getElementById('stage') as HTMLElement
      ).getBoundingClientRect()
      return { x, y, width, height }
    })
    const across = times(6, (step) => ({
      x: Math.round(box.x + box.width * (0.2 + step * 0.12)),
      y: Math.round(box.y + box.height * 0.8),
    }))
    await page.drag(across, pointer)
    await page.untilState('turning', 'won')
    await page.untilState('won')
    assert.equal(await page.evaluate(pointedSegment, null), 0, pointer)
  }
  assert.equal((await game.session()).spinCount, 0)
}

/** A change is shown and waits for another press; nothing is spent. */
export async function noticeChange(world: World): Promise<void> {
  const { page } = world
  const game = await makeGame(world, { wheel: wheelOf({ label: 'Car' }), spins: 2 })
  await page.open(game.link)
  await page.untilState('ready')
  await game.merchant.publish(wheelOf({ label: 'Cap' }))
  await page.click('#action')
  await page.untilState('changed')
  assert.equal((await game.session()).spinCount, 2)
  await page.untilText('#panel', /The wheel has changed[^]*No spin was used/)
  assert.equal(await page.evaluate(pointedSegment, null), 0)
  await page.click('#action')
  await page.untilState('won')
  assert.equal(await page.text('#prize'), 'Cap')
}

/** The element in a shop on another site: it opens, gets its height, plays by keyboard, and tells the shop. */
export async function playEmbedded(world: World, t: TestContext): Promise<void> {
  const { page, server } = world
  const shop = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Shop</title><script src="${server.url}/embed/v1.js"></script>
      <wheelhouse-game link="${link}"></wheelhouse-game>`)
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  defer(t, () => shop.close())
  const origin = `http://localhost:${(shop.address() as AddressInfo).port}`
  const settings = { embedOrigins: [origin] }
  const merchant = await makeTestMerchant({ server }, { wheel: wheelOf({}), settings })
  const link = await makeLink({ server }, merchant, 1)
  await page.open(origin, { width: 700, height: 900 })
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const type of ['opened', 'played', 'won'])
      document.querySelector('wheelhouse-game')?.addEventListener(type, () => heard.push(type))
  })
  const height = () =>
    page.evaluate(() => document.querySelector('wheelhouse-game')?.getBoundingClientRect().height ?? 0)
  await until(async () => (await height()) > 500)
  await page.evaluate(() =>
    document.querySelector('wheelhouse-game')?.shadowRoot?.querySelector('iframe')?.focus(),
  )
  // The sound button, then the button that spins.
  await page.press('Tab')
  await page.press('Tab')
  await page.press('Enter')
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  await until(async () => (await heard()).includes('won'))
  assert.deepEqual(
    (await heard()).filter((type) => type !== 'opened'),
    ['played', 'won'],
  )
}
