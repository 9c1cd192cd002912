// Part of `npm ci`: removes what only compilers and debuggers would read, the headers of Node and the source maps of
// all packages. That is 110 MB of 600.
import { globSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

if (import.meta.main) trimPackages(join(import.meta.dirname, '..', 'node_modules'))

export function trimPackages(modules: string): void {
  for (const folder of globSync('node-*/{include,share}', { cwd: modules }))
    rmSync(join(modules, folder), { recursive: true })
  for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:[cm]?[jt]s|css)\.map$/.test(file)) rmSync(join(modules, file))
}
