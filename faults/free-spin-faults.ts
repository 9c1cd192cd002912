import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, removeFolder } from './children.ts'
import { codesOfWrongClocks } from './clock-faults.ts'
import { repeatedly, victim } from './faults.ts'
import { FreeSpinVisitors } from './free-spin-visitors.ts'
import type { Fault, FaultContext } from './round.ts'
import { makeScene, type Scene } from './scene.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const playersAtMidnight = 1_000

/** Faults while players collect and play free spins, at a merchant of their own. */
export const freeSpinFaults: Fault[] = [crash(), clocks(), midnight()]

/** The days of a test merchant go by while servers are killed, also between the visit of a player and the play. */
function crash(): Fault {
  let visitors: FreeSpinVisitors | undefined
  return {
    name: 'free-spins-crash',
    about: 'kill -9 of a server, every second or so, while free spins are collected and played day after day',
    onlyByName: true,
    seconds: 30,
    async run(ctx) {
      const made = (visitors = await FreeSpinVisitors.make(ctx, { isTest: true }))
      let now = Date.now()
      await Promise.all([
        visitAll(ctx, made),
        repeatedly(ctx, [400, 1_200], async () => {
          now += Math.round(ctx.random.between(4, 40)) * hourMs
          await made.manage('PUT', '/test/clock', { now: new Date(now).toISOString() })
        }),
        repeatedly(ctx, [300, 1_500], async () => {
          const server = victim(ctx)
          await server.kill()
          await server.start()
        }),
      ])
    },
    judge: async () => visitors?.judge() ?? [],
  }
}

/** Each server has a clock of its own, which jumps forwards and backwards by up to half a day. */
export function clocks(): Fault {
  return withClocks({
    name: 'free-spins-clocks',
    about: 'the clocks of two servers jump, each by itself, while free spins are collected and played',
    seconds: 30,
    async work(ctx, visitors) {
      let aheadMs = 0
      await Promise.all([
        visitAll(ctx, visitors),
        repeatedly(ctx, [400, 1_200], async () => {
          aheadMs += ctx.random.between(0, 8) * hourMs
          setClocks(ctx.scene, () => aheadMs + ctx.random.between(-12, 12) * hourMs)
        }),
      ])
    },
    judge: (visitors) => visitors.judge(),
  })
}

/** A thousand players open the game at midnight, all of them at both servers at once. They did so the day before. */
function midnight(): Fault {
  return withClocks({
    name: 'free-spins-midnight',
    about: 'a thousand players collect their free spins at midnight, each at two servers at once',
    seconds: 5,
    async work(ctx, visitors) {
      await openAll(ctx, visitors)
      const midnightMs = Math.ceil(Date.now() / dayMs) * dayMs
      const shiftMs = midnightMs - Date.now()
      setClocks(ctx.scene, () => shiftMs)
      // The servers read the files every 50 ms.
      await sleep(500)
      await openAll(ctx, visitors)
    },
    judge: (visitors) => visitors.judge({ periodsEach: 2 }),
  })
}

/** A fault of a live merchant, whose servers have clocks that can be set. */
function withClocks({
  work,
  judge,
  ...fault
}: Pick<Fault, 'name' | 'about' | 'seconds'> & {
  work: (ctx: FaultContext, visitors: FreeSpinVisitors) => Promise<void>
  judge: (visitors: FreeSpinVisitors) => ReturnType<FreeSpinVisitors['judge']>
}): Fault {
  let visitors: FreeSpinVisitors | undefined
  return {
    ...fault,
    onlyByName: true,
    allowedCodes: codesOfWrongClocks,
    mayWait: true,
    scene: () => makeClocksScene(),
    async run(ctx) {
      visitors = await FreeSpinVisitors.make(ctx, { isTest: false })
      await work(ctx, visitors)
    },
    judge: async () => (visitors === undefined ? [] : judge(visitors)),
  }
}

async function visitAll(ctx: FaultContext, visitors: FreeSpinVisitors): Promise<void> {
  const players = Array.from({ length: 12 }, (_, place) => place)
  await Promise.all(
    players.map((place) =>
      repeatedly(ctx, [0, 100], () => visitors.visit(`player-${place}`, place % 2 === 0 ? 'main' : 'later')),
    ),
  )
}

async function openAll({ scene }: FaultContext, visitors: FreeSpinVisitors): Promise<void> {
  const players = Array.from({ length: playersAtMidnight }, (_, place) => `player-${place}`)
  await Promise.all(
    players.flatMap((playerId) =>
      scene.urls.map(async (url) => {
        while ((await visitors.open(playerId, 'main', url)) === undefined) await sleep(500)
      }),
    ),
  )
}

type ClocksScene = Scene & { clockFiles: string[] }

function setClocks(scene: Scene, shiftMs: () => number): void {
  for (const file of (scene as ClocksScene).clockFiles) writeFileSync(file, String(Math.round(shiftMs())))
}

/** Two servers, each with a clock that is off by what is in its file. */
export async function makeClocksScene(edits: string[] = []): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2, server: { edits } })
  const folder = makeFolder()
  const clock = join(import.meta.dirname, 'shifted-clock.ts')
  const clockFiles = scene.servers.map((_, place) => join(folder, `clock-${place}`))
  const stopServers = scene.stop
  const own = {
    clockFiles,
    repair: async () => setClocks(scene, () => 0),
    stop: async () => {
      await stopServers()
      removeFolder(folder)
    },
  }
  Object.assign(scene, own)
  await own.repair()
  for (const [place, server] of scene.servers.entries()) {
    await server.stop()
    server.extra = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_FILE: clockFiles[place] as string }
    await server.start()
  }
  return scene
}
