import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type Database, statement, untilDone } from '../db/database.ts'
import { grantsPerBatchMax, grantsPerTransaction } from '../limits.ts'
import { type Cause, recordChanges } from '../merchants/audit-log.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { Refusal } from '../refusals.ts'
import { type Grant, type GrantVerdict, grantSpins } from './grant-spins.ts'

/** One grant of a batch. Without a key of its own it gets one from the key of the batch and its place. */
export type BatchedGrant = {
  playerId: string
  spinNumber: number
  key?: string | undefined
  reason?: string | undefined
}

export type BatchOrder = { merchant: Merchant; key: string; grants: readonly BatchedGrant[] }

/**
 * Carries out up to `grantsPerBatchMax` grants, in several transactions, with a verdict for each in the order given. The
 * verdicts are kept: the same batch again gets the same, for ever. A batch that was cut off in the middle is finished by
 * its repeat, since every grant has its key.
 */
export async function grantBatch(
  db: Database,
  order: BatchOrder,
  cause: Cause,
): Promise<{ isRepeat: boolean; verdicts: GrantVerdict[] }> {
  assert(order.grants.length > 0 && order.grants.length <= grantsPerBatchMax)
  const sha256 = fingerprint(order.grants)
  const earlier = await untilDone(() => readBatch(db, order, sha256))
  if (earlier !== undefined) return { isRepeat: true, verdicts: earlier }
  const grants = order.grants.map((grant, place) => toGrant(order, grant, place))
  const verdicts: GrantVerdict[] = []
  for (let start = 0; start < grants.length; start += grantsPerTransaction) {
    const some = grants.slice(start, start + grantsPerTransaction)
    verdicts.push(...(await grantSpins(db, some, cause.now)))
  }
  return untilDone(() => keepBatch(db, order, { sha256, verdicts }, cause))
}

/** Tells whether a batch is the same as an earlier one. */
function fingerprint(grants: readonly BatchedGrant[]): Buffer {
  const parts = grants.map(({ playerId, spinNumber, key = null, reason = null }) => [
    playerId,
    spinNumber,
    key,
    reason,
  ])
  return hash('sha256', JSON.stringify(parts), 'buffer')
}

function toGrant({ merchant, key }: BatchOrder, grant: BatchedGrant, place: number): Grant {
  return {
    merchantId: merchant.merchantId,
    playerId: grant.playerId,
    kind: 'grant',
    amount: grant.spinNumber,
    key: grant.key ?? `batch:${hash('sha256', key)}:${place}`,
    reason: grant.reason ?? null,
    mayCreatePlayer: !merchant.strictPlayers,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
  }
}

async function readBatch(
  db: Pick<Database, 'query'>,
  { merchant, key }: BatchOrder,
  sha256: Buffer,
): Promise<GrantVerdict[] | undefined> {
  const [batch] = await db.query(read, [merchant.merchantId, key])
  if (batch !== undefined && !batch.sha256.equals(sha256)) throw new Refusal('idempotency_key_reused')
  return batch?.verdicts
}

/** Of two that carry out the same batch at once, the first to come here decides what both answer. */
async function keepBatch(
  db: Database,
  order: BatchOrder,
  done: { sha256: Buffer; verdicts: GrantVerdict[] },
  cause: Cause,
): Promise<{ isRepeat: boolean; verdicts: GrantVerdict[] }> {
  const { merchantId } = order.merchant
  return db.transaction(async (tx) => {
    const kept = await tx.query(insert, [
      merchantId,
      order.key,
      cause.now,
      done.sha256,
      JSON.stringify(done.verdicts),
    ])
    if (kept.length === 0) {
      const verdicts = await readBatch(tx, order, done.sha256)
      assert(verdicts !== undefined)
      return { isRepeat: true, verdicts }
    }
    const granted = done.verdicts.filter(({ outcome }) => outcome !== 'refused').length
    const subject = { kind: 'grant_batch', id: order.key }
    const after = { grants: done.verdicts.length, granted }
    await recordChanges(tx, [{ merchantId, action: 'grants.batch', subject, after }], cause)
    return { isRepeat: false, verdicts: done.verdicts }
  })
}

const read = statement<{ sha256: Buffer; verdicts: GrantVerdict[] }>(`
select grants_sha256 as sha256, verdicts
from grant_batches
where merchant_id = $1
and key = $2`)

const insert = statement<{ key: string }>(`
insert into grant_batches (merchant_id, key, created_at, grants_sha256, verdicts)
values ($1, $2, $3, $4, $5)
on conflict do nothing
returning key`)
