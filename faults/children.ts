import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Processes, folders and mounts of the harness, so that `endAll` can remove them however the run ends. */
const children = new Set<ChildProcess>()
const folders = new Set<string>()
const mounts = new Set<string>()
const ends: (() => void)[] = []

/** For processes that are not our children. `end` may be called when they are already gone. */
export function atEnd(end: () => void): void {
  ends.push(end)
}

export function tracked<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Makes a temporary folder that PostgreSQL's user can enter. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-faults-'))
  chmodSync(folder, 0o711)
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.delete(folder)
}

export function mount(folder: string, ...args: string[]): void {
  execFileSync('mount', [...args, folder], { stdio: 'pipe' })
  mounts.add(folder)
}

export function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' })
  mounts.delete(folder)
}

/** Ends and removes everything that is left. After a normal run there is nothing left. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const end of ends) end()
  for (const folder of mounts) {
    try {
      execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
    } catch {
      console.error(`${folder} could not be unmounted`)
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

export function hasCommand(name: string): boolean {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
  return path.split(':').some((folder) => existsSync(join(folder, name)))
}

/** The reason why this machine can't run a fault, in one line, or undefined if it can. */
export function skipReason(needs: { root?: boolean; commands?: readonly string[] }): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (needs.root === true && process.getuid?.() !== 0) return 'needs root'
  const missing = (needs.commands ?? []).filter((name) => !hasCommand(name))
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined
}
