import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkOut } from '../../scripts/check-out.ts'

/** The folder of another version. `remove` deletes it if it was made for this run. */
export type EarlierVersion = { folder: string; remove: () => void }

/** Finds the version that `--before` names: a checkout in a folder, or a commit of this repository. */
export function findVersion(name: string): EarlierVersion {
  if (existsSync(resolve(name, 'bin', 'wheelhouse'))) return { folder: name, remove: () => undefined }
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const git = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  if (git.status !== 0)
    throw new Error(
      `--before ${name}: there is no checkout of Wheelhouse in this folder, and no such commit.`,
    )
  const folder = checkOut(git.stdout.trim())
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
