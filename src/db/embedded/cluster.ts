import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
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
import { embeddedStartTimeoutMs, socketPathBytesMax } from '../../limits.ts'
import { accountFor, giveTree, nobody, takeFromNobody } from './account.ts'
import { clusterFolder, majorVersionOf } from './cluster-folders.ts'
import {
  type Account,
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
  /** How long PostgreSQL may take to accept connections. */
  startTimeoutMs: number
  onTrouble: (message: string, error: unknown) => void
  /** Replace ours. Only for tests, whose data may be lost. */
  settings?: Record<string, string>
}

/** Where clusters are, and how they are run, without a certain one. */
export type ClusterShell = Omit<Cluster, 'folder'>

const port = 5432
const logBytesMax = 10 * 1024 * 1024

type OpenOptions = Pick<Cluster, 'onTrouble'> & { dataDir: string }

/** Opens the cluster in a data folder, and creates it if it does not exist. It need not be running. */
export async function openCluster(options: OpenOptions): Promise<Cluster> {
  const { majorVersion, ...shell } = openShell(options)
  const folder = clusterFolder(shell.home)
  if (!existsSync(folder)) await initialise(folder, shell)
  // Kubernetes makes the files of a volume writable for a group. PostgreSQL refuses to start in such a folder.
  if ((statSync(folder).mode & 0o027) !== 0) chmodSync(folder, 0o700)
  refuseOtherVersion(folder, majorVersion)
  return { ...shell, folder }
}

/** Finds the home folder and the binaries of this version. */
export function openShell(options: OpenOptions): ClusterShell & { majorVersion: number } {
  const account = accountFor(options.dataDir)
  const binaries = findPackage()
  const home = openHome(options.dataDir, account)
  takeFromNobody(home, account)
  const { bin, majorVersion } = placeBinaries(binaries, home, account)
  writeAccessRules(home)
  const { onTrouble } = options
  return {
    home,
    bin,
    majorVersion,
    account,
    socketDir: undefined,
    startTimeoutMs: embeddedStartTimeoutMs,
    onTrouble,
  }
}

/** Creates it under another name first, so that an interrupted run leaves no unfinished cluster behind. */
async function initialise(folder: string, shell: ClusterShell): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  // In a container, the interrupted run may have had the same process id.
  rmSync(unfinished, { recursive: true, force: true })
  await createFiles(unfinished, shell)
  renameOnce(unfinished, folder)
}

/**
 * Creates the files of an empty cluster. PostgreSQL runs as a user without a name, but initdb needs one that has a
 * name. If we are root, that is `nobody` in the group of PostgreSQL's user, in a folder that only this group can enter:
 * so other programs of `nobody` see none of the files, which are then given to PostgreSQL's user.
 */
export async function createFiles(folder: string, { bin, account }: ClusterShell): Promise<void> {
  if (account === undefined) {
    makePrivateFolder(folder, account)
    return runInitdb(folder, bin, account)
  }
  const closed = `${folder}.new`
  rmSync(closed, { recursive: true, force: true })
  mkdirSync(closed, { mode: 0o700 })
  giveTo({ uid: 0, gid: account.gid }, closed)
  chmodSync(closed, 0o710)
  const files = join(closed, 'files')
  const maker = { uid: nobody().uid, gid: account.gid }
  makePrivateFolder(files, maker)
  await runInitdb(files, bin, maker)
  giveTree(files, { from: maker.uid, to: account })
  renameSync(files, folder)
  rmSync(closed, { recursive: true })
}

async function runInitdb(folder: string, bin: string, account: Account): Promise<void> {
  const flags = [
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', folder, '--locale=C', '--no-instructions', '--auth=peer', ...flags],
    {
      ...account,
      cwd: '/',
    },
  ).catch((error: Error) => {
    throw new EmbeddedError(`The embedded PostgreSQL could not be set up: ${error.message}`, { cause: error })
  })
}

function refuseOtherVersion(folder: string, majorVersion: number): void {
  const found = majorVersionOf(folder)
  if (found === majorVersion) return
  throw new EmbeddedError(
    found < majorVersion
      ? `The data in ${folder} is of PostgreSQL ${found}, and this Wheelhouse includes PostgreSQL ${majorVersion}. ` +
          'Run `wheelhouse upgrade`, or start the server: both upgrade the data first.'
      : newerSentence(folder, majorVersion),
  )
}

export function newerSentence(folder: string, majorVersion: number): string {
  return (
    `The data in ${folder} is of PostgreSQL ${majorVersionOf(folder)}, which is newer than the PostgreSQL ` +
    `${majorVersion} of this Wheelhouse. Use the Wheelhouse that made it, or \`wheelhouse upgrade undo\`.`
  )
}

/** Only our own user may connect (peer authentication). The files are outside the cluster, where only we can write. */
function writeAccessRules(home: string): void {
  const { username } = userInfo()
  const users = ['postgres', 'wheelhouse'].map((user) => `wheelhouse "${username}" ${user}\n`)
  replaceFile(join(home, 'pg_hba.conf'), 'local all all peer map=wheelhouse\n')
  replaceFile(join(home, 'pg_ident.conf'), users.join(''))
}

/** Atomic, and only if needed: a PostgreSQL that starts now and reads half a file would refuse all connections. */
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
    ...cluster.settings,
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

/** The cluster's folder, which only its account can open, or a temporary one if that path is too long for a socket. */
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
