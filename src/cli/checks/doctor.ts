import { statfs } from 'node:fs/promises'
import type { Command } from 'commander'
import pino from 'pino'
import { type Config, ConfigError, loadConfig, misspeltSettings } from '../../config.ts'
import { listBackups } from '../../db/backup/backup-folders.ts'
import { newestBackupAt, readDatabaseId } from '../../db/backup/backup-worker.ts'
import { clockOffsetMs } from '../../db/clock-offset.ts'
import { type Database, type Queryable, statement } from '../../db/database.ts'
import { existingHome } from '../../db/embedded/home.ts'
import { checkSchema, checkServer, checkTexts } from '../../db/migrate.ts'
import { newestVersion } from '../../db/migrations.ts'
import { askHostsOf } from '../../db/open-database.ts'
import { WriteProbe } from '../../db/write-probe.ts'
import { Mistake } from '../../mistake.ts'
import { checkMail } from './check-mail.ts'
import { adviceOnDatabase } from './database-advice.ts'
import { openExistingDatabase } from '../database/existing-database.ts'
import { explainError } from '../explain-error.ts'
import { type JsonOption, print, table } from '../output.ts'

type Diagnosis = { check: string; state: 'ok' | 'warning' | 'wrong'; finding: string }

const clockSkewMsMax = 2_000
const clockSkewMsRisky = 1_000
const freeBytesMin = 1024 ** 3

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check settings, mail, database, schema, writes, clock, disk and backups; report each problem and its fix (exit code 1 if any)',
    )
    .option('--json', 'print JSON')
    .option('--mail-to <address>', 'send a test message to this address')
    .action(async (options: JsonOption & { mailTo?: string }) => {
      const diagnoses = await examine(options.mailTo)
      print(diagnoses, options, tableOf(diagnoses))
      if (diagnoses.some((diagnosis) => diagnosis.state === 'wrong')) process.exitCode = 1
    })
}

