import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../../mistake.ts'
import { decrypt, encrypt, kindOfLock, type Lock, type Unlock, WrongKey } from './age/age-file.ts'
import { type Identity, identityText, makeIdentity, parseIdentities } from './age/keys.ts'
import {
  damaged,
  type FileSum,
  readCompressed,
  readFile,
  writeCompressed,
  writeFile,
} from './durable-files.ts'

/** What the operator has set to open encrypted backups. */
export type BackupKeys = { passphrase: string; identityFile: string }

const keyName = 'key.age'

/**
 * The files of a backup, by name. In an encrypted one, each is encrypted to a key that is made for this backup alone.
 * That key is in the file `key.age`, encrypted to the operator's passphrase or recipients. So the process that takes
 * the backup can check it, the slow work for a passphrase is done once, and files of different backups can't be
 * exchanged.
 */
export class BackupFiles {
  readonly folder: string
  readonly #key: Identity | undefined
  /** Of the file with the key. Undefined: nothing is encrypted. */
  readonly keySum: FileSum | undefined

  private constructor(folder: string, locked?: { key: Identity; keySum: FileSum }) {
    this.folder = folder
    this.#key = locked?.key
    this.keySum = locked?.keySum
  }

  static plain(folder: string): BackupFiles {
    return new BackupFiles(folder)
  }

  /** The files of a new encrypted backup. */
  static async lock(folder: string, lock: Lock, now: Date): Promise<BackupFiles> {
    const key = makeIdentity()
    const keySum = await writeFile(identityText(key, now), join(folder, keyName), (chunks) =>
      encrypt(chunks, lock),
    )
    return new BackupFiles(folder, { key, keySum })
  }

  /** The files of an encrypted backup that was made before. */
  static async unlock(folder: string, keySum: FileSum, keys: BackupKeys): Promise<BackupFiles> {
    const file = join(folder, keyName)
    await readFile(file, keySum)
    const unlock = await unlockOf(file, keys)
    const text = await readFile(file, keySum, (chunks) => decrypt(chunks, unlock)).catch((error: unknown) => {
      if (error instanceof Mistake && error.cause instanceof WrongKey) throw wrongKey(folder, unlock)
      throw error
    })
    const [key] = parseIdentities(text.toString())
    if (key === undefined) throw damaged(file)
    return new BackupFiles(folder, { key, keySum })
  }

  /** The key's own file is as it was written. */
  async checkKey(): Promise<void> {
    if (this.keySum !== undefined) await readFile(join(this.folder, keyName), this.keySum)
  }

  pathOf(name: string): string {
    return join(this.folder, this.#key === undefined ? name : `${name}.age`)
  }

  write(name: string, content: string | Buffer): Promise<FileSum> {
    return writeFile(content, this.pathOf(name), this.#seal())
  }

  writeCompressed(name: string, source: AsyncIterable<Buffer>): Promise<FileSum> {
    return writeCompressed(source, this.pathOf(name), this.#seal())
  }

  async readText(name: string, expected?: FileSum): Promise<string> {
    return (await readFile(this.pathOf(name), expected, this.#open())).toString()
  }

  readCompressed(name: string, expected: FileSum): AsyncGenerator<Buffer> {
    return readCompressed(this.pathOf(name), expected, this.#open())
  }

  #seal() {
    const key = this.#key
    return key && ((chunks: AsyncIterable<Buffer>) => encrypt(chunks, { recipients: [key.recipient] }))
  }

  #open() {
    const key = this.#key
    return key && ((chunks: AsyncIterable<Buffer>) => decrypt(chunks, { identities: [key] }))
  }
}

/** What the file asks for, from the settings. */
async function unlockOf(file: string, { passphrase, identityFile }: BackupKeys): Promise<Unlock> {
  if ((await kindOfLock(file)) === 'passphrase') {
    if (passphrase !== '') return { passphrase }
    throw new Mistake(
      'The backup is encrypted with a passphrase. Put it into a file, and set BACKUP_PASSPHRASE_FILE to that file. ' +
        'Nothing was changed.',
    )
  }
  if (identityFile === '')
    throw new Mistake(
      'The backup is encrypted to a public key. Set BACKUP_IDENTITY_FILE to the file with the private key. ' +
        'Nothing was changed.',
    )
  return { identities: readIdentities(identityFile) }
}

function readIdentities(file: string): Identity[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Mistake(`The file of BACKUP_IDENTITY_FILE can't be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  const identities = parseIdentities(text)
  if (identities.length > 0) return identities
  throw new Mistake(
    `${file} (BACKUP_IDENTITY_FILE) has no private key, AGE-SECRET-KEY-1…, or a misspelt one.`,
  )
}

function wrongKey(folder: string, unlock: Unlock): Mistake {
  return new Mistake(
    'passphrase' in unlock
      ? `The passphrase is wrong: ${folder} was encrypted with another one. Nothing was changed.`
      : `${folder} was encrypted to other public keys than that of BACKUP_IDENTITY_FILE. Nothing was changed.`,
  )
}
