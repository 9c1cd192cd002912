import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAccount } from '../src/db/embedded/home.ts'
import { makeFolder, mount, removeFolder, unmount, whyNot } from './children.ts'
import { Postgres } from './postgres.ts'
import type { Fault } from './round.ts'
import { makeScene, type Scene } from './scene.ts'

export const needsDisk = () => whyNot({ root: true, commands: ['mount', 'umount', 'mkfs.ext4', 'perl'] })

export const diskFaults: Fault[] = [
  {
    name: 'power-cut',
    about: 'the file system of PostgreSQL loses all that was not synced, and is mounted again',
    whyNot: needsDisk,
    scene: () => makeLoopScene({}),
    seconds: 30,
    async run(stage) {
      while (!stage.isOver()) {
        await stage.pause(stage.chance.between(3_000, 9_000))
        await cutPower(stage.scene)
      }
    },
  },
  diskFull('disk-full-data', 'no space for data, again and again', 'data'),
  diskFull('disk-full-wal', 'no space for the write-ahead log, again and again', 'wal'),
]

type LoopScene = Scene & { image: string; folder: string }

/** PostgreSQL on a file system of its own, in a file. */
export async function makeLoopScene(settings: Record<string, string>): Promise<Scene> {
  const side = makeFolder()
  const image = join(side, 'disk')
  const folder = join(side, 'mounted')
  mkdirSync(folder)
  execFileSync('truncate', ['-s', '3G', image])
  execFileSync('mkfs.ext4', ['-q', image])
  mount(folder, '-o', 'loop', image)
  chmodSync(folder, 0o711)
  const scene = await makeScene({ postgres: await Postgres.start(settings, folder) })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await unmountPatiently(folder)
    removeFolder(side)
  }
  return Object.assign(scene, { image, folder, stop })
}

/**
 * A power cut as file system tests make it: the file system is told to go down at once and to write nothing more, its log
 * included (EXT4_IOC_SHUTDOWN, "nologflush"). What was synced is in the image; all else is lost with the page cache.
 */
export async function cutPower(scene: Scene): Promise<void> {
  const { image, folder } = scene as LoopScene
  const shutDown = 'open(F, "<", $ARGV[0]) or die $!; ioctl(F, 0x8004587d, my $how = pack("L", 2)) or die $!'
  execFileSync('perl', ['-e', shutDown, folder])
  await scene.postgres.killAll()
  await unmountPatiently(folder)
  mount(folder, '-o', 'loop', image)
  await scene.postgres.start()
}

/** Backends of a killed PostgreSQL hold their files for a moment. */
async function unmountPatiently(folder: string): Promise<void> {
  for (let triesLeft = 200; ; triesLeft--) {
    try {
      unmount(folder)
      return
    } catch (error) {
      if (triesLeft === 0) throw error
      await sleep(100)
    }
  }
}

function diskFull(name: string, about: string, what: 'data' | 'wal'): Fault {
  return {
    name,
    about,
    whyNot: () => whyNot({ root: true, commands: ['mount', 'umount', 'fallocate'] }),
    scene: () => makeSmallDiskScene(what),
    seconds: 25,
    async run(stage) {
      const { folder } = stage.scene as LoopScene
      const ballast = join(folder, 'ballast')
      while (!stage.isOver()) {
        await stage.pause(stage.chance.between(1_000, 3_000))
        try {
          // Bit by bit, so that the last page is taken too.
          for (const bytes of [1_000_000, 4_096])
            for (let piece = 0; !stage.isOver(); piece++)
              execFileSync('fallocate', ['-l', String(bytes), `${ballast}-${bytes}-${piece}`], {
                stdio: 'pipe',
              })
        } catch {
          // It is full.
        }
        await stage.pause(stage.chance.between(2_000, 5_000))
        for (const file of globSync(`${ballast}-*`)) rmSync(file)
        if (!stage.isOver()) await stage.scene.postgres.start()
      }
    },
  }
}

async function makeSmallDiskScene(what: 'data' | 'wal'): Promise<Scene> {
  const side = makeFolder()
  const folder = join(side, 'mounted')
  mkdirSync(folder)
  mount(folder, '-t', 'tmpfs', '-o', 'size=260m', 'tmpfs')
  chmodSync(folder, 0o711)
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
  const postgres = await Postgres.start(settings, what === 'data' ? folder : undefined)
  await postgres.stop()
  // The other of the two goes where there is space.
  const log = join(what === 'data' ? side : folder, 'wal')
  const account = databaseAccount()
  cpSync(join(postgres.folder, 'pg_wal'), log, { recursive: true })
  execFileSync('chown', ['-R', `${account?.uid ?? ''}:${account?.gid ?? ''}`, log])
  rmSync(join(postgres.folder, 'pg_wal'), { recursive: true })
  symlinkSync(log, join(postgres.folder, 'pg_wal'))
  await postgres.start()
  const scene = await makeScene({ postgres })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await unmountPatiently(folder)
    removeFolder(side)
  }
  const mend = async () => {
    for (const file of globSync(join(folder, 'ballast-*'))) rmSync(file)
  }
  return Object.assign(scene, { folder, stop, mend })
}
