import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tracked } from './children.ts'

/** An empty private Redis on a unix socket. */
type Redis = {
  url: string
  pid: number
  /** Runs a Lua script with redis-cli. */
  run: (script: string, ...values: string[]) => string
  stop: () => Promise<void>
}

/** Syncs before each answer, as PostgreSQL does. Without these settings, Redis only writes a snapshot now and then. */
export const alwaysSynced = ['--appendonly', 'yes', '--appendfsync', 'always']

export async function startRedis(settings: readonly string[]): Promise<Redis> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-redis-'))
  const socket = join(folder, 'redis.sock')
  const flags = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--loglevel', 'warning']
  const child = tracked(
    spawn('redis-server', [...flags, ...settings], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const gone = once(child, 'exit')
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error('redis-server did not start')
    await sleep(20)
  }
  return {
    url: socket,
    pid: child.pid as number,
    run: (script, ...values) =>
      execFileSync('redis-cli', ['-s', socket, '--raw', 'eval', script, '0', ...values], {
        encoding: 'utf8',
      }).trim(),
    async stop() {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The reason why there is no Redis, or undefined. As root on Debian, installs it if it is missing. */
export function redisSkipReason(): string | undefined {
  if (hasCommand('redis-server')) return undefined
  if (process.getuid?.() === 0 && hasCommand('apt-get')) {
    try {
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
        stdio: 'ignore',
      })
    } catch {
      return 'redis-server is not installed, and apt-get could not install it'
    }
  }
  return hasCommand('redis-server')
    ? undefined
    : 'redis-server is not installed (Debian: apt-get install redis-server)'
}

export function hasCommand(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}
