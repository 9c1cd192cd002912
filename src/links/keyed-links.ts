import { hash } from 'node:crypto'
import { allInOrder, type Queryable, statement } from '../db/database.ts'
import { linkKeysDeletedMax } from '../limits.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'

/** What identifies a link in its token. */
export type LinkIdentity = { linkId: string; issuedAt: Date; expiresAt: Date }

/** A request for a link with an idempotency key. Fields that are undefined were not sent. */
export type KeyedRequest = {
  merchantId: number
  shard: number
  playerId: string
  key: string
  campaign: string
  initialSpins: number | undefined
  language: string | undefined
  expiresIn: number | undefined
  timeZone: string | undefined
}

/**
 * The link that was made under this key, or undefined if there is none. It lets a repeat be answered even if the
 * campaign has closed since. Another request under the key is refused.
 */
export async function findKeyedLink(db: Queryable, request: KeyedRequest): Promise<LinkIdentity | undefined> {
  const { keyHash, sha256 } = hashesOf(request)
  const [found] = await db.query(find, [keyHash, request.shard])
  if (found === undefined) return undefined
  if (!found.sha256.equals(sha256))
    throw new Refusal('idempotency_key_reused', { detail: otherThanBefore('other fields') })
  return found
}

/** Records a link under its key, and removes some rows of expired links. The player is locked. */
export async function insertKeyedLink(
  tx: Queryable,
  request: KeyedRequest,
  link: LinkIdentity,
): Promise<void> {
  const { keyHash, sha256 } = hashesOf(request)
  const { linkId, issuedAt, expiresAt } = link
  const { merchantId, shard } = request
  await allInOrder([
    tx.query(insert, [keyHash, shard, merchantId, linkId, issuedAt, expiresAt, sha256]),
    // In the real time: the clock of a test merchant must not end the keys of others.
    tx.query(deleteExpired, [new Date(Math.min(issuedAt.getTime(), Date.now())), linkKeysDeletedMax, shard]),
  ])
}

function hashesOf(request: KeyedRequest): { keyHash: Buffer; sha256: Buffer } {
  const { merchantId, playerId, key, campaign, initialSpins, language, expiresIn, timeZone } = request
  const asked = [campaign, initialSpins ?? null, language ?? null, expiresIn ?? null]
  // Without a time zone, the hash is the same as before time zones existed here.
  const content = JSON.stringify(timeZone === undefined ? asked : [...asked, timeZone])
  return {
    keyHash: hash('sha256', `link\n${merchantId}\n${key}\n${playerId}`, 'buffer').subarray(0, 16),
    sha256: hash('sha256', content, 'buffer'),
  }
}

const find = statement<LinkIdentity & { sha256: Buffer }>(`
select link_id as "linkId", created_at as "issuedAt", expires_at as "expiresAt", request_sha256 as sha256
from link_keys
where key_hash = $1
and shard = $2`)

const insert = statement(`
insert into link_keys (key_hash, shard, merchant_id, link_id, created_at, expires_at, request_sha256)
values ($1, $2, $3, $4, $5, $6, $7)`)

// On a cluster, those of one shard, which $3 names; the condition on it only gives it a type.
const deleteExpired = statement(
  `
delete from link_keys
where (key_hash, shard) in (
  select key_hash, shard
  from link_keys
  where expires_at < $1
  and $3::int is not null
  order by expires_at
  limit $2
  for update skip locked
)`,
  [3, 3],
)
