import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, mount, removeFolder, unmount, skipReason } from './children.ts'
import { type Finding, Findings } from './evidence.ts'
import { Postgres } from './postgres.ts'
import type { Fault, FaultContext } from './round.ts'
import { makeScene, type Scene } from './scene.ts'

export const needsDisk = () => skipReason({ root: true, commands: ['mount', 'umount', 'mkfs.ext4', 'perl'] })

const needsSmallDisk = () => skipReason({ root: true, commands: ['mount', 'umount', 'fallocate'] })

export const diskFaults: Fault[] = [
  {
    name: 'power-cut',
    about: "PostgreSQL's file system loses everything that was not synced, and is mounted again",
    skipReason: needsDisk,
    scene: () => makeLoopScene({}),
    seconds: 30,
    async run(ctx) {
      while (!ctx.isOver()) {
        await ctx.pause(ctx.random.between(3_000, 9_000))
        await cutPower(ctx.scene)
      }
    },
  },
  diskFull('disk-full-data', 'the disk has no space for data, repeatedly', 'data'),
  diskFull('disk-full-wal', 'the disk has no space for the write-ahead log, repeatedly', 'wal'),
  {
    name: 'disk-full-log',
    about: 'the disk has no space for the logs of the servers, repeatedly',
    skipReason: needsSmallDisk,
    scene: makeLogDiskScene,
    seconds: 20,
    run: (ctx) => fillRepeatedly(ctx),
    judge: ({ scene }) => judgeLogs(scene),
  },
]

export type LoopScene = Scene & { image: string; folder: string }

/** PostgreSQL on its own file system, in a loop device. */
export async function makeLoopScene(settings: Record<string, string>): Promise<Scene> {
  const tempFolder = makeFolder()
  const image = join(tempFolder, 'disk')
  const folder = join(tempFolder, 'mounted')
  mkdirSync(folder)
  execFileSync('truncate', ['-s', '3G', image])
  execFileSync('mkfs.ext4', ['-q', image])
  mount(folder, '-o', 'loop', image)
  chmodSync(folder, 0o711)
  const scene = await makeScene({ postgres: await Postgres.start(settings, folder) })
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    await unmountWithRetries(folder)
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { image, folder, stop })
}

/**
 * Simulates a power cut as file system tests do: the file system shuts down at once and writes nothing more, not even
 * its journal (EXT4_IOC_SHUTDOWN, "nologflush"). Synced data is in the image; everything else is lost with the page
 * cache.
 */
export async function cutPower(scene: Scene): Promise<void> {
  const { image, folder } = scene as LoopScene
  const shutDown = 'open(F, "<", $ARGV[0]) or die $!; ioctl(F, 0x8004587d, my $how = pack("L", 2)) or die $!'
  execFileSync('perl', ['-e', shutDown, folder])
  await scene.postgres.killAll()
  await unmountWithRetries(folder)
  mount(folder, '-o', 'loop', image)
  await scene.postgres.start()
}

/** Retries, because backends of a killed PostgreSQL keep files open for a moment. */
async function unmountWithRetries(folder: string): Promise<void> {
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
    skipReason: needsSmallDisk,
    scene: () => makeSmallDiskScene(what),
    seconds: 25,
    run: (ctx) =>
      fillRepeatedly(ctx, async () => {
        if (!ctx.isOver()) await ctx.scene.postgres.start()
      }),
  }
}

async function fillRepeatedly(ctx: FaultContext, onSpace = async () => {}): Promise<void> {
  const { folder } = ctx.scene as LoopScene
  while (!ctx.isOver()) {
    await ctx.pause(ctx.random.between(1_000, 3_000))
    // In ever smaller pieces, so that the last page is taken too.
    for (const bytes of [1_000_000, 4_096]) fill(ctx, join(folder, `ballast-${bytes}`), bytes)
    await ctx.pause(ctx.random.between(2_000, 5_000))
    removeBallast(folder)
    await onSpace()
  }
}

function fill(ctx: FaultContext, ballast: string, bytes: number): void {
  try {
    for (let piece = 0; !ctx.isOver(); piece++)
      execFileSync('fallocate', ['-l', String(bytes), `${ballast}-${piece}`], { stdio: 'pipe' })
  } catch {
    // The disk is full.
  }
}

function removeBallast(folder: string): void {
  for (const file of globSync(join(folder, 'ballast-*'))) rmSync(file)
}

const dropped = /"dropped":(\d+),"trouble":"disk_full"/g

/** No server may have ended, and each must say in its log that lines are missing. Every line must be whole. */
function judgeLogs({ servers }: Scene): Finding[] {
  const findings = new Findings()
  for (const { starts, options } of servers) {
    findings.check(starts === 1, 'a full disk under the log ended a server', { starts })
    const log = readFileSync(options.logFile ?? '', 'utf8')
    findings.check(
      [...log.matchAll(dropped)].length > 0,
      'a log does not tell of the lines that it lacks',
      log.slice(-500),
    )
    const beginnings = log.split('\n').filter((line) => line.indexOf('{"level"', 1) > 0)
    findings.check(beginnings.length === 0, 'a line of the log begins within another', beginnings[0])
  }
  return findings.list
}

/** The logs of the servers are on a small disk. */
async function makeLogDiskScene(): Promise<Scene> {
  const tempFolder = makeFolder()
  const folder = join(tempFolder, 'mounted')
  mkdirSync(folder)
  mount(folder, '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs')
  let made = 0
  const scene = await makeScene({
    server: { env: { LOG_LEVEL: 'info' } },
    logFileOf: () => join(folder, `server-${made++}.log`),
  })
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    await unmountWithRetries(folder)
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { folder, stop, repair: async () => removeBallast(folder) })
}

async function makeSmallDiskScene(what: 'data' | 'wal'): Promise<Scene> {
  const tempFolder = makeFolder()
  const folder = join(tempFolder, 'mounted')
  mkdirSync(folder)
  mount(folder, '-t', 'tmpfs', '-o', 'size=260m', 'tmpfs')
  chmodSync(folder, 0o711)
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
  const postgres = await Postgres.start(settings, what === 'data' ? folder : undefined)
  await postgres.stop()
  // Data and log are separated, so that only one of them is on the small disk.
  const log = join(what === 'data' ? tempFolder : folder, 'wal')
  cpSync(join(postgres.folder, 'pg_wal'), log, { recursive: true })
  execFileSync('chown', ['-R', `--reference=${postgres.folder}`, log])
  rmSync(join(postgres.folder, 'pg_wal'), { recursive: true })
  symlinkSync(log, join(postgres.folder, 'pg_wal'))
  await postgres.start()
  const scene = await makeScene({ postgres })
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    await unmountWithRetries(folder)
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { folder, stop, repair: async () => removeBallast(folder) })
}
