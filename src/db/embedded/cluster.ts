import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { socketPathBytesMax } from '../../limits.ts'
import {
  type Account,
  databaseAccount,
  EmbeddedError,
  findPackage,
  giveTo,
  makePrivateFolder,
  openHome,
  placeBinaries,
  renameOnce,
} from './home.ts'

/** The files of a private PostgreSQL, and how to run it. */
export type Cluster = {
  home: string
  folder: string
  bin: string
  account: Account
  socketDir: string | undefined
  onTrouble: (message: string, error: unknown) => void
}

const port = 5432
const logBytesMax = 10 * 1024 * 1024

/** Opens the cluster in a data folder, and creates it if it does not exist. It need not be running. */
export async function openCluster(
  options: Pick<Cluster, 'onTrouble'> & { dataDir: string },
): Promise<Cluster> {
  const account = databaseAccount()
  const binaries = findPackage()
  const home = openHome(options.dataDir, account)
  const { bin, majorVersion } = placeBinaries(binaries, home, account)
  const folder = join(home, 'postgres')
  if (!existsSync(folder)) await initialise(folder, bin, account)
  // Kubernetes makes the files of a volume writable for a group. PostgreSQL refuses to start in such a folder.
  if ((statSync(folder).mode & 0o027) !== 0) chmodSync(folder, 0o700)
  refuseOtherVersion(folder, majorVersion)
  writeAccessRules(home)
  return { home, folder, bin, account, socketDir: undefined, onTrouble: options.onTrouble }
}

/** Creates it under another name first, so that an interrupted run leaves no unfinished cluster behind. */
async function initialise(folder: string, bin: string, account: Account): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  // In a container, the interrupted run may have had the same process id.
  rmSync(unfinished, { recursive: true, force: true })
  makePrivateFolder(unfinished, account)
  const flags = [
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', unfinished, '--locale=C', '--no-instructions', '--auth=peer', ...flags],
    {
      ...account,
      cwd: '/',
    },
  ).catch((error: Error) => {
    throw new EmbeddedError(`The embedded PostgreSQL could not be set up: ${error.message}`, { cause: error })
  })
  renameOnce(unfinished, folder)
}

function refuseOtherVersion(folder: string, majorVersion: number): void {
  const found = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
  if (found === majorVersion) return
  throw new EmbeddedError(
    `The data in ${folder} is of PostgreSQL ${found}; this Wheelhouse includes PostgreSQL ${majorVersion}. ` +
      `Migrate it with pg_upgrade or with pg_dump of PostgreSQL ${found} (see docs/operations.md), ` +
      'or start the version of Wheelhouse that created it.',
  )
}

/** Only our own user may connect (peer authentication). The files are outside the cluster, where only we can write. */
function writeAccessRules(home: string): void {
  const { username } = userInfo()
  const users = ['postgres', 'wheelhouse'].map((user) => `wheelhouse "${username}" ${user}\n`)
  replaceFile(join(home, 'pg_hba.conf'), 'local all all peer map=wheelhouse\n')
  replaceFile(join(home, 'pg_ident.conf'), users.join(''))
}

/** Atomic, and only if needed: a PostgreSQL that starts at this moment and reads half a file would refuse all connections. */
function replaceFile(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text, { mode: 0o644 })
  renameSync(unfinished, file)
}

export function spawnPostmaster(cluster: Cluster): ChildProcess {
  cluster.socketDir ??= chooseSocketDir(cluster)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: cluster.socketDir,
    unix_socket_permissions: '0700',
    port: String(port),
    hba_file: join(cluster.home, 'pg_hba.conf'),
    ident_file: join(cluster.home, 'pg_ident.conf'),
    fsync: 'on',
    full_page_writes: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Otherwise a failed statement would be logged with its values, and secrets with them.
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
  const log = openLog(cluster)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(cluster.bin, 'postgres'), ['-D', cluster.folder, ...flags], {
    ...cluster.account,
    cwd: '/',
    // In its own process group, so that Ctrl-C in a terminal reaches only us. We still need the database to drain.
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  })
  closeSync(log)
  child.on('error', (error) => cluster.onTrouble('the embedded PostgreSQL could not be run', error))
  child.unref()
  return child
}

/** The cluster's folder, which only its account can open, or a temporary folder if that path is too long for a socket. */
function chooseSocketDir(cluster: Cluster): string {
  if (Buffer.byteLength(join(cluster.folder, `.s.PGSQL.${port}`)) <= socketPathBytesMax) return cluster.folder
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
  giveTo(cluster.account, folder)
  return folder
}

function openLog(cluster: Cluster): number {
  const file = logFile(cluster)
  if (existsSync(file) && statSync(file).size > logBytesMax) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** The last lines of PostgreSQL's log, for error messages. */
export function logTail(cluster: Cluster): string {
  return [...logEnd(cluster, 12).map((line) => `  | ${line}`), `  (${logFile(cluster)})`].join('\n')
}

export function logEnd(cluster: Cluster, lineCount: number): string[] {
  const file = logFile(cluster)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  return lines.slice(-lineCount)
}

function logFile(cluster: Cluster): string {
  return join(cluster.home, 'postgres.log')
}
