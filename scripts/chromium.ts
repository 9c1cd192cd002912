import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** The Chromium that the browser tests drive: Debian's if we are root, else Playwright's own. Installed if need be. */
export function findChromium(): string {
  const debian = '/usr/bin/chromium'
  if (existsSync(debian)) return debian
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isRootOnDebian) {
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'])
    if (existsSync(debian)) return debian
  } else {
    run('npx', ['playwright-core', 'install', 'chromium'])
    if (existsSync(chromium.executablePath())) return chromium.executablePath()
  }
  console.error('The browser tests need Chromium, and it could not be installed.')
  console.error(
    'Install the package chromium of your system (/usr/bin/chromium), or run: npx playwright-core install chromium',
  )
  return process.exit(1)
}

function run(command: string, args: string[]): void {
  console.error(`installing Chromium: ${command} ${args.join(' ')}`)
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (result.error) console.error(result.error.message)
}

/** Flags for a browser that talks to nobody but the page under test. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export function chromiumVersion(path: string): string {
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
}
