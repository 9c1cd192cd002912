import { randomBytes } from 'node:crypto'
import type { SigningKey } from '../crypto/game-token.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import { signingKeyCacheMs } from '../limits.ts'

export type SigningKeyRow = { keyId: string; algorithm: string; createdAt: Date; revokedAt: Date | null }

/** Makes a new key. From now on it signs; the older ones go on to verify the links that they signed. */
export async function rotateSigningKeys(db: Queryable, now: Date): Promise<string> {
  const keyId = randomBytes(6).toString('hex')
  await db.query(insert, [keyId, randomBytes(32), now])
  return keyId
}

/** For a key that has leaked: links that it signed stop working. */
export async function revokeSigningKey(db: Queryable, keyId: string, now: Date): Promise<boolean> {
  return (await db.query(revoke, [keyId, now])).length === 1
}

export async function listSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  return db.query(list, [])
}

/** The keys of all live links, read from the database and believed for `signingKeyCacheMs`. */
export class SigningKeys {
  readonly #db: Database
  #keys: SigningKey[] = []
  #readAt = -Infinity
  #reading: Promise<void> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The newest key. */
  async signing(): Promise<SigningKey> {
    await this.#refresh(signingKeyCacheMs)
    const [newest] = this.#keys
    if (newest === undefined) throw new Error('There is no signing key. `wheelhouse keys rotate` makes one.')
    return newest
  }

  async byId(keyId: string): Promise<SigningKey | undefined> {
    await this.#refresh(signingKeyCacheMs)
    const known = this.#find(keyId)
    if (known !== undefined) return known
    // Another process may have rotated a moment ago. Whoever sends made-up ids can't make us read more than once a second.
    await this.#refresh(1_000)
    return this.#find(keyId)
  }

  #find(keyId: string): SigningKey | undefined {
    return this.#keys.find((key) => key.keyId === keyId)
  }

  async #refresh(ageMaxMs: number): Promise<void> {
    if (performance.now() - this.#readAt < ageMaxMs) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(): Promise<void> {
    const readAt = performance.now()
    this.#keys = await untilDone(() => this.#db.query(readLive, []))
    this.#readAt = readAt
  }
}

const insert = statement(`
insert into signing_keys (key_id, algorithm, secret, created_at)
values ($1, 'HS256', $2, $3)`)

const revoke = statement<{ keyId: string }>(`
update signing_keys
set revoked_at = coalesce(revoked_at, $2)
where key_id = $1
returning key_id as "keyId"`)

const list = statement<SigningKeyRow>(`
select key_id as "keyId", algorithm, created_at as "createdAt", revoked_at as "revokedAt"
from signing_keys
order by created_at desc, key_id`)

const readLive = statement<SigningKey>(`
select key_id as "keyId", secret
from signing_keys
where revoked_at is null
order by created_at desc, key_id`)
