// The browsers beside Chromium in which the game page is tested, and what they need. All of it is in Debian.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

export type EngineName = 'firefox' | 'webkit'

const needs: Record<EngineName, { file: string; pack: string }[]> = {
  firefox: [{ file: '/usr/bin/firefox-esr', pack: 'firefox-esr' }],
  webkit: [
    { file: '/usr/bin/WebKitWebDriver', pack: 'webkit2gtk-driver' },
    { file: '/usr/lib/*/webkit2gtk-4.*/MiniBrowser', pack: 'webkit2gtk-driver' },
    { file: '/usr/bin/Xvfb', pack: 'xvfb' },
  ],
}

export const engineNames = Object.keys(needs) as EngineName[]

/** The packages that are missing for an engine. */
export function missingPackages(name: EngineName): string[] {
  const missing = needs[name].filter(({ file }) => globSync(file).length === 0)
  return [...new Set(missing.map(({ pack }) => pack))]
}

/** Installs what is missing, as root on Debian. Elsewhere the caller names it. */
export function installEngines(): void {
  const packages = engineNames.flatMap(missingPackages)
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.error(`installing ${packages.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  spawnSync('apt-get', ['update', '-qq'], { stdio: [...stdio], env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    stdio: [...stdio],
    env,
  })
}
