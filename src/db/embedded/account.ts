import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { clusterFolder } from './cluster-folders.ts'
import { type Account, EmbeddedError, existingHome } from './home.ts'
import { findPostmaster } from './postmaster.ts'
import { processesOn } from './processes.ts'

/**
 * Numbers that neither distributions nor systemd give to users (systemd's UIDS-GIDS.md). The first without a user is
 * taken, for the user and its group.
 */
const reservedIds = Array.from({ length: 20 }, (_, index) => 60_900 + index)

/** A user for new data: `wheelhouse` if the machine has it, else one that has only a number. */
export function ownAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const named = accountNamed('wheelhouse')
  if (named !== undefined) return named
  const free = reservedIds.find((id) => accountNamed(String(id)) === undefined)
  if (free === undefined)
    throw new EmbeddedError('Make a user for the database, since you are root: useradd --system wheelhouse')
  return { uid: free, gid: free }
}

/** The user of the data in a folder. Data that a PostgreSQL of `nobody` still uses is left to it. */
export function accountFor(dataDir: string): Account {
  const own = ownAccount()
  const home = existingHome(dataDir)
  const folder = home === undefined ? undefined : clusterFolder(home)
  const owner = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false })
  if (own === undefined || folder === undefined || owner === undefined) return own
  if (reservedIds.includes(owner.uid)) return { uid: owner.uid, gid: owner.gid }
  return owner.uid === nobody().uid && isInUse(folder) ? nobody() : own
}

/** The user without rights that every machine has. */
export function nobody(): NonNullable<Account> {
  const found = accountNamed('nobody')
  if (found === undefined)
    throw new EmbeddedError('This machine has no user `nobody`. Start as another user than root.')
  return found
}

function accountNamed(name: string): Account {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : undefined
  })
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

/**
 * Earlier versions ran PostgreSQL as `nobody`, which other programs use too. Gives such data to the new user. A kill
 * half-way leaves the mark, so the next start completes it. Data of a Wheelhouse that itself runs as `nobody` stays.
 */
export function takeFromNobody(home: string, account: Account): void {
  const from = account === undefined || statSync(home).uid !== 0 ? undefined : nobody().uid
  if (account === undefined || from === undefined || account.uid === from) return
  const mark = join(home, 'owner-changes')
  const folders = readdirSync(home)
    .map((name) => join(home, name))
    .filter((path) => lstatSync(path).isDirectory())
  const isNeeded = folders.some((path) => statSync(path).uid === from)
  if (!isNeeded && !existsSync(mark)) return
  if (folders.some(isInUse)) return
  writeFileSync(mark, '')
  for (const folder of folders)
    // An operator may have moved the log to another disk.
    for (const part of [folder, join(folder, 'pg_wal')]) giveTree(part, { from, to: account })
  rmSync(mark)
}

/** Also processes that a killed PostgreSQL has left: another user's PostgreSQL could not see their shared memory. */
function isInUse(folder: string): boolean {
  return findPostmaster(folder) !== undefined || processesOn(folder).length > 0
}

/** Gives files and folders of one user to another. What is opened can't be exchanged for a file of somebody else. */
export function giveTree(path: string, owners: { from: number; to: NonNullable<Account> }): void {
  if (!existsSync(path) || !['file', 'folder'].includes(kindOf(path))) return
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (fstatSync(descriptor).uid === owners.from) fchownSync(descriptor, owners.to.uid, owners.to.gid)
  } finally {
    closeSync(descriptor)
  }
  if (kindOf(path) !== 'folder') return
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (!entry.isSymbolicLink()) giveTree(join(path, entry.name), owners)
}

function kindOf(path: string): 'file' | 'folder' | 'other' {
  const found = statSync(path)
  return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
}
