// What a player meets with reduced motion, in any engine. States and networks need no turning wheel.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { publishedText } from '../../../src/wheel-document/published-text.ts'
import { setPause } from '../../../src/wheels/wheels.ts'
import type { Draft } from '../../../web/game/preview.ts'
import { pointedSegment, wheelOf } from '../../scenes/game-scene.ts'
import { labels, type Sample, wheelWith, worstExcess } from '../label-scene.ts'
import { type Fault, makeLossyProxy } from '../../scenes/lossy-proxy.ts'
import { until } from '../../scenes/scene.ts'
import { makeGame, type World } from './world.ts'

export async function revealWithoutTurning(world: World): Promise<void> {
  const { page } = world
  const game = await makeGame(world)
  await page.open(game.link)
  await page.untilState('ready')
  await page.evaluate(() => {
    const disc = document.getElementById('disc') as HTMLElement
    const places = new Set<string>()
    Object.assign(window, { places })
    requestAnimationFrame(function look() {
      places.add(getComputedStyle(disc).transform)
      requestAnimationFrame(look)
    })
  })
  await page.click('#action')
  await page.untilState('won', 'noLuck')
  const places = await page.evaluate(() => (window as unknown as { places: Set<string> }).places.size)
  assert.ok(places <= 2, `the wheel was seen at ${places} positions`)
  assert.equal(await page.evaluate(pointedSegment, null), (await game.session()).lastPlay?.segment)
}

/** From the first spin to the proof and the next spin, without a mouse. */
export async function playByKeyboard(world: World): Promise<void> {
  const { page } = world
  const game = await makeGame(world, { wheel: wheelOf({ prize: { kind: 'fixed', code: 'KEY' } }), spins: 2 })
  await page.open(game.link)
  await page.untilState('ready')
  const tabTo = async (name: string) => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    for (let steps = 0; (await focused()) !== name; steps++) {
      assert.ok(steps < 15, `${name} can't be reached with the tabulator, only ${await focused()}`)
      await page.press('Tab')
    }
  }
  await tabTo('Spin the wheel')
  await page.press('Enter')
  await page.untilState('won')
  await tabTo('Copy')
  await tabTo('Verify this spin')
  await page.press('Enter')
  await page.untilText('#verify', /Everything matches/)
  await page.press('Escape')
  await until(() => page.evaluate(() => document.querySelector('dialog[open]') === null))
  await page.press('Shift', 'Tab')
  await tabTo('Spin again')
  await page.press('Space')
  await until(async () => (await game.session()).spinCount === 0)
  await page.untilState('won')
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

export async function tellStates(world: World): Promise<void> {
  const { page, server } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 2 })
  const { publish, merchant } = game.merchant
  const show = async (state: string, text: RegExp) => {
    await page.open(game.link)
    await page.untilState(state)
    await page.untilText('#panel', text)
    assert.ok(!(await page.text('main')).includes('Press the button'), state)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), state)
  }
  await publish(wheelOf({}, { opensAt: inDays(2) }))
  await show('closed', /The wheel is closed[^]*It opens on[^]*Opens in 1 day \d\d:\d\d:\d\d/)
  await publish(wheelOf({}, { closesAt: inDays(-1) }))
  await show('over', /This game is over[^]*It ended on/)
  await publish(wheelOf({ stock: 0 }))
  await show('soldOut', /Nothing to win right now/)
  await publish(wheelOf({}))
  const pause = { merchantId: merchant.merchantId, slug: 'main', isPaused: true, now: new Date() }
  await setPause(server.ctx.db, pause)
  await until(async () => (await server.ctx.wheels.current(merchant.merchantId)).pausedAt !== null)
  await show('paused', /The wheel is taking a break/)
}

const isSession = (url: string) => url.endsWith('/game/session')
const isPlay = (url: string) => url.endsWith('/game/plays')

export const allFaults: Fault[] = [
  'cut-answer',
  'overloaded',
  'strange-answer',
  'drop-request',
  'drop-answer',
  'bad-gateway',
  'sign-in-page',
  'empty-answer',
]

/** Whatever comes back instead of a session, the page says so, and opens as soon as the network is right again. */
export async function openOverBadNetwork(world: World, faults: Fault[]): Promise<void> {
  const { page, setNetwork } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 2 })
  for (const fault of faults) {
    setNetwork(({ url }) => (isSession(url) ? fault : 'none'))
    await page.open(game.link)
    const state = await page.untilState('offline', 'down')
    assert.equal(state, ['bad-gateway', 'overloaded'].includes(fault) ? 'down' : 'offline', fault)
    setNetwork(() => 'none')
    await page.click('#action')
    await page.untilState('ready')
  }
  assert.equal((await game.session()).spinCount, 2)
}

