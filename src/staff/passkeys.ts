import { type Queryable, statement } from '../db/database.ts'

export type Passkey = {
  passkeyId: string
  staffId: number
  credentialId: Buffer
  publicKey: Buffer
  name: string
  signCount: number
  transports: string[]
  aaguid: string
  isSynced: boolean
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

/** False if the credential is already registered. */
export async function insertPasskey(db: Queryable, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const inserted = await db.query(insert, [
    passkey.passkeyId,
    passkey.staffId,
    passkey.credentialId,
    passkey.publicKey,
    passkey.name,
    passkey.signCount,
    passkey.transports,
    passkey.aaguid,
    passkey.isSynced,
    passkey.isBackedUp,
    passkey.createdAt,
  ])
  return inserted.length > 0
}

export async function findPasskey(db: Queryable, credentialId: Buffer): Promise<Passkey | undefined> {
  const [found] = await db.query(find, [credentialId])
  return found
}

export async function listPasskeys(db: Queryable, staffId: number): Promise<Passkey[]> {
  return db.query(list, [staffId])
}

/** Records a use. False if the counter has not grown since the last one, which means that the key was copied. */
export async function notePasskeyUse(
  db: Queryable,
  use: { passkeyId: string; signCount: number; isBackedUp: boolean; now: Date },
): Promise<boolean> {
  const noted = await db.query(note, [use.passkeyId, use.signCount, use.isBackedUp, use.now])
  return noted.length > 0
}

type Key = { staffId: number; passkeyId: string }

export async function renamePasskey(db: Queryable, { staffId, passkeyId, name }: Key & { name: string }) {
  return (await db.query(rename, [staffId, passkeyId, name])).length > 0
}

/** Returns the name of the deleted passkey. */
export async function deletePasskey(db: Queryable, { staffId, passkeyId }: Key): Promise<string | undefined> {
  return (await db.query(remove, [staffId, passkeyId]))[0]?.name
}

export async function deletePasskeys(db: Queryable, staffId: number): Promise<void> {
  await db.query(removeAll, [staffId])
}

const columns = `
  passkey_id as "passkeyId",
  staff_id as "staffId",
  credential_id as "credentialId",
  public_key as "publicKey",
  name,
  sign_count as "signCount",
  transports,
  aaguid,
  is_synced as "isSynced",
  is_backed_up as "isBackedUp",
  created_at as "createdAt",
  last_used_at as "lastUsedAt"`

const insert = statement<{ passkeyId: string }>(`
insert into staff_passkeys (
  passkey_id, staff_id, credential_id, public_key, name, sign_count, transports, aaguid, is_synced, is_backed_up, created_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (credential_id) do nothing
returning passkey_id as "passkeyId"`)

const find = statement<Passkey>(`
select ${columns}
from staff_passkeys
where credential_id = $1`)

const list = statement<Passkey>(`
select ${columns}
from staff_passkeys
where staff_id = $1
order by created_at`)

// Authenticators without a counter always send 0.
const note = statement<{ passkeyId: string }>(`
update staff_passkeys
set sign_count = $2, is_backed_up = $3, last_used_at = $4
where passkey_id = $1
and (sign_count < $2 or (sign_count = 0 and $2 = 0))
returning passkey_id as "passkeyId"`)

const rename = statement<{ passkeyId: string }>(`
update staff_passkeys
set name = $3
where staff_id = $1
and passkey_id = $2
returning passkey_id as "passkeyId"`)

const remove = statement<{ name: string }>(`
delete from staff_passkeys
where staff_id = $1
and passkey_id = $2
returning name`)

const removeAll = statement(`
delete from staff_passkeys
where staff_id = $1`)
