import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What was started or made for the harness and must not outlive it, however it ends. */
const children = new Set<ChildProcess>()
const folders = new Set<string>()
const mounts = new Set<string>()

export function ours<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** A folder that PostgreSQL's user can enter, gone at the end. */
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

/** Ends those that are left: after an orderly run there are none. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
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

/** Why something can't be done here, in one line; undefined where it can. */
export function whyNot(needs: { root?: boolean; commands?: readonly string[] }): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (needs.root === true && process.getuid?.() !== 0) return 'needs root'
  const missing = (needs.commands ?? []).filter((name) => !hasCommand(name))
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined
}
