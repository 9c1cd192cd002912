import type { Command } from 'commander'
import type { Logger } from 'pino'
import { type Config, loadConfig } from '../../config.ts'
import {
  clusterFolder,
  majorVersionOf,
  previousFolder,
  removeKept,
  removeLeftovers,
  switchTo,
} from '../../db/embedded/cluster-folders.ts'
import { existingHome } from '../../db/embedded/home.ts'
import { findPostmaster } from '../../db/embedded/postmaster.ts'
import { type Upgrade, upgradeCluster } from '../../db/embedded/upgrade-cluster.ts'
import { Mistake } from '../../mistake.ts'
import { checkDatabase, describeFindings } from './check-database.ts'
import { type JsonOption, print } from '../output.ts'

export function addUpgradeCommands(program: Command): void {
  const upgrade = program
    .command('upgrade')
    .description(
      "upgrade the embedded PostgreSQL's data to this version (the server also does this when it starts)",
    )
    .option('--force', 'upgrade although the audit of the result finds something')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { force?: boolean }) => {
      const config = loadConfig()
      refuseOwnDatabase(config)
      const done = await upgradeEmbedded(config, {
        isForced: options.force === true,
        onTrouble: () => undefined,
        onStart: () => undefined,
      })
      print(done ?? {}, options, done === undefined ? 'The data needs no upgrade.' : describe(done))
    })

  upgrade
    .command('confirm')
    .description('delete the data that the last upgrade or restore has kept')
    .action(() => {
      const options = upgrade.opts<JsonOption>()
      const deleted = removeKept(homeOf(loadConfig()))
      print(
        { deleted },
        options,
        deleted.length === 0 ? 'Nothing was kept.' : `Deleted ${deleted.join(', ')}.`,
      )
    })

  upgrade
    .command('undo')
    .description(
      'go back to the data from before the last upgrade or restore; what was written since is not in it',
    )
    .action(() => {
      const undone = undo(loadConfig())
      print(
        undone,
        upgrade.opts<JsonOption>(),
        `The next start uses ${undone.folder} (PostgreSQL ${undone.postgresql}).`,
      )
    })
}

/** Removes what interrupted runs have left, and upgrades the data if it is of an earlier PostgreSQL. */
export async function prepareEmbedded(config: Config, log: Logger): Promise<void> {
  const home = config.databaseTargets === undefined ? existingHome(config.dataDir) : undefined
  if (home === undefined) return
  const onTrouble = (message: string, error: unknown) => log.error({ error }, message)
  for (const folder of await removeLeftovers(home))
    log.warn({ folder }, 'removed what an interrupted restore or upgrade had left')
  const onStart = (from: number, to: number) => log.info({ from, to }, 'upgrading the embedded PostgreSQL')
  const done = await upgradeEmbedded(config, { isForced: false, onTrouble, onStart })
  if (done !== undefined) log.warn(done, describe(done))
}

async function upgradeEmbedded(
  config: Config,
  options: {
    isForced: boolean
    onTrouble: (message: string, error: unknown) => void
    onStart: (from: number, to: number) => void
  },
): Promise<Upgrade | undefined> {
  return upgradeCluster({
    ...options,
    dataDir: config.dataDir,
    now: new Date(),
    check: async (target) => {
      const { findings } = await checkDatabase(config, [target])
      if (findings.length === 0 || options.isForced) return
      throw new Mistake(
        `The audit of the upgraded data fails, so the old data stays in use, unchanged:\n` +
          `${describeFindings(findings)}\nTo upgrade all the same: wheelhouse upgrade --force`,
      )
    },
  })
}

function describe({ from, to, kept, settingsLeft }: Upgrade): string {
  const left =
    settingsLeft.length === 0
      ? ''
      : ` PostgreSQL ${to} has no settings ${settingsLeft.join(', ')}: they were left out.`
  return (
    `Upgraded the data from PostgreSQL ${from} to ${to}; all rows were copied, and the audit was run.${left} ` +
    `The old data is kept in ${kept}. \`wheelhouse upgrade confirm\` deletes it; to go back, stop the server, run ` +
    '`wheelhouse upgrade undo`, and start the earlier Wheelhouse.'
  )
}

function undo(config: Config): { folder: string; postgresql: number } {
  const home = homeOf(config)
  const current = clusterFolder(home)
  const folder = previousFolder(home)
  if (folder === undefined) throw new Mistake(`${home} has no data from before an upgrade or restore.`)
  const postmaster = findPostmaster(current)
  if (postmaster !== undefined)
    throw new Mistake(`PostgreSQL runs on ${current} (process ${postmaster.pid}). Stop its server first.`)
  switchTo(home, folder)
  return { folder, postgresql: majorVersionOf(folder) }
}

function homeOf(config: Config): string {
  refuseOwnDatabase(config)
  const home = existingHome(config.dataDir)
  if (home === undefined) throw new Mistake(`${config.dataDir} has no data.`)
  return home
}

function refuseOwnDatabase(config: Config): void {
  if (config.databaseTargets !== undefined)
    throw new Mistake('DATABASE_URL is set: this command is for the embedded PostgreSQL only.')
}
