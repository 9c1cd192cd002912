import { randomBytes } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import { signingKeyCacheMs } from '../limits.ts'

/** Keys sign game links, derive server seeds, hash the addresses of visitors, or encrypt the keys of their answers. */
export const keyPurposes = ['links', 'seeds', 'addresses', 'answers'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

export type SigningKeyRow = {
  keyId: string
  purpose: KeyPurpose
  algorithm: string
  createdAt: Date
  revokedAt: Date | null
}

/** Short, because every play is stored with the id of its key. */
const seedKeyIdLength = 5

/** Creates a key, which is used from now on. Older keys still verify the links and plays that they made. */
export async function rotateSigningKeys(db: Queryable, purpose: KeyPurpose, now: Date): Promise<string> {
  const keyId = randomBytes(6)
    .toString('hex')
    .slice(0, purpose === 'seeds' ? seedKeyIdLength : undefined)
  await db.query(insert, [keyId, purpose, randomBytes(32), now])
  return keyId
}

/** Revokes a leaked key: links that it signed stop working. */
export async function revokeSigningKey(db: Queryable, keyId: string, now: Date): Promise<boolean> {
  return (await db.query(revoke, [keyId, now])).length === 1
}

export async function listSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  return db.query(list, [])
}

/** The newest key, read in a transaction that depends on it. */
export async function readNewestKey(tx: Queryable, purpose: KeyPurpose): Promise<SigningKey> {
  const newest = (await tx.query(readOfPurpose, [purpose])).find((key) => key.isLive)
  if (newest === undefined)
    throw new Error(`There is no key for ${purpose}. \`wheelhouse keys rotate\` makes one.`)
  return newest
}

/** All keys of a purpose, also revoked ones: what they encrypted is still read. */
export async function listSigningKeysWithSecrets(db: Queryable, purpose: KeyPurpose): Promise<SigningKey[]> {
  return db.query(readOfPurpose, [purpose])
}

/** All keys of a purpose that were not revoked, newest first, read in a transaction that depends on them. */
export async function readLiveKeys(tx: Queryable, purpose: KeyPurpose): Promise<SigningKey[]> {
  return (await tx.query(readOfPurpose, [purpose])).filter((key) => key.isLive)
}

/** The same for several purposes, in one statement. */
export async function readLiveKeysOf<Purpose extends KeyPurpose>(
  tx: Queryable,
  purposes: readonly Purpose[],
): Promise<Record<Purpose, SigningKey[]>> {
  const found = await tx.query(readOfPurposes, [purposes])
  const keysOf = (purpose: Purpose) => found.filter((key) => key.purpose === purpose)
  return Object.fromEntries(purposes.map((purpose) => [purpose, keysOf(purpose)])) as never
}

/** The keys of one purpose, newest first, read from the database and cached for `signingKeyCacheMs`. */
export class SigningKeys {
  readonly #db: Database
  readonly #purpose: KeyPurpose
  #keys: (SigningKey & { isLive: boolean })[] = []
  #live: SigningKey[] = []
  #readAt = -Infinity
  #reading: Promise<void> | undefined

  constructor(db: Database, purpose: KeyPurpose) {
    this.#db = db
    this.#purpose = purpose
  }

  /** The newest key. */
  async newest(): Promise<SigningKey> {
    if (!this.isFresh) await this.#refresh()
    const [newest] = this.#live
    if (newest === undefined)
      throw new Error(`There is no key for ${this.#purpose}. \`wheelhouse keys rotate\` makes one.`)
    return newest
  }

  /** All keys that were not revoked. */
  async live(): Promise<SigningKey[]> {
    if (!this.isFresh) await this.#refresh()
    return this.#live
  }

  /** Whether the keys were read lately, so that `known` can find one. */
  get isFresh(): boolean {
    return !this.#isOlderThan(signingKeyCacheMs)
  }

  /** A live key. */
  async byId(keyId: string): Promise<SigningKey | undefined> {
    const key = await this.everById(keyId)
    return key?.isLive === true ? key : undefined
  }

  /** A live key, if the cache is fresh. */
  known(keyId: string): SigningKey | undefined {
    const key = this.isFresh ? this.#find(keyId) : undefined
    return key?.isLive === true ? key : undefined
  }

  /** A key, even a revoked one: plays whose seeds it derived must stay provable. */
  async everById(keyId: string): Promise<(SigningKey & { isLive: boolean }) | undefined> {
    if (!this.isFresh) await this.#refresh()
    const known = this.#find(keyId)
    if (known !== undefined) return known
    // Another process may have rotated the keys a moment ago. Unknown ids cause at most one read a second.
    if (this.#isOlderThan(1_000)) await this.#refresh()
    return this.#find(keyId)
  }

  #find(keyId: string): (SigningKey & { isLive: boolean }) | undefined {
    return this.#keys.find((key) => key.keyId === keyId)
  }

  async #refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  #isOlderThan(ageMaxMs: number): boolean {
    return performance.now() - this.#readAt >= ageMaxMs
  }

  async #read(): Promise<void> {
    const readAt = performance.now()
    const read = await untilDone(() => this.#db.query(readOfPurpose, [this.#purpose]))
    // An unchanged key stays the same object, because caches are keyed by it.
    this.#keys = read.map((key) => {
      const known = this.#find(key.keyId)
      return known?.isLive === key.isLive && known.secret.equals(key.secret) ? known : key
    })
    this.#live = this.#keys.filter((key) => key.isLive)
    this.#readAt = readAt
  }
}

const insert = statement(`
insert into signing_keys (key_id, purpose, algorithm, secret, created_at)
values ($1, $2, 'HS256', $3, $4)`)

const revoke = statement<{ keyId: string }>(`
update signing_keys
set revoked_at = coalesce(revoked_at, $2)
where key_id = $1
returning key_id as "keyId"`)

const list = statement<SigningKeyRow>(`
select key_id as "keyId", purpose, algorithm, created_at as "createdAt", revoked_at as "revokedAt"
from signing_keys
order by created_at desc, key_id`)

const readOfPurpose = statement<SigningKey & { isLive: boolean }>(`
select key_id as "keyId", secret, revoked_at is null as "isLive"
from signing_keys
where purpose = $1
order by created_at desc, key_id`)

const readOfPurposes = statement<SigningKey & { purpose: KeyPurpose }>(`
select purpose, key_id as "keyId", secret
from signing_keys
where purpose = any($1::text[])
and revoked_at is null
order by created_at desc, key_id`)
