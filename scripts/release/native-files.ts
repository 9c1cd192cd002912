import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from './platforms.ts'

/** Fails unless every program, library and native addon is for this platform, those of Node and PostgreSQL included. */
export function checkNativeFiles(folder: string, { name, nodePackage, postgresPackage }: Platform): void {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const platform = nativePlatform(readStart(path))
    if (platform !== undefined) found.set(path, platform)
  }
  const wrong = [...found].filter(([, platform]) => platform !== name)
  if (wrong.length > 0) throw new Error(`Not for ${name}: ${wrong.map(([path]) => path).join(', ')}`)
  for (const program of [`${nodePackage}/bin/node`, `${postgresPackage}/native/bin/postgres`])
    if (!found.has(join(folder, 'node_modules', program))) throw new Error(`${program} is missing`)
}

/** The platform of an ELF, Mach-O or Windows file, by its first 20 bytes. Undefined: it is none of them. */
export function nativePlatform(start: Buffer): string | undefined {
  if (start.subarray(0, 2).toString('latin1') === 'MZ') return 'windows'
  if (start.length < 20) return undefined
  const cpus: Record<number, string> = { 62: 'x64', 183: 'arm64', 0x1000007: 'x64', 0x100000c: 'arm64' }
  if (start.readUInt32BE(0) === 0x7f454c46) return `linux-${cpus[start.readUInt16LE(18)] ?? 'other'}`
  if (start.readUInt32LE(0) === 0xfeedfacf) return `darwin-${cpus[start.readUInt32LE(4)] ?? 'other'}`
  // A file for several processors: Java classes begin alike, but have a large number where this has a small one.
  if (start.readUInt32BE(0) === 0xcafebabe && start.readUInt32BE(4) < 20) return 'darwin-several'
  return undefined
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(20)
    return start.subarray(0, readSync(file, start, 0, 20, 0))
  } finally {
    closeSync(file)
  }
}
