import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedStopTimeoutMs } from '../../limits.ts'
import { isErrno } from './home.ts'

/** A running postmaster, as it describes itself in `postmaster.pid`. */
export type Postmaster = { pid: number; port: number; socketDir: string }

/** A process id that no kernel assigns. */
const impossiblePid = 2_147_483_647

/**
 * Finds the postmaster that runs on the cluster in `folder`, regardless of which process started it.
 *
 * The recorded pid may be that of a dead process (PostgreSQL itself then removes the file) or, after a restart of the
 * machine or container, of an unrelated process. PostgreSQL would take that for another postmaster and refuse to start,
 * so we put an impossible pid into the file. We don't delete it: from its last lines PostgreSQL sees whether backends
 * of the dead postmaster still hold the shared memory, which protects against two servers on the same files.
 */
export function findPostmaster(folder: string): Postmaster | undefined {
  const file = join(folder, 'postmaster.pid')
  const lines = readPidFile(file)
  const pid = Number(lines?.[0])
  if (lines === undefined || !isAlive(pid)) return undefined
  if (!runsCluster(pid, folder)) {
    writeFileSync(file, [impossiblePid, ...lines.slice(1)].join('\n'))
    return undefined
  }
  const [, , , port, socketDir] = lines
  // The file is written in two steps; without its address the postmaster is still starting.
  if (port === undefined || socketDir === undefined || socketDir === '') return undefined
  return { pid, port: Number(port), socketDir }
}

/** Requests a fast shutdown and waits for it. */
export async function stopPostmaster(pid: number, folder: string): Promise<void> {
  const started = performance.now()
  process.kill(pid, 'SIGINT')
  let isImmediate = false
  // An orphan stays in the process table until it is reaped, so the removal of its pid file also counts as its end.
  while (isAlive(pid) && existsSync(join(folder, 'postmaster.pid'))) {
    if (!isImmediate && performance.now() - started > embeddedStopTimeoutMs) {
      // Immediate shutdown. Nothing is lost: the next start recovers from the write-ahead log.
      process.kill(pid, 'SIGQUIT')
      isImmediate = true
    }
    await sleep(20)
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}

function readPidFile(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

function runsCluster(pid: number, folder: string): boolean {
  const command = readCommand(pid)
  return basename(command[0] ?? '') === 'postgres' && command.includes(folder)
}

function readCommand(pid: number): string[] {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // Splitting at spaces breaks paths that contain them, so the whole argument of -D is added too.
    const line = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const folder = / -D (.*?) -c /.exec(line)?.[1]
    return [...line.split(' '), ...(folder === undefined ? [] : [folder])]
  } catch {
    // The process has just ended.
    return []
  }
}
