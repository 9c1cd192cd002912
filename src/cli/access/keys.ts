import type { Command } from 'commander'
import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from '../../crypto/signing-keys.ts'
import { Mistake } from '../../mistake.ts'
import { type JsonOption, print, table, withDatabase } from '../output.ts'

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys that sign game links')

  keys
    .command('list')
    .description('list the keys, without their secrets; the newest live one signs')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = await withDatabase((db) => listSigningKeys(db))
      print(rows, options, table(rows, 'There are no keys yet; the first start of the server creates one.'))
    })

  keys
    .command('rotate')
    .description('use a new key from now on; links signed before keep working')
    .option('--seeds', "rotate the key of the server's seeds instead of the one that signs links")
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { seeds?: boolean }) => {
      const purpose = options.seeds === true ? 'seeds' : 'links'
      const keyId = await withDatabase((db) => rotateSigningKeys(db, purpose, new Date()))
      print(
        { keyId, purpose },
        options,
        `Key ${keyId} is used for ${purpose} from now on, in every process within 5 seconds.`,
      )
    })

  keys
    .command('revoke <key>')
    .description('revoke a leaked key; every link that it signed stops working')
    .option('--json', 'print JSON')
    .action(async (keyId: string, options: JsonOption) => {
      await withDatabase(async (db) => {
        const live = (await listSigningKeys(db)).filter((key) => key.revokedAt === null)
        const samePurpose = live.filter(
          (key) => key.purpose === live.find((one) => one.keyId === keyId)?.purpose,
        )
        if (samePurpose.length === 1) {
          const rotate = samePurpose[0]?.purpose === 'seeds' ? 'keys rotate --seeds' : 'keys rotate'
          throw new Mistake(`This is the only live key. Run \`wheelhouse ${rotate}\` first.`)
        }
        if (!(await revokeSigningKey(db, keyId, new Date())))
          throw new Mistake(`There is no key ${keyId}. \`wheelhouse keys list\` shows all keys.`)
      })
      print({ revoked: keyId }, options, `Revoked key ${keyId}; its links stop working within 5 seconds.`)
    })
}
