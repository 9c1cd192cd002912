import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')

/** Why what only the peers need is not there, if it is not. The first run installs it. */
export function whyNoPackages(): string | undefined {
  const lock = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return undefined
  console.log('Installing what the peers need into bench/node_modules …')
  try {
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    return undefined
  } catch {
    return 'its packages could not be installed (npm ci in bench/ says why)'
  }
}