/** A play whose answer is lost or wrong is sent again unchanged. It counts once, and its result is the first one. */
export async function playOverBadNetwork(world: World, faults: Fault[]): Promise<void> {
  const { page, setNetwork, passed } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 9 })
  await page.open(game.link)
  await page.untilState('ready')
  for (const [index, fault] of faults.entries()) {
    const before = passed.length
    const plays = () => passed.slice(before).filter(({ url }) => isPlay(url))
    setNetwork(({ url }) => (isPlay(url) && plays().length < 1 ? fault : 'none'))
    await page.click('#action')
    await page.untilState('turning', 'waiting')
    await page.untilState('won')
    assert.deepEqual([plays().length, new Set(plays().map(({ body }) => body)).size], [2, 1], fault)
    const { spinCount, lastPlay } = await game.session()
    assert.equal(spinCount, 8 - index, fault)
    assert.equal(lastPlay?.playId, JSON.parse(plays()[0]?.body ?? '{}').playId, fault)
  }
  setNetwork(() => 'none')
}

/** The network dies at each step, and comes back. */
export async function loseConnection(world: World): Promise<void> {
  const { page, setNetwork } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 3 })
  await page.open(game.link)
  await page.untilState('ready')
  setNetwork(() => 'drop-request')
  const pressedAt = performance.now()
  await page.click('#action')
  await page.untilState('waiting')
  assert.ok(performance.now() - pressedAt < 6_000, 'noticed about three seconds after the press')
  await page.untilText('#text', /slow or was lost.*your spin counts only once/)
  setNetwork(() => 'none')
  await page.click('#action')
  await page.untilState('won')

  // The answer never comes: the player tries again.
  setNetwork(({ url }) => (isPlay(url) ? 'silence' : 'none'))
  await page.click('#action')
  await page.untilState('waiting')
  setNetwork(() => 'none')
  await page.click('#action')
  await page.untilState('won')
  assert.equal((await game.session()).spinCount, 1)

  // The browser itself notices that the connection is lost.
  const setOnline = (isOnline: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(navigator, 'onLine', { value, configurable: true })
      dispatchEvent(new Event(value ? 'online' : 'offline'))
    }, isOnline)
  await page.open((await makeGame(world)).link)
  await page.untilState('ready')
  await setOnline(false)
  assert.equal(await page.evaluate(() => document.body.dataset.state), 'offline')
  await setOnline(true)
  await page.untilState('ready')
}

/** Parts of the page that arrive late, or never, do not stop the game. */
export async function missParts(world: World, t: TestContext): Promise<void> {
  const { page, setNetwork, server, url: seenBefore } = world
  const game = await makeGame(world, { wheel: wheelOf({}), spins: 2 })
  setNetwork(({ url }) => (/assets\/de-/.test(url) ? 'silence' : 'none'))
  await page.open(game.link.replace('lang=en', 'lang=de'))
  await page.untilState('ready')
  await page.untilText('#action', /Spin the wheel/)
  setNetwork(({ url }) => (/assets\/confetti/.test(url) ? 'drop-request' : 'none'))
  await page.click('#action')
  await page.untilState('won')
  setNetwork(() => 'none')
  // The browser keeps the script for the address that it has seen before.
  const { url: fresh } = await makeLossyProxy(t, server.url, ({ url }) =>
    /assets\/game-.*\.js/.test(url) ? 'drop-request' : 'none',
  )
  await page.open(game.link.replace(seenBefore, fresh))
  await page.untilText('#panel', /The game has not loaded/)
}

/** Every label's box against its segment, measured by the engine's own fonts. */
export async function fitLabels(world: World): Promise<void> {
  const { page, url } = world
  await page.open(`${url}/embed/preview/`, { width: 480, height: 700 })
  await page.evaluate(async () => {
    const frame = Object.assign(document.createElement('iframe'), { src: '/spinthewheel/?preview' })
    Object.assign(frame.style, { width: '320px', height: '600px' })
    const ready = new Promise<void>((resolve) =>
      addEventListener('message', ({ data }) => data?.type === 'preview' && resolve()),
    )
    document.body.replaceChildren(frame)
    await ready
  })
  const all = Object.values(labels).flat()
  for (const count of [2, 3, 5, 8, 12, 17, 24]) {
    const words = all.slice((count * 5) % all.length).concat(all)
    const sample: Sample = {
      count,
      words,
      pointer: count % 2 === 0 ? 'top' : 'left',
      isByWeight: count === 12,
    }
    const title = `Wheel ${count}`
    const draft: Draft = {
      published: publishedText(wheelWith(sample, title)),
      prizes: [],
      language: null,
      opening: { isOpen: true, opensAt: null, closesAt: null },
    }
    await page.evaluate((one) => window.frames[0]?.postMessage(one, location.origin), draft)
    await until(() =>
      page.evaluate(
        (expected) =>
          document.querySelector('iframe')?.contentDocument?.getElementById('title')?.textContent ===
          expected,
        title,
      ),
    )
    // Labels are drawn again once the font has arrived.
    await page.evaluate(async () => {
      await document.querySelector('iframe')?.contentDocument?.fonts.ready
      await new Promise(requestAnimationFrame)
    })
    const { excess, label, empty } = await page.evaluate(worstExcess)
    assert.ok(excess < 1.5, `“${label}” sticks out by ${excess}: ${JSON.stringify(sample)}`)
    assert.equal(empty, 0, JSON.stringify(sample))
  }
}
