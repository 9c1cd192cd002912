/**
 * The builds of the embedding script. Shops pin a build by its integrity hash, so each one that was released is kept in
 * `web/embed/builds` and served for ever. `npm run build -- --keep` keeps the present one.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'web', 'embed')
const kept = join(folder, 'builds')
const current = join(folder, 'dist', 'v1.js')

/** The files to serve, by name: the newest build, all builds by hash, the types, and a description of the newest. */
export function embedFiles(code: Buffer): Map<string, Buffer> {
  const hash = hashOf(code)
  const description = { hash, integrity: `sha384-${createHash('sha384').update(code).digest('base64')}` }
  const files = new Map<string, Buffer>(
    globSync('*.js', { cwd: kept }).map((name) => [`v1/${name}`, readFileSync(join(kept, name))]),
  )
  files.set('v1.js', code).set(`v1/${hash}.js`, code)
  files.set('v1.d.ts', readFileSync(join(folder, 'v1.d.ts')))
  return files.set('build.json', Buffer.from(JSON.stringify(description)))
}

export function keepBuild(): void {
  if (isBuildKept()) return
  mkdirSync(kept, { recursive: true })
  copyFileSync(current, keptPath())
}

export function isBuildKept(): boolean {
  return existsSync(keptPath())
}

function keptPath(): string {
  return join(kept, `${hashOf(readFileSync(current))}.js`)
}

function hashOf(code: Buffer): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16)
}
