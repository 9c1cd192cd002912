// Prints every statement of the program as JSON: loads all modules, with an edit that collects what they make.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

export type ListedStatement = { text: string; isSharded: boolean; isLocal: boolean; file: string }

const root = join(import.meta.dirname, '..')
const all = new Map<string, ListedStatement>()
Object.assign(globalThis, {
  listStatement: (text: string, shards: readonly unknown[]) => {
    const file = /\/(src\/(?!db\/statement)\S+?\.ts)/.exec(new Error().stack ?? '')?.[1] ?? ''
    all.set(text, { text, isSharded: shards.length > 0, isLocal: false, file })
  },
  listLocal: (text: string) => {
    const listed = all.get(text)
    if (listed !== undefined) listed.isLocal = true
  },
})
const edits = [
  ['  return { name:', '  globalThis.listStatement(text, shards)\n  return { name:'],
  [
    'return { ...statement<Row>(text),',
    'const own = statement(text)\n  globalThis.listLocal(text)\n  return { ...own,',
  ],
] as const
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/src/db/statement.ts')) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString()
    for (const [find, replace] of edits) {
      assert.equal(source.split(find).length, 2, `src/db/statement.ts has changed: ${find}`)
      source = source.replace(find, replace)
    }
    return { ...loaded, source }
  },
})
for (const file of globSync('src/**/*.ts', { cwd: root }))
  if (file !== 'src/main.ts') await import(join(root, file))
process.stdout.write(JSON.stringify([...all.values()]), () => process.exit())
