import { backupLookMs, backupRetryMs } from '../../limits.ts'
import { RecurringWork } from '../../recurring-work.ts'
import { type Queryable, statement } from '../database.ts'
import { noteBackup, readPosition } from '../work-positions.ts'
import type { Lock } from './age/age-file.ts'
import { type Backup, listBackups, removeOldBackups } from './backup-folders.ts'
import { BackupRunning, type BackupSource, databaseIdSql, takeBackup } from './backup.ts'

type Options = {
  db: Queryable
  into: string
  /** 0: no backups. */
  everyHours: number
  keep: number
  source: () => BackupSource
  /** The keys or the passphrase for the backups. Undefined: they are not encrypted. */
  lock: Lock | undefined
  now: () => Date
  onBackup: (backup: Backup, removed: { old: string[]; leftOver: string[] }) => void
  onTrouble: (error: unknown) => void
  /** Whether to look for backups that others take, if none is scheduled. */
  isWatching: boolean
  /** When the newest backup of this database was begun, at every look. */
  onNewest: (startedAt: Date | undefined) => void
}

/** Takes backups on a schedule. Every process looks once a minute; a lock in the database lets one of them do it. */
export class BackupWorker {
  readonly #options: Options
  readonly #stop = new AbortController()
  readonly #work: RecurringWork
  #notBefore = 0

  constructor(options: Options) {
    this.#options = options
    this.#work = new RecurringWork({
      pauseMs: backupLookMs,
      work: () => this.look(),
      onTrouble: (error) => this.#report(error),
    })
  }

  start(): void {
    if (this.#options.everyHours > 0 || this.#options.isWatching) this.#work.start()
  }

  /** A backup under way is given up. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#work.close()
  }

  /** Takes a backup if one is due, and then deletes the oldest ones. */
  async look(): Promise<'done'> {
    const { db, into, source, lock, now, keep, onBackup, onNewest } = this.#options
    const databaseId = await readDatabaseId(db)
    onNewest(await newestBackupAt(db, into))
    if (now().getTime() >= this.#notBefore && this.#isDue(databaseId)) {
      const taken = await takeBackup(source(), {
        into,
        now,
        checkpoint: 'spread',
        lock,
        signal: this.#stop.signal,
        isWanted: () => this.#isDue(databaseId),
      })
      if (taken !== undefined) {
        await noteBackup(db, taken.manifest.startedAt)
        const old = removeOldBackups(into, databaseId, keep)
        onBackup(taken, { old, leftOver: taken.leftOver })
      }
    }
    onNewest(await newestBackupAt(db, into))
    return 'done'
  }

  #isDue(databaseId: string): boolean {
    if (this.#options.everyHours === 0) return false
    const newest = this.#newest(databaseId)
    if (newest === undefined) return true
    const ageMs = this.#options.now().getTime() - Date.parse(newest.manifest.startedAt)
    return ageMs >= this.#options.everyHours * 3_600_000
  }

  #newest(databaseId: string): Backup | undefined {
    return listBackups(this.#options.into).find(({ manifest }) => manifest.databaseId === databaseId)
  }

  #report(error: unknown): void {
    if (this.#stop.signal.aborted || error instanceof BackupRunning) return
    this.#notBefore = this.#options.now().getTime() + backupRetryMs
    this.#options.onTrouble(error)
  }
}

/** When the newest backup was begun: one in the folder, or one that was put elsewhere. */
export async function newestBackupAt(db: Queryable, folder: string): Promise<Date | undefined> {
  const databaseId = await readDatabaseId(db)
  const inFolder = listBackups(folder).find(({ manifest }) => manifest.databaseId === databaseId)
  const times = [inFolder && new Date(inFolder.manifest.startedAt), await readPosition(db, 'backups')]
  return times.filter((time) => time !== undefined).toSorted((one, other) => Number(other) - Number(one))[0]
}

/** The name under which the backups of a database belong together. */
export async function readDatabaseId(db: Queryable): Promise<string> {
  const [database] = await db.query(selectDatabaseId)
  if (database === undefined) throw new Error('the database does not describe itself')
  return database.databaseId
}

const selectDatabaseId = statement<{ databaseId: string }>(databaseIdSql)
