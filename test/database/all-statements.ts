// Prints every statement of the program as JSON: loads all modules, or those that it is given, with an edit that
// collects what they make.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

export type ListedStatement = { text: string; isSharded: boolean; isLocal: boolean; file: string }

const root = join(import.meta.dirname, '..', '..')
const all: ListedStatement[] = []
Object.assign(globalThis, {
  listStatement: (text: string, shards: readonly unknown[]) => {
    const file = /\/(src\/(?!db\/statement)\S+?\.ts)/.exec(new Error().stack ?? '')?.[1] ?? ''
    all.push({ text, isSharded: shards.length > 0, isLocal: false, file })
  },
  listLocal: () => {
    const newest = all.at(-1)
    if (newest !== undefined) newest.isLocal = true
  },
})
const edits = [
  ['  return { name:', '  globalThis.listStatement(text, shards)\n  return { name:'],
  [
    'return { ...statement<Row>(text),',
    'const own = statement(text)\n  globalThis.listLocal()\n  return { ...own,',
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
const given = process.argv.slice(2)
for (const file of given.length > 0 ? given : globSync('src/**/*.ts', { cwd: root }))
  if (file !== 'src/main.ts') await import(join(root, file))
process.stdout.write(JSON.stringify(all), () => process.exit())
