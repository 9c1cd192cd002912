// Python and PHP, for the tests of the clients in these languages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

type Tool = 'python' | 'php' | 'python-packaging' | 'php-curl'

/** What shows that a tool is there, and the packages of Debian that have it. */
const tools: Record<Tool, { isThere: () => boolean; packages: string[] }> = {
  python: { isThere: () => findPython('pass') !== undefined, packages: ['python3'] },
  php: {
    isThere: () => answers('php', '-r', 'exit(PHP_VERSION_ID >= 80100 ? 0 : 1);'),
    packages: ['php-cli'],
  },
  'python-packaging': {
    isThere: () => findPython(pythonPackaging) !== undefined,
    packages: ['python3-venv', 'python3-setuptools', 'python3-wheel'],
  },
  'php-curl': {
    isThere: () =>
      answers('php', '-n', '-d', 'extension=curl', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
    packages: ['php-curl'],
  },
}

export const everydayTools = ['python', 'php'] as const
export const allTools = [...everydayTools, 'python-packaging', 'php-curl'] as const

export const pythonPackaging = 'import ensurepip, setuptools, venv, wheel'

/** A Python that is new enough for the client, and can run the statement. */
export function findPython(statement: string): string | undefined {
  const program = `import sys\nif sys.version_info < (3, 11): sys.exit(1)\n${statement}`
  return ['python3', '/usr/bin/python3'].find((command) => answers(command, '-c', program))
}

/** The packages of Debian that the tools would come from, if they are missing. */
export function missingPackages(names: readonly Tool[]): string[] {
  return names.filter((name) => !tools[name].isThere()).flatMap((name) => tools[name].packages)
}

/** Installs what is missing, as root on Debian. Elsewhere the tests that need it are skipped. */
export function installTools(names: readonly Tool[]): void {
  const missing = missingPackages(names)
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.error(`installing ${missing.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...missing]])
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

function answers(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}
