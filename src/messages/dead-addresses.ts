import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { Refusal } from '../refusals.ts'
import { findRecipient, hashesOf } from './recipients.ts'
import { deleteSuppression, listSuppressions, type Suppression } from './suppressions.ts'

/** An address that a merchant does not mail any more. Who reads it must be allowed to read personal data. */
export type DeadAddress = {
  id: string
  /** Null if the player has another one now, or was erased: only a hash of it is stored. */
  address: string | null
  playerId: string | null
  reason: string
  deadAt: Date
}

/** Newest first, and the last that was looked at. An address that a code has proved since is mailed again. */
export async function listDeadAddresses(
  db: Database,
  merchant: Merchant,
  page: { before: Date; beforeId: string; limit: number },
): Promise<{ items: DeadAddress[]; next: Suppression | undefined }> {
  const found = await listSuppressions(db, merchant.merchantId, page)
  const playerIds = await readPlayerIds(db, found)
  const items: DeadAddress[] = []
  for (const one of found) {
    const known = await findAddress(db, merchant, one)
    if (known?.provedAt && known.provedAt >= one.createdAt) continue
    const { id, reason, createdAt: deadAt, shard, playerNo } = one
    const playerId = playerIds.get(`${shard} ${playerNo}`) ?? null
    items.push({ id, reason, deadAt, playerId, address: known?.address ?? null })
  }
  return { items, next: found.length === page.limit ? found.at(-1) : undefined }
}

/** The merchant mails the address again: what was dropped meanwhile is not sent. */
export async function liftDeadAddress(
  db: Database,
  { merchantId, id }: { merchantId: number; id: string },
  cause: Cause,
): Promise<void> {
  await untilDone(() =>
    db.transaction(async (tx) => {
      const lifted = await deleteSuppression(tx, merchantId, id)
      if (lifted === undefined) throw new Refusal('dead_address_not_found')
      const { shard, playerNo } = lifted
      const isKnown = shard !== null && playerNo !== null
      const subject = isKnown
        ? { kind: 'player' as const, shard, playerNo }
        : { kind: 'merchant' as const, id: '' }
      await recordChanges(tx, [{ merchantId, action: 'address.lift', subject }], cause)
    }),
  )
}

/** The address behind a suppression, if its player still has it. */
async function findAddress(db: Database, merchant: Merchant, { shard, playerNo, hashes }: Suppression) {
  if (shard === null || playerNo === null) return undefined
  const recipient = await findRecipient(db, { shard, playerNo, merchantId: merchant.merchantId })
  if (recipient === undefined) return undefined
  const own = await hashesOf(db, merchant, recipient.address)
  return own.some(({ hash }) => hashes.includes(hash.toString('hex'))) ? recipient : undefined
}

async function readPlayerIds(db: Queryable, found: readonly Suppression[]): Promise<Map<string, string>> {
  const known = found.filter(({ shard, playerNo }) => shard !== null && playerNo !== null)
  const rows = await db.query(readIds, [
    known.map(({ shard }) => shard),
    known.map(({ playerNo }) => playerNo),
  ])
  return new Map(rows.map(({ shard, playerNo, playerId }) => [`${shard} ${playerNo}`, playerId]))
}

const readIds = statement<{ shard: number; playerNo: number; playerId: string }>(
  `
select players.shard, players.player_no as "playerNo", player_id as "playerId"
from unnest($1::int[], $2::bigint[]) as wanted (shard, player_no)
join players
  on players.shard = wanted.shard
  and players.player_no = wanted.player_no`,
  [1, 2],
)
