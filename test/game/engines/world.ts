// What the tests of an engine share: a server behind a network that can fail, and a browser of that engine.
import { before } from 'node:test'
import type { EngineName } from '../../../scripts/engines.ts'
import { defaultWheel, type WheelDocument } from '../../../src/wheel-document/wheel-document.ts'
import { makeLink, makeTestMerchant, type TestMerchant } from '../../scenes/game-scene.ts'
import { type Fault, makeLossyProxy, type Passed } from '../../scenes/lossy-proxy.ts'
import { makeServer, post, type Server, suiteLifetime } from '../../scenes/scene.ts'
import { startChromium } from './chromium.ts'
import { type Driver, EnginePage } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const starters = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit }

export type World = {
  server: Server
  /** The address of the server behind the network. */
  url: string
  page: EnginePage
  /** Decides what happens to each request from now on. */
  setNetwork: (choose: (request: Omit<Passed, 'fault'>) => Fault) => void
  passed: Passed[]
}

/** Call it in the body of `describe`. */
export function makeWorld(name: EngineName | 'chromium', motion: { isReducedMotion: boolean }): World {
  const lifetime = suiteLifetime()
  const world = {} as World
  before(async () => {
    const server = await makeServer(lifetime)
    let choose: (request: Omit<Passed, 'fault'>) => Fault = () => 'none'
    const { url, passed } = await makeLossyProxy(lifetime, server.url, (request) => choose(request))
    const driver: Driver = await starters[name](lifetime, motion)
    const setNetwork = (next: typeof choose) => (choose = next)
    Object.assign(world, { server, url, passed, setNetwork, page: new EnginePage(driver) })
  })
  return world
}

export type Game = { link: string; merchant: TestMerchant; session: () => Promise<GameSession> }
type GameSession = { spinCount: number; lastPlay: { playId: string; segment: number } | null }

/** A player's link through the network, with texts in English whatever the browser's language. */
export async function makeGame(
  { server, url }: World,
  { wheel = defaultWheel, spins = 3 }: { wheel?: WheelDocument; spins?: number } = {},
): Promise<Game> {
  const merchant = await makeTestMerchant({ server }, { wheel })
  const direct = await makeLink({ server }, merchant, spins)
  const token = new URL(direct).searchParams.get('token')
  const session = async () =>
    (await post(`${server.url}/api/v1/game/session`, undefined, { token })).body as unknown as GameSession
  return { link: `${direct.replace(server.url, url)}&lang=en`, merchant, session }
}
