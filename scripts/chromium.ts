import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** Paths of Debian's packages. The headless shell is the browser without its UI, and takes a third of the CPU time. */
const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
// The pages reserve space for a font that loads later by the widths of Arial, which Liberation Sans has.
const fonts = ['fonts-dejavu-core', 'fonts-liberation']

/** Finds a Chromium for the browser tests. If there is none, installs Debian's as root, and Playwright's otherwise. */
export function findChromium(): string {
  const found = () => [...debian, chromium.executablePath()].find((path) => existsSync(path))
  const existing = found()
  if (existing !== undefined) return existing
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-qq'])
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (found() === undefined)
        run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, ...fonts])
  } else run('npx', ['playwright-core', 'install', 'chromium'])
  const installed = found()
  if (installed !== undefined) return installed
  console.error('The browser tests need Chromium, which could not be installed.')
  console.error(
    "Install your system's chromium package (/usr/bin/chromium), or run: npx playwright-core install chromium",
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

/** Flags for a browser that makes no network requests of its own. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
