import { dirname, join, normalize } from 'node:path'

/**
 * The rules of this repository, each a pure function: it takes the texts of files by their paths and returns one
 * sentence per violation. `house.test.ts` runs them on the repository, `house-rules.test.ts` on wrong examples.
 */
export type Files = ReadonlyMap<string, string>

export const codeFile = /\.[cm]?[jt]sx?$/

export type Import = { target: string; names: string[] | 'all' }

/** Imports and re-exports of a file, with types and `import()`. Targets in the repository are paths from its root. */
export function importsOf(path: string, text: string): Import[] {
  const resolved = (target: string): string =>
    target.startsWith('.') ? normalize(join(dirname(path), target)) : target
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(?:type\s+)?([\w*$,\s]*?(?:\{[^}]*\})?)\s*from\s+'([^']+)'/gm),
  ].map(([, clause, target]): Import => ({
    target: resolved(target as string),
    names: namesOf(clause as string),
  }))
  const others = [...text.matchAll(/^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, bare, called]): Import => ({ target: resolved((bare ?? called) as string), names: 'all' }),
  )
  return [...statements, ...others]
}

function namesOf(clause: string): string[] | 'all' {
  if (clause.includes('*')) return 'all'
  const listed = /\{([^}]*)\}/.exec(clause)?.[1] ?? ''
  const names = listed.split(',').map(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0] ?? '',
  )
  const hasDefault = /^\w/.test(clause.trim())
  return [...(hasDefault ? ['default'] : []), ...names.filter((name) => name !== '')]
}

function under(files: Files, ...folders: string[]): [path: string, text: string][] {
  return [...files].filter(
    ([path]) => folders.some((folder) => path.startsWith(`${folder}/`)) && /\.tsx?$/.test(path),
  )
}