async function examine(mailTo: string | undefined): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  const config = await attempt(
    diagnoses,
    'settings',
    async () => loadConfig(),
    (found) => `listens on ${found.host}:${found.port}, public URL ${found.publicUrl}`,
  )
  if (config === undefined) return diagnoses
  diagnoses.push(...adviseOnSettings(config))
  if (config.mail !== undefined)
    for (const one of await checkMail(config.mail, { to: mailTo, log: pino({ enabled: false }) }))
      diagnoses.push({ check: 'mail', ...one })
  await attempt(
    diagnoses,
    'node',
    async () => checkNode(),
    (version) => version,
  )
  const kind =
    config.databaseTargets === undefined
      ? `embedded, in ${config.dataDir}`
      : config.databaseTargets.map((target) => `${target.host}:${target.port}`).join(', ')
  const open = await attempt(
    diagnoses,
    'database',
    () => openAndReadVersion(config),
    ({ version }) => `PostgreSQL ${version}, ${kind}`,
  )
  if ((config.databaseTargets?.length ?? 0) > 1) diagnoses.push(...(await examineHosts(config)))
  try {
    const isMigrated = open !== undefined && (await examineDatabase(diagnoses, open.db))
    const home = config.databaseTargets === undefined ? existingHome(config.dataDir) : undefined
    await attempt(
      diagnoses,
      'disk',
      () => checkDisk(home ?? '.'),
      (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GiB free`,
    )
    if (isMigrated)
      await attempt(
        diagnoses,
        'backup',
        () => checkBackups(config, open.db),
        (finding) => finding,
      )
  } finally {
    await open?.close()
  }
  return diagnoses
}

/** Which of several hosts is in use, and which don't answer. */
async function examineHosts(config: Config): Promise<Diagnosis[]> {
  const hosts = await askHostsOf(config)
  const isServed = hosts.some(({ isUsed }) => isUsed)
  return hosts.map(({ name, isUsed, isStandby, error }) => {
    const check = 'host'
    if (isUsed) return { check, state: 'ok', finding: `${name} takes writes, and is in use` }
    if (isStandby) return { check, state: isServed ? 'ok' : 'wrong', finding: `${name} is a standby` }
    if (error !== undefined)
      return { check, state: isServed ? 'warning' : 'wrong', finding: `${name}: ${problemIn(error)}` }
    const finding = `${name} takes writes too, but is not in use: another host has replaced it. Stop it.`
    return { check, state: 'warning', finding }
  })
}

/** True if the schema is as it should be. */
async function examineDatabase(diagnoses: Diagnosis[], db: Database): Promise<boolean> {
  const schemaVersion = await attempt(
    diagnoses,
    'schema',
    () => checkWholeSchema(db),
    (version) => `up to date, version ${version}`,
  )
  if (schemaVersion !== undefined)
    await attempt(
      diagnoses,
      'writes',
      () => checkWrites(db),
      (ms) => `a test write took ${ms} ms`,
    )
  await attempt(
    diagnoses,
    'clock',
    () => checkClock(db),
    (skewMs) => `within ${skewMs} ms of the database`,
  )
  return schemaVersion !== undefined
}

/** Returns the version of the schema. */
async function checkWholeSchema(db: Database): Promise<number> {
  await checkTexts(db)
  await checkSchema(db)
  return newestVersion()
}

/** Runs a check, records the result, and returns its finding. */
async function attempt<T>(
  diagnoses: Diagnosis[],
  check: string,
  run: () => Promise<T>,
  describe: (found: T) => string,
): Promise<T | undefined> {
  try {
    const found = await run()
    diagnoses.push({ check, state: 'ok', finding: describe(found) })
    return found
  } catch (error) {
    const state = error instanceof Risk ? 'warning' : 'wrong'
    diagnoses.push({ check, state, finding: problemIn(error) })
    return undefined
  }
}

/** Something that works, but should be mended. */
class Risk extends Error {}

function problemIn(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('; ')
  const explained = explainError(error, adviceOnDatabase(error))
  return explained ?? (error instanceof Error ? error.message : String(error))
}

/** A table. Further lines of a finding, such as those of a log, are below its row. */
function tableOf(diagnoses: readonly Diagnosis[]): string {
  const findings = diagnoses.map(({ finding }) => finding.split('\n'))
  const rows = diagnoses.map((diagnosis, index) => ({ ...diagnosis, finding: findings[index]?.[0] }))
  const [heading = '', ...lines] = table(rows, '').split('\n')
  const below = findings.map(([, ...rest]) => rest.map((line) => line.replaceAll(/\p{Cc}/gu, ' ')))
  return [heading, ...lines.flatMap((line, index) => [line, ...(below[index] ?? [])])].join('\n')
}

function adviseOnSettings(config: Config): Diagnosis[] {
  const advice: string[] = []
  const isLocal = (host: string) => host.startsWith('/') || ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isLocal(config.host) && config.publicUrl.startsWith('http:')) {
    advice.push(
      'PUBLIC_URL is http, so tokens are sent unencrypted. Put a TLS proxy in front and set PUBLIC_URL to its https address.',
    )
  }
  if (config.databaseTargets?.some((target) => !isLocal(target.host) && target.ssl === false) === true) {
    advice.push('The database is on another host without TLS. Add sslmode=verify-full to DATABASE_URL.')
  }
  advice.push(...misspeltSettings())
  return advice.map((finding) => ({ check: 'settings', state: 'warning', finding }))
}

function checkNode(): string {
  if (Number.parseInt(process.versions.node, 10) < 26)
    throw new Mistake(`Node ${process.versions.node} is too old; run npm ci, which installs Node 26.`)
  return process.versions.node
}

async function openAndReadVersion(config: Config) {
  const open = await openExistingDatabase(config)
  try {
    await checkServer(open.db)
    const [server] = await open.db.query(readVersion)
    return { ...open, version: server?.version ?? 'unknown' }
  } catch (error) {
    await open.close()
    throw error
  }
}

async function checkWrites(db: Database): Promise<number> {
  const startedAt = performance.now()
  const trouble = await new WriteProbe(db).examine()
  if (trouble === undefined) return Math.round(performance.now() - startedAt)
  throw new Mistake([trouble.detail, trouble.cause].filter((part) => part !== undefined).join(' '))
}

async function checkClock(db: Queryable): Promise<number> {
  const skewMs = await clockOffsetMs(db, () => new Date())
  const finding = `The clocks of this machine and the database differ by ${skewMs} ms. Run NTP on both:`
  if (skewMs > clockSkewMsMax) throw new Mistake(`${finding} links and tokens expire by this clock.`)
  if (skewMs > clockSkewMsRisky) throw new Risk(`${finding} each server releases paced prizes by its clock.`)
  return skewMs
}

async function checkDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  const bytes = bavail * bsize
  if (bytes < freeBytesMin)
    throw new Mistake(
      `Only ${Math.round(bytes / 1024 ** 2)} MiB are free in ${folder}. Free some space: the database stops when the disk is full.`,
    )
  return bytes
}

/** Whether the newest backup is as young as the schedule says. */
async function checkBackups(config: Config, db: Queryable): Promise<string> {
  const { dir, everyHours } = config.backup
  const databaseId = await readDatabaseId(db)
  const newest = listBackups(dir).find(({ manifest }) => manifest.databaseId === databaseId)
  const takenAt = await newestBackupAt(db, dir)
  const elsewhere = takenAt === undefined ? '' : `, but one was taken at ${takenAt.toISOString()}`
  const found = newest === undefined ? `none in ${dir}${elsewhere}` : `the newest is ${newest.folder}`
  if (everyHours === 0 && takenAt === undefined)
    throw new Risk(
      'No backup was ever taken, and none is scheduled. Set BACKUP_EVERY_HOURS, or run `wheelhouse backup` daily ' +
        `(docs/backup.md)${config.databaseTargets === undefined ? '' : ', unless other tools back up this PostgreSQL'}.`,
    )
  if (everyHours === 0) return `no schedule (BACKUP_EVERY_HOURS); ${found}`
  const ageMs = newest === undefined ? Infinity : Date.now() - Date.parse(newest.manifest.startedAt)
  if (ageMs > 2 * everyHours * 3_600_000)
    throw new Mistake(`A backup is due every ${everyHours} h, but ${found}. The server's log says why.`)
  return `every ${everyHours} h; ${found}`
}

const readVersion = statement<{ version: string }>(`select current_setting('server_version') as version`)
