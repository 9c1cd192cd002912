// `npm run build`, and part of `npm ci`: bundles the pages and the embedding script into their dist folders, and
// compresses each file. A bundle built from the same sources is kept. With `--keep`, the embedding script becomes one
// to serve for ever.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Rolldown } from 'vite'
import { embedFiles, keepBuild } from './embed-builds.ts'
import { fontLicences } from './font-licences.ts'

const repository = join(import.meta.dirname, '..')
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]
const stampName = 'sources.sha256'
type Page = {
  name: string
  base: string
  nonce?: string
  usesReact: boolean
  script?: string
  worker?: string
}
/** The server replaces the console's nonce in each response. */
const pages: Page[] = [
  { name: 'game', base: './', usesReact: false },
  { name: 'game/wallet', base: './', usesReact: false, worker: 'sw' },
  { name: 'embed', base: './', usesReact: false, script: 'element.ts' },
  { name: 'embed/preview', base: './', usesReact: false },
  { name: 'console', base: '/console/', nonce: '%NONCE%', usesReact: true },
]

/**
 * Everything that the game needs to start is one file. Otherwise each module that a part loaded later shares would be a
 * file, and a browser opens only six connections at once.
 */
const oneChunk = { groups: [{ name: 'game', test: /web\/game\/main\.ts$/ }] }

const sources = hashOfSources()
// A page is compressed while the next one is bundled.
const writing: Promise<void>[] = []
for (const page of pages) {
  const folder = join(repository, 'web', page.name, 'dist')
  const stamp = join(folder, stampName)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) continue
  const root = join(repository, 'web', page.name)
  const { build, react } = await loadBundler()
  const built = (await build({
    root,
    base: page.base,
    configFile: false,
    logLevel: 'warn',
    plugins: page.usesReact ? [react()] : [],
    ...(page.nonce === undefined ? {} : { html: { cspNonce: page.nonce } }),
    build: {
      write: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // With older targets, `light-dark()` is replaced by a polyfill that needs additional styles.
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      chunkSizeWarningLimit: 700,
      ...(page.script === undefined ? {} : { lib: library(join(root, page.script)) }),
      rolldownOptions: {
        // On a busy machine it blames plugins for being slow.
        checks: { bundlerTimings: false },
        ...(page.worker === undefined ? {} : { input: inputsWith(root, page.worker) }),
        output: {
          chunkFileNames: chunkName,
          ...(page.name === 'game' ? { codeSplitting: oneChunk } : {}),
          ...(page.worker === undefined ? {} : { entryFileNames: nameBeside(page.worker) }),
        },
      },
    },
  })) as Rolldown.RolldownOutput | [Rolldown.RolldownOutput]
  const { output } = Array.isArray(built) ? built[0] : built
  const files = page.script === undefined ? filesIn(output) : embedFiles(Buffer.from(output[0].code))
  writing.push(write(folder, files))
}
await Promise.all(writing)
if (process.argv.includes('--keep')) keepBuild()

/** Texts are named by their language, the folder that they are in. */
function chunkName({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const language = /\/src\/languages\/([^/]+)\//.exec(facadeModuleId ?? '')?.[1]
  return `assets/${language ?? '[name]'}-[hash].js`
}

/** A service worker is a file of its own, whose address never changes. */
function inputsWith(root: string, worker: string) {
  return { index: join(root, 'index.html'), [worker]: join(root, `${worker}.ts`) }
}
function nameBeside(worker: string) {
  return ({ name }: { name: string }) => (name === worker ? '[name].js' : 'assets/[name]-[hash].js')
}

/** A classic script, so that it needs no `type` in the page that loads it. */
function library(entry: string) {
  return { entry, formats: ['iife' as const], name: 'wheelhouse' }
}

function filesIn(output: Rolldown.RolldownOutput['output']): Map<string, Buffer> {
  const files = new Map(
    output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
  const licences = fontLicences(files.keys())
  if (licences !== '') files.set('font-licences.txt', Buffer.from(licences))
  return files
}

/** The bundler is not installed in production, where the pages must have been built before. */
async function loadBundler() {
  try {
    const [{ build }, { default: react }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
    ])
    return { build, react }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error(
      'wheelhouse: the pages are not built yet, and the packages that build them are not installed.',
    )
    console.error('wheelhouse: run `npm ci`, then `npm prune --omit=dev` to remove these packages again.')
    return process.exit(1)
  }
}

/** Writes to a temporary folder and renames it, so that a running server never sees half a page. */
async function write(folder: string, files: Map<string, Buffer>): Promise<void> {
  const temporary = `${folder}.${process.pid}`
  const writeWithCompressed = async ([name, content]: [string, Buffer]): Promise<void> => {
    const path = join(temporary, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    // Fonts are compressed already.
    if (name.endsWith('.woff2')) return
    // The highest quality takes seconds for the console, and saves only another two per cent.
    const params = { [constants.BROTLI_PARAM_QUALITY]: content.length > 200_000 ? 9 : 11 }
    writeFileSync(`${path}.br`, await brotli(content, { params }))
    writeFileSync(`${path}.gz`, await gzipped(content))
  }
  await Promise.all([...files].map(writeWithCompressed))
  writeFileSync(join(temporary, stampName), sources)
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}

/** Pages share files with each other and with the server, so each is rebuilt if any of them changes. */
function hashOfSources(): string {
  const files = globSync('{web/**/*,src/**/*.{ts,json},scripts/{build,font-licences}.ts,package-lock.json}', {
    cwd: repository,
    exclude: (name) => name.includes('/dist'),
  })
  const hash = createHash('sha256')
  for (const file of files.toSorted().filter((name) => /\.\w+$/.test(name) && !name.includes('/dist.')))
    hash.update(file).update(readFileSync(join(repository, file)))
  return hash.digest('hex')
}
