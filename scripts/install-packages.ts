import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '..')

/**
 * Installs the packages of a folder that has its own lock file, if they are missing or outdated. Only some commands
 * need them, so `npm ci` of the repository leaves them out.
 */
export function installPackages(folder: string): void {
  const path = join(repository, folder)
  const installed = join(path, 'node_modules', '.package-lock.json')
  const lock = join(path, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.error(`Installing packages into ${folder}/node_modules …`)
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: path, stdio: ['ignore', 'ignore', 'inherit'] })
}
