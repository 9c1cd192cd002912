import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { connect } from '../backup/connect.ts'
import { requireSpace } from '../backup/durable-files.ts'
import { beginSnapshot, copyContents } from '../backup/table-contents.ts'
import { buildCluster } from './build-cluster.ts'
import { carrySettings, readFileSettings } from './carry-settings.ts'
import { clusterFolder, majorVersionOf, switchTo } from './cluster-folders.ts'
import { type Cluster, createFiles, newerSentence, openShell } from './cluster.ts'
import { EmbeddedPostgres } from './embedded-postgres.ts'
import { EmbeddedError, existingHome, includedMajorVersion } from './home.ts'
import { findOldBinaries } from './old-binaries.ts'

export type Upgrade = {
  from: number
  to: number
  /** The folder of the old cluster, which is kept. */
  kept: string
  folder: string
  /** Settings of the old cluster that the new version does not know. */
  settingsLeft: string[]
}

type UpgradeOptions = Pick<Cluster, 'onTrouble'> & {
  dataDir: string
  now: Date
  onStart: (from: number, to: number) => void
  /** Checks the new database. Throws if it must not be used. */
  check: (target: DatabaseTarget) => Promise<void>
}

/**
 * Upgrades a cluster of an earlier major version of PostgreSQL. The old version serves the old data, all rows are
 * copied into a new cluster beside it, and only a checked new cluster takes its place. The old one is read, never
 * changed.
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<Upgrade | undefined> {
  const home = existingHome(options.dataDir)
  const kept = home === undefined ? undefined : clusterFolder(home)
  if (kept === undefined || !existsSync(kept)) return undefined
  const from = majorVersionOf(kept)
  const to = includedMajorVersion()
  if (from === to) return undefined
  if (from > to) throw new EmbeddedError(newerSentence(kept, to))
  const shell = openShell(options)
  const bin = findOldBinaries(shell.home, from, shell.account)
  requireSpace(shell.home, 2 * bytesIn(kept))
  options.onStart(from, to)
  const old = await EmbeddedPostgres.run({ ...shell, bin, folder: kept })
  try {
    // Another process may have upgraded it while we waited for the old one.
    if (clusterFolder(shell.home) !== kept) return undefined
    const { folder, result } = await copyCluster(old, shell, options)
    // The old cluster still runs and is ours, so no other process can begin the same upgrade.
    switchTo(shell.home, folder)
    return { from, to, kept, folder, settingsLeft: result }
  } finally {
    await old.stop()
  }
}

async function copyCluster(
  old: EmbeddedPostgres,
  shell: ReturnType<typeof openShell>,
  { now, check }: UpgradeOptions,
): Promise<{ folder: string; result: string[] }> {
  const source = await connect([old.superuserTarget])
  try {
    const settings = await readFileSettings(source)
    let settingsLeft: string[] = []
    await beginSnapshot(source)
    return await buildCluster(shell, {
      now,
      makeFiles: async (unfinished) => {
        await createFiles(unfinished, shell)
        settingsLeft = carrySettings(settings, unfinished, shell)
      },
      complete: async (embedded) => {
        await copyRows(source, embedded.target)
        await check(embedded.target)
        return settingsLeft
      },
    })
  } finally {
    await source.end()
  }
}

async function copyRows(source: pg.Client, into: DatabaseTarget): Promise<void> {
  const target = await connect([into])
  try {
    await copyContents(source, target)
  } finally {
    await target.end()
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}
