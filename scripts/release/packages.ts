import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeLinks } from '../../src/db/embedded/home.ts'
import { namesOfPackages } from '../sbom.ts'
import { trimPackages } from '../trim-packages.ts'
import type { Platform } from './platforms.ts'

/**
 * Installs the packages that a server needs on a platform, whatever platform this is. No script of a package runs.
 * Returns what was installed, as `name@version`.
 */
export function addPackages(source: string, folder: string, platform: Platform): Set<string> {
  // `npm ci` wants package.json as it is in a clone.
  const clone = `${folder}.packages`
  for (const file of ['.npmrc', 'package.json', 'package-lock.json', 'packages/client/package.json'])
    cpSync(join(source, file), join(clone, file))
  const target = [`--os=${platform.os}`, `--cpu=${platform.cpu}`, '--libc=glibc']
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', ...target], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const modules = join(clone, 'node_modules')
  const installed = readInstalled(modules)
  // The commands of packages, and the link to our own client, whose sources are in the archive.
  for (const path of ['.bin', '.package-lock.json', 'wheelhouse-client'])
    rmSync(join(modules, path), { recursive: true })
  mkdirSync(join(modules, '.bin'))
  symlinkSync(join('..', platform.nodePackage, 'bin', 'node'), join(modules, '.bin', 'node'))
  makeLinks(join(modules, platform.postgresPackage, 'native'))
  trimPackages(modules)
  renameSync(modules, join(folder, 'node_modules'))
  rmSync(clone, { recursive: true })
  return installed
}

function readInstalled(modules: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: Parameters<typeof namesOfPackages>[0]
  }
  return namesOfPackages(packages)
}
