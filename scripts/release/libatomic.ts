import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Platform } from './platforms.ts'

export type DebianLibrary = { name: string; version: string; architecture: string; file: string }

/**
 * Adds libatomic from Debian: Node needs it, and minimal systems lack it. `bin/wheelhouse` uses it only if the system
 * has none. It needs glibc 2.17 at most, less than Node itself.
 */
export function addLibatomic(folder: string, { cpu }: Platform): DebianLibrary[] {
  const work = mkdtempSync(join(tmpdir(), 'wheelhouse-libatomic-'))
  try {
    const architecture = cpu === 'x64' ? 'amd64' : cpu
    const aptGet = prepareApt(work, architecture)
    const unpack = (name: string): string => {
      aptGet('download', name)
      const [file = ''] = globSync(`${name}_*.deb`, { cwd: work })
      execFileSync('dpkg-deb', ['--extract', join(work, file), join(work, 'files')])
      return decodeURIComponent(file.split('_')[1] ?? '')
    }
    const version = unpack('libatomic1')
    const documents = join(work, 'files', 'usr', 'share', 'doc')
    // Packages of GCC share the text of their licence.
    const base = basename(readlinkSync(join(documents, 'libatomic1')))
    unpack(base)
    const [library = ''] = globSync(join(work, 'files', 'usr', 'lib', '*', 'libatomic.so.1'))
    const lib = join(folder, 'lib')
    mkdirSync(lib)
    copyFileSync(realpathSync(library), join(lib, 'libatomic.so.1'))
    copyFileSync(join(documents, base, 'copyright'), join(lib, 'libatomic.so.1.copyright'))
    return [{ name: 'libatomic1', version, architecture, file: 'lib/libatomic.so.1' }]
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** Debian's apt-get with the sources of this machine and folders of its own, for any architecture and without root. */
function prepareApt(work: string, architecture: string): (...args: string[]) => void {
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(work, name), { recursive: true })
  writeFileSync(join(work, 'status'), '')
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    'APT::Sandbox::User=root',
    `Dir::State=${join(work, 'state')}`,
    `Dir::State::status=${join(work, 'status')}`,
    `Dir::Cache=${join(work, 'cache')}`,
  ].flatMap((option) => ['--option', option])
  const run = (...args: string[]): void => {
    const stdio = ['ignore', 'ignore', 'inherit'] as const
    execFileSync('apt-get', [...options, '--quiet=2', ...args], { cwd: work, stdio: [...stdio] })
  }
  run('update')
  return run
}
