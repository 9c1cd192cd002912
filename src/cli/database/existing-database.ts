import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { existingHome } from '../../db/embedded/home.ts'
import { type OpenDatabase, openDatabase } from '../../db/open-database.ts'
import { makeLog } from '../../log.ts'
import { Mistake } from '../../mistake.ts'

/**
 * The database, for a command. The embedded one is shared with a running server, or started for the command. A command
 * in the wrong folder must not begin a second one.
 */
export async function openExistingDatabase(config: Config): Promise<OpenDatabase> {
  if (config.databaseTargets === undefined && existingHome(config.dataDir) === undefined)
    throw new Mistake(
      `There is no database in ${resolve(config.dataDir)}. Start the server there first, or set DATA_DIR to the folder that it uses.`,
    )
  return openDatabase(config, { log: makeLog('silent'), sharingAllowed: true })
}