/** The driver, the web framework, the environment and the end of the process each have one place. */
export function misplacedAccess(files: Files): string[] {
  return under(files, 'src').flatMap(([path, text]) => {
    const targets = importsOf(path, text).map(({ target }) => target)
    const isEdge = path.startsWith('src/http/') || path === 'src/cli/server/start-app.ts'
    return [
      !path.startsWith('src/db/') && targets.includes('pg') && 'imports the driver',
      !isEdge && targets.some((name) => /^@?fastify/.test(name)) && 'imports the web framework',
      path !== 'src/config.ts' && /process\.env\b/.test(text) && 'reads the environment',
      path !== 'src/main.ts' && /process\.exit\(/.test(text) && 'ends the process',
    ]
      .filter((problem) => problem !== false)
      .map((problem) => `${path} ${problem}`)
  })
}

/** Folders and files of `src`, each of which imports only those before it. A file that is not listed comes first. */
// oxfmt-ignore
export const importOrder = [
  'concurrency', 'prize-kinds', 'free-spin-rule', 'languages', 'fairness', 'settings', 'config.ts', 'mail.ts', 'tracing', 'db', 'leases', 'orders', 'monitoring', 'metrics.ts', 'crypto', 'audit-log', 'events', 'staff', 'scheduled', 'stock', 'wheel-document', 'pacing', 'wheels', 'merchants', 'players', 'campaigns', 'grants',
  'links', 'free-spins', 'plays', 'mails', 'simulation', 'prizes', 'entries', 'wallet', 'reports', 'integrity', 'webhooks', 'messages', 'staff-alerts', 'test-mode', 'send-mails.ts', 'send-webhooks.ts', 'take-backups.ts', 'background.ts', 'context.ts', 'http', 'cli', 'main.ts',
]

export function upwardImports(files: Files, allowed: ReadonlySet<string> = new Set()): string[] {
  const rank = (path: string): number => importOrder.indexOf(path.split('/')[1] ?? '')
  return under(files, 'src').flatMap(([path, text]) => {
    const folder = path.split('/')[1] ?? ''
    if (path.split('/').length > 2 && !importOrder.includes(folder))
      return [`src/${folder} has no place in the order of imports`]
    return importsOf(path, text)
      .map(({ target }) => target)
      .filter((target) => target.startsWith('src/') && rank(target) > rank(path))
      .map((target) => `${path} → ${target}`)
      .filter((edge) => !allowed.has(edge))
      .map((edge) => `${edge} runs against the order of imports`)
  })
}

/**
 * ARCHITECTURE.md lists every folder of `src` in the order of imports, each with the folders that it imports, after a
 * dash: "- `src/stock/`: stock of prizes, code pools – `audit-log`, `db`".
 */
export function wrongFolderList(files: Files): string[] {
  const text = files.get('ARCHITECTURE.md') ?? ''
  const items = [...text.matchAll(/^- `src\/([\w-]+)\/`:([^]*?)(?=^- |^$)/gm)]
  const listed = items.map(([, folder]) => folder as string)
  const expected = importOrder.filter((name) => !name.endsWith('.ts'))
  const order =
    listed.join() === expected.join()
      ? []
      : [`ARCHITECTURE.md lists ${listed.join(', ')}; the order of imports is ${expected.join(', ')}`]
  const imports = items.flatMap(([, folder, about]) => {
    const said = (about as string).split(' –').at(-1) ?? ''
    if (said.includes('all domains')) return []
    const names = [...said.matchAll(/`([\w-]+)`/g)].map(([, name]) => name as string).toSorted()
    const real = foldersImportedBy(files, folder as string)
    return names.join() === real.join()
      ? []
      : [`ARCHITECTURE.md: src/${folder} imports ${real.join(', ')}, not ${names.join(', ')}`]
  })
  return [...order, ...imports]
}

function foldersImportedBy(files: Files, folder: string): string[] {
  const targets = under(files, `src/${folder}`).flatMap(([path, text]) =>
    importsOf(path, text).map(({ target }) => /^src\/([\w-]+)\//.exec(target)?.[1] ?? folder),
  )
  return [...new Set(targets)].filter((name) => name !== folder).toSorted()
}

/** Files that import each other, directly or through others. */
export function importCircles(files: Files): string[] {
  const graph = new Map(
    [...files]
      .filter(([path]) => codeFile.test(path))
      .map(([path, text]) => [path, importsOf(path, text).map(({ target }) => target)]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) circles.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return circles
}

type LoadedStatement = { file: string; text: string }

/**
 * Tables that more than one file writes. `allowed` gives the files of a table beyond its first. `loaded` has the
 * statements that `writersByVariable` make when they are loaded, with the names of the tables in them.
 */
export function sharedTables(
  files: Files,
  allowed: Record<string, readonly string[]> = {},
  loaded: readonly LoadedStatement[] = [],
): string[] {
  const made = loadedBy(writersByVariable(files), loaded)
  const writers = new Map<string, Set<string>>()
  for (const [path, text] of [...under(files, 'src'), ...made]) {
    for (const table of writtenTables(text))
      writers.set(table, (writers.get(table) ?? new Set<string>()).add(path))
  }
  const shared = [...writers].filter(([table, paths]) => {
    const others = [...paths].filter((path) => !(allowed[table] ?? []).includes(path))
    return others.length > 1
  })
  const unused = Object.entries(allowed).flatMap(([table, paths]) =>
    paths
      .filter((path) => writers.get(table)?.has(path) !== true)
      .map((path) => `${path} may write ${table} but does not: remove the exception`),
  )
  return [
    ...shared.map(([table, paths]) => `${table} is written by ${[...paths].toSorted().join(' and ')}`),
    ...unused,
    ...unknownTables(files, made),
  ]
}

/** Files of `src` that write a table whose name is in a variable, such as `delete from ${table}`. */
export function writersByVariable(files: Files): string[] {
  return under(files, 'src')
    .filter(([, text]) => writesByVariable(text).length > 0)
    .map(([path]) => path)
}

function loadedBy(paths: readonly string[], loaded: readonly LoadedStatement[]): [string, string][] {
  // In quotes, as in a file: a statement may end with the name of its table.
  return loaded.filter(({ file }) => paths.includes(file)).map(({ file, text }) => [file, `'${text}'`])
}

/** Writes by a variable that no statement shows which its file makes when it is loaded. */
function unknownTables(files: Files, loaded: readonly [path: string, text: string][]): string[] {
  return under(files, 'src').flatMap(([path, text]) =>
    writesByVariable(text)
      .filter(({ shape }) => !loaded.some(([file, statement]) => file === path && shape.test(statement)))
      .map(({ write }) => `${path}: the table of "${write}" is not known when the file is loaded`),
  )
}

/** Each write by a variable, and the shape of the statements that it makes, up to the next variable. */
function writesByVariable(text: string): { write: string; shape: RegExp }[] {
  const writes = withoutComments(text).matchAll(
    /((?:\binsert\s+into|\bdelete\s+from|\bupdate)(?:\s+only)?\s+[a-z_]*)(\$\{[^}]*\})([^$`]*)/g,
  )
  return [...writes].map(([, before = '', name, after = '']) => ({
    write: `${before}${name}`,
    shape: new RegExp(`${RegExp.escape(before)}[a-z_]+${RegExp.escape(after)}`),
  }))
}

/** Statements anywhere in a template or string, also in CTEs. `for update` and `do update set` name no table. */
function writtenTables(text: string): string[] {
  return [
    ...withoutComments(text).matchAll(
      /(?:\binsert\s+into|\bdelete\s+from(?:\s+only)?|(?<!\b(?:for|do|key|no key)\s+)\bupdate(?:\s+only)?)\s+([a-z_]+)\b(?=(?:\s+(?:as\s+)?[a-z_]+)?\s*(?:\(|\s(?:set|where|using|returning|select|values|default|overriding)\b|[`'"]))/g,
    ),
  ].map(([, table]) => table as string)
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
}

/** Files too long to read, by kind. `allowed` gives other maxima by path. */
export function longFiles(files: Files, allowed: Record<string, number> = {}): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!/\.(?:tsx?|js|mjs|css|sql|py|php)$/.test(path)) return []
    const lines = text.split('\n').length - 1
    const max = allowed[path] ?? (/^test\/|\.css$/.test(path) ? 450 : 350)
    return lines > max ? [`${path} has ${lines} lines, more than ${max}`] : []
  })
}

