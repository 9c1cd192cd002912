import { chmodSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFolder } from './children.ts'
import { Postgres } from './postgres.ts'
import type { Fault } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import type { Server } from './servers.ts'

/**
 * For a server with the right clock, links made by a wrong clock may have expired or not be valid yet. If a player was
 * created in the future, an older link seems to belong to an erased player of the same name.
 */
export const codesOfWrongClocks = ['game_token_expired', 'game_token_invalid', 'game_token_revoked']

export const clockFaults: Fault[] = [
  clockJumps(
    'clock-server',
    "a server's clock jumps by an hour and by thirty days, forwards and backwards",
    'server',
  ),
  clockJumps(
    'clock-postgres',
    "PostgreSQL's clock jumps by an hour and by thirty days, forwards and backwards",
    'postgres',
  ),
]

function faketime(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
}

function clockJumps(name: string, about: string, whose: 'server' | 'postgres'): Fault {
  return {
    name,
    about,
    skipReason: () => (faketime() === undefined ? 'needs libfaketime' : undefined),
    scene: () => makeClockScene(whose),
    onlyByName: true,
    seconds: 30,
    allowedCodes: codesOfWrongClocks,
    mayWait: true,
    async run(ctx) {
      const { clockFile } = ctx.scene as ClockScene
      for (const jump of ['+1h', '-1h', '+30d', '+0', '-30d', '+1h', '+0']) {
        writeFileSync(clockFile, `${jump}\n`)
        await ctx.pause(4_000)
      }
    },
  }
}

type ClockScene = Scene & { clockFile: string }

async function makeClockScene(whose: 'server' | 'postgres'): Promise<Scene> {
  const tempFolder = makeFolder()
  const clockFile = join(tempFolder, 'clock')
  writeFileSync(clockFile, '+0\n')
  chmodSync(clockFile, 0o644)
  const env = {
    LD_PRELOAD: faketime() as string,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const postgres = await Postgres.start()
  if (whose === 'postgres') {
    await postgres.stop()
    postgres.env = env
    await postgres.start()
  }
  const scene = await makeScene({ postgres })
  if (whose === 'server') {
    const server = scene.servers[0] as Server
    await server.stop()
    server.extra = env
    await server.start()
  }
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { clockFile, stop, repair: async () => writeFileSync(clockFile, '+0\n') })
}
