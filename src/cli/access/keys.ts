import { type Command, Option } from 'commander'
import {
  type KeyPurpose,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKeys,
} from '../../crypto/signing-keys.ts'
import { rewrapAnswers, rotateAnswersKey } from '../../entries/rewrap-answers.ts'
import { Mistake } from '../../mistake.ts'
import { type JsonOption, print, table, withDatabase } from '../output.ts'

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys of game links and server seeds, and of the addresses and answers of visitors')

  keys
    .command('list')
    .description('list the keys, without their secrets; the newest live one of each purpose is used')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = await withDatabase((db) => listSigningKeys(db))
      print(rows, options, table(rows, 'There are no keys yet; the first start of the server creates one.'))
    })

  keys
    .command('rotate')
    .description('use a new key from now on; links signed before keep working')
    .addOption(
      purposeOption('seeds', "rotate the key of the server's seeds instead of the one that signs links"),
    )
    .addOption(
      purposeOption('addresses', 'rotate the key by which the addresses of visitors are found again'),
    )
    .addOption(
      purposeOption('answers', 'rotate the key of the answers of visitors, and encrypt their keys again'),
    )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & Partial<Record<KeyPurpose, true>>) => {
      const purpose = (['seeds', 'addresses', 'answers'] as const).find((one) => options[one]) ?? 'links'
      const rotated = await withDatabase(async (db) =>
        purpose === 'answers'
          ? rotateAnswersKey(db, new Date())
          : { keyId: await rotateSigningKeys(db, purpose, new Date()) },
      )
      print({ ...rotated, purpose }, options, rotatedText({ ...rotated, purpose }))
    })

  keys
    .command('revoke <key>')
    .description('revoke a leaked key; every link that it signed stops working')
    .option('--json', 'print JSON')
    .action(async (keyId: string, options: JsonOption) => {
      const purpose = await withDatabase(async (db) => {
        const live = (await listSigningKeys(db)).filter((key) => key.revokedAt === null)
        const own = live.find((one) => one.keyId === keyId)?.purpose
        if (own !== undefined && live.filter((key) => key.purpose === own).length === 1)
          throw new Mistake(`This is the only live key. Run \`wheelhouse ${rotateCommand(own)}\` first.`)
        if (!(await revokeSigningKey(db, keyId, new Date())))
          throw new Mistake(`There is no key ${keyId}. \`wheelhouse keys list\` shows all keys.`)
        // Also those of entries that were on their way during the rotation.
        if (own === 'answers') await rewrapAnswers(db)
        return own
      })
      print({ revoked: keyId }, options, `Revoked key ${keyId}; ${effects[purpose ?? 'links']}.`)
    })
}

function purposeOption(purpose: KeyPurpose, about: string): Option {
  const others = ['seeds', 'addresses', 'answers'].filter((one) => one !== purpose)
  return new Option(`--${purpose}`, about).conflicts(others)
}

type Rotated = { keyId: string; purpose: KeyPurpose; rewrapped?: number }

function rotatedText({ keyId, purpose, rewrapped }: Rotated): string {
  if (purpose === 'answers')
    return `Key ${keyId} is used for answers from now on. The keys of ${rewrapped} entries were encrypted with it.`
  if (purpose === 'addresses')
    return `Key ${keyId} is used for addresses from now on. Older keys still find the addresses that they hashed.`
  return `Key ${keyId} is used for ${purpose} from now on, in every process within 5 seconds.`
}

function rotateCommand(purpose: KeyPurpose): string {
  return purpose === 'links' ? 'keys rotate' : `keys rotate --${purpose}`
}

/** What the revocation of a key leads to. */
const effects: Record<KeyPurpose, string> = {
  links: 'its links stop working within 5 seconds',
  seeds: 'plays whose seeds it derived can still be proven',
  addresses: 'visitors whose addresses only it could find count as unknown',
  answers: 'codes that were mailed before the rotation no longer work',
}