/**
 * Names that are exported but imported by no other file. Tests count as users of `src`; elsewhere only of names that
 * their own file uses too.
 */
export function deadExports(files: Files, allowed: ReadonlySet<string> = new Set()): string[] {
  const folders = ['src', 'web', 'faults', 'bench', 'fuzz', 'scripts']
  const used = new Set<string>()
  const tested = new Set<string>()
  for (const [path, text] of [...files].filter(([name]) => codeFile.test(name) || name.endsWith('.html'))) {
    for (const { target, names } of importsOf(path, text)) {
      const users = path.startsWith('test/') && !target.startsWith('src/') ? tested : used
      for (const name of names === 'all' ? ['*'] : names) users.add(`${target} ${name}`)
    }
  }
  return under(files, ...folders).flatMap(([path, text]) =>
    exportsOf(text)
      .filter((name) => !used.has(`${path} *`) && !used.has(`${path} ${name}`))
      .filter((name) => !(tested.has(`${path} ${name}`) && occurrences(text, name) > 1))
      .map((name) => `${path} ${name}`)
      .filter((place) => !allowed.has(place))
      .map((place) => `${place} is exported but used by no other file`),
  )
}

function occurrences(text: string, name: string): number {
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length
}

function exportsOf(text: string): string[] {
  const declared = [
    ...text.matchAll(
      /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|type|interface|enum)\s+(\w+)/gm,
    ),
  ].map(([, name]) => name as string)
  const listed = [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    (list as string)
      .split(',')
      .map(
        (part) =>
          part
            .trim()
            .split(/\s+as\s+/)
            .at(-1)
            ?.replace(/^type\s+/, '') ?? '',
      )
      .filter((name) => name !== ''),
  )
  const fallback = /^export default\b/m.test(text) ? ['default'] : []
  return [...new Set([...declared, ...listed, ...fallback])]
}

