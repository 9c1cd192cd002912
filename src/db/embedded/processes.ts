import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The PostgreSQL processes of a cluster, with or without a postmaster. They change their titles, so they are recognised
 * by their working directory, which only Linux shows.
 */
export function processesOn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => currentFolder(pid) === folder && commandName(pid) === 'postgres')
}

function currentFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended, or belongs to another user.
    return undefined
  }
}

function commandName(pid: number): string | undefined {
  return /\((.*)\)/.exec(stat(pid))?.[1]
}

export function isStopped(pid: number): boolean {
  return /\) [Tt] /.test(stat(pid))
}

/** Linux's description of a process: its id, (name) and state. */
function stat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process has ended, or this is not Linux.
    return ''
  }
}
