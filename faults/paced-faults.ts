import { join } from 'node:path'
import { repeatedly, victim } from './faults.ts'
import type { Fault } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import type { Server } from './servers.ts'

const clockAheadMs = 1_000

/** No fault: the paced wheel alone. */
export const pacedLoad: Fault = {
  name: 'paced-load',
  about: 'paced prizes are won, and nothing fails',
  isPaced: true,
  seconds: 38,
  run: (ctx) => ctx.pause(Infinity),
}

/** Faults while paced prizes and a budget are played. judge-paces.ts judges their runs. */
export const pacedFaults: Fault[] = [
  {
    name: 'paced-crash',
    about: 'kill -9 of a server or of PostgreSQL, every few seconds, while paced prizes are won',
    isPaced: true,
    onlyByName: true,
    seconds: 38,
    run: (ctx) =>
      repeatedly(ctx, [500, 2_500], async () => {
        if (ctx.random.happens(0.3)) {
          await ctx.scene.postgres.stop('SIGKILL')
          await ctx.scene.postgres.start()
          return
        }
        const server = victim(ctx)
        await server.kill()
        await server.start()
      }),
  },
  {
    ...pacedLoad,
    name: 'paced-clocks',
    about: 'the clock of one server is a second ahead of the others, while paced prizes are won',
    clockAheadMs,
    scene: makeAheadScene,
    onlyByName: true,
  },
]

async function makeAheadScene(): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2 })
  const server = scene.servers[0] as Server
  await server.stop()
  const clock = join(import.meta.dirname, 'shifted-clock.ts')
  server.extra = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: String(clockAheadMs) }
  await server.start()
  return scene
}
