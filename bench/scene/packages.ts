import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')

/** Installs the packages that only the peers need. Returns the reason if that fails. */
export function packagesSkipReason(): string | undefined {
  const lock = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return undefined
  console.log("Installing the peers' packages into bench/node_modules …")
  try {
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    return undefined
  } catch {
    return 'its packages could not be installed (run npm ci in bench/ to see why)'
  }
}