export const lineMax = 120

/** Whether a line is too long, also without its addresses. */
export function tooLong(line: string): boolean {
  return line.replaceAll(/https?:\/\/[^\s)>]+|\]\([^)]+\)/g, '').length > lineMax
}

/** Lines of Markdown beyond 120 characters. Code blocks, tables and long addresses may have more. */
export function longLines(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.md')) return []
    let isCode = false
    return text.split('\n').flatMap((line, index) => {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
      const isExempt = isCode || /^\s*\|/.test(line)
      if (isExempt || !tooLong(line)) return []
      return [`${path}:${index + 1} has ${line.length} characters, more than ${lineMax}`]
    })
  })
}

/**
 * Paths in Markdown, such as `src/main.ts`, that do not exist. `paths` are the files of the repository, without builds.
 */
export function missingPaths(files: Files, paths: Iterable<string>): string[] {
  const folders = 'src|web|test|faults|bench|fuzz|scripts|sql|packages|docs|examples|bin|deploy'
  const known = withFolders(paths)
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.md')) return []
    const named = [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))].map(
      ([, name]) => name as string,
    )
    return [...new Set(named)]
      .filter((name) => !/\b(?:dist|node_modules)\b/.test(name) && !known.has(name.replace(/\/$/, '')))
      .map((name) => `${path} names ${name}, which does not exist`)
  })
}

/** Links between documents that lead nowhere. */
export function brokenLinks(files: Files, paths: Iterable<string>): string[] {
  const known = withFolders(paths)
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.md')) return []
    return [...text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target as string)
      .filter((target) => !known.has(normalize(join(dirname(path), target)).replace(/\/$/, '')))
      .map((target) => `${path} links to ${target}, which does not exist`)
  })
}

function withFolders(paths: Iterable<string>): Set<string> {
  const known = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const end of parts.keys()) known.add(parts.slice(0, end + 1).join('/'))
  }
  return known
}

/** Packages that `src` imports but production lacks, and packages that production has but `src` does not import. */
export function misplacedPackages(files: Files): string[] {
  const { dependencies = {} } = JSON.parse(files.get('package.json') ?? '{}') as {
    dependencies?: Record<string, string>
  }
  const imported = under(files, 'src').flatMap(([path, text]) =>
    importsOf(path, text)
      .map(({ target }) => packageOf(target))
      .filter((name) => name !== undefined)
      .map((name) => ({ path, name })),
  )
  const used = new Set(imported.map(({ name }) => name))
  return [
    ...imported
      .filter(({ name }) => !Object.hasOwn(dependencies, name))
      .map(({ path, name }) => `${path} imports ${name}, which is not in dependencies`),
    ...Object.keys(dependencies)
      .filter((name) => !used.has(name))
      .map((name) => `package.json: ${name} is in dependencies, but src does not import it`),
  ]
}

/** The package of an import, or undefined for our own files and for Node's modules. */
function packageOf(target: string): string | undefined {
  if (/^(?:node:|src\/|packages\/)/.test(target)) return undefined
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Lock files must name no host and have a hash per package. Packages with install scripts must be denied by name. */
export function looseLocks(files: Files, denied: Record<string, boolean>): string[] {
  type Entry = { resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean }
  return [...files].flatMap(([file, text]) => {
    if (!file.endsWith('package-lock.json')) return []
    const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
    return Object.entries(packages).flatMap(([path, entry]) => {
      // The others are packages of our own and the links to them.
      if (!path.includes('node_modules/') || entry.link === true) return []
      const hasScript = entry.hasInstallScript === true
      return [
        entry.resolved !== undefined && 'names a host',
        entry.integrity?.startsWith('sha512-') !== true && 'has no hash',
        hasScript && denied[path.replace('node_modules/', '')] !== false && 'has an install script',
      ]
        .filter((problem) => problem !== false)
        .map((problem) => `${file}: ${path} ${problem}`)
    })
  })
}
