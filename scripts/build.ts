// `npm run build`, and part of `npm ci`: bundles the game page into web/game/dist, each file also compressed.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '..', 'web', 'game')
const folder = join(root, 'dist')

const { output } = (await build({
  root,
  base: './',
  configFile: false,
  logLevel: 'warn',
  build: { write: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
})) as Rolldown.RolldownOutput

// Made aside and moved in one go: a server that runs meanwhile never sees half a page.
const aside = `${folder}.${process.pid}`
for (const file of output) {
  const content = Buffer.from(file.type === 'chunk' ? file.code : file.source)
  const path = join(aside, file.fileName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  writeFileSync(`${path}.br`, brotliCompressSync(content))
  writeFileSync(`${path}.gz`, gzipSync(content))
}
rmSync(folder, { recursive: true, force: true })
renameSync(aside, folder)
