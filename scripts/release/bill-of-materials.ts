import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { billOfPackages, type Component } from '../sbom.ts'
import type { DebianLibrary } from './libatomic.ts'
import type { Platform } from './platforms.ts'

type Contents = {
  platform: Platform
  installed: ReadonlySet<string>
  libraries: readonly DebianLibrary[]
  at: Date
}

/** The bill of materials of an archive, as CycloneDX: npm's, with the programs inside packages that npm can't know. */
export function billOfMaterials(source: string, folder: string, contents: Contents): string {
  const { platform, installed, libraries, at } = contents
  const { serialNumber: _, ...bill } = billOfPackages(source, installed)
  bill.metadata.timestamp = at.toISOString()
  bill.metadata.lifecycles = [{ phase: 'build' }]
  const find = (name: string) => bill.components.find((one) => one.name === name) as Component
  find(platform.nodePackage).components = [nodeProgram(folder, find(platform.nodePackage))]
  find(platform.postgresPackage).components = [postgresProgram(folder, find(platform.postgresPackage))]
  bill.components.push(...libraries.map((library) => debianLibrary(folder, library)))
  return `${JSON.stringify(bill, null, 2)}\n`
}

function nodeProgram(folder: string, { name, version }: Component): Omit<Component, 'bom-ref'> {
  // This script runs with the same version, and so knows what is compiled into it.
  assert.equal(process.versions.node, version)
  const notPrograms = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'])
  const parts = Object.entries(process.versions).filter(
    ([part, value]) => !notPrograms.has(part) && value !== undefined && value !== '',
  )
  return {
    type: 'application',
    name: 'node',
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [sha256(join(folder, 'node_modules', name, 'bin', 'node'))],
    components: parts.map(([part, value]) => ({ type: 'library', name: part, version: value as string })),
  }
}

function postgresProgram(folder: string, { name, version }: Component): Omit<Component, 'bom-ref'> {
  const [, release] = /^(\d+\.\d+)\./.exec(version ?? '') ?? []
  assert.ok(release)
  const native = join(folder, 'node_modules', name, 'native')
  // PostgreSQL's own libraries and its copies of others, each under the longest of its names.
  const libraries = globSync('lib/*.{so*,dylib}', { cwd: native, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  return {
    type: 'application',
    name: 'postgresql',
    version: release,
    cpe: `cpe:2.3:a:postgresql:postgresql:${release}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/postgresql@${release}`,
    licenses: [{ license: { id: 'PostgreSQL' } }],
    hashes: [sha256(join(native, 'bin', 'postgres'))],
    components: libraries
      .map((one) => join(one.parentPath, one.name))
      .toSorted()
      .map((path) => ({ type: 'file', name: basename(path), hashes: [sha256(path)] })),
  }
}

function debianLibrary(folder: string, { name, version, architecture, file }: DebianLibrary): Component {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  const licenses = [{ expression: 'GPL-3.0-or-later WITH GCC-exception-3.1' }]
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    purl,
    licenses,
    hashes: [sha256(join(folder, file))],
  }
}

function sha256(path: string): { alg: string; content: string } {
  return { alg: 'SHA-256', content: createHash('sha256').update(readFileSync(path)).digest('hex') }
}
