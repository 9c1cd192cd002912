import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parentOf } from './server-process.ts'

/** Cores by number: one half for the server and its database, the other for the driver. */
export type Cores = { server: readonly number[]; driver: readonly number[] }

/** Returns undefined if the processes of this machine can't be kept apart. */
export function splitCores(): Cores | undefined {
  const all = allCores()
  const half = Math.floor(all.length / 2)
  return half === 0 || !hasTaskset() ? undefined : { server: all.slice(0, half), driver: all.slice(half) }
}

/** Keeps a process, its threads and its children on these cores. Children that it starts later stay there too. */
export function pin(pid: number, cores: readonly number[]): void {
  for (const one of [pid, ...childrenOf(pid)])
    execFileSync('taskset', ['-acp', cores.join(','), String(one)], { stdio: 'ignore' })
}

export function allCores(): number[] {
  return Array.from({ length: availableParallelism() }, (_, core) => core)
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === parent)
}
