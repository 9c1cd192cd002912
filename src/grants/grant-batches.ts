import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type CampaignRef, isMain, mainCampaign } from '../campaign-ref.ts'
import { type Database, statement, untilDone } from '../db/database.ts'
import { grantsByHandPerTransaction, grantsPerBatchMax, grantsPerTransaction } from '../limits.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'
import { grantByHand } from './grant-by-hand.ts'
import type { Grant, GrantVerdict } from './grant.ts'
import { grantSpins } from './grant-spins.ts'
import type { Giver } from '../staff/staff-allowance.ts'
import { expiryRule } from '../players/spin-lots.ts'

/** One grant of a batch. If it has no key, its key is derived from the key of the batch and its index. */
export type BatchedGrant = {
  playerId: string
  spinNumber: number
  key?: string | undefined
  reason?: string | undefined
  campaign: CampaignRef
  /** By default, the lifetime of the campaign's or merchant's spins counts. */
  expiresAt?: Date | undefined
}

type BatchOrder = {
  merchant: Merchant
  key: string
  grants: readonly BatchedGrant[]
  /** The person who gives, and the daily limit; undefined for a program. */
  giver?: Giver | undefined
}

/**
 * Carries out up to `grantsPerBatchMax` grants, in several transactions, with a verdict for each in the order given.
 * The verdicts are stored: a repeat of the batch always gets the same ones. A batch that was interrupted is completed
 * by its repeat, since every grant has a key.
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
  const verdicts = await (order.giver === undefined
    ? inParts(grants, grantsPerTransaction, (some) => grantSpins(db, some, cause.now))
    : inParts(grants, grantsByHandPerTransaction, (some) => grantSome(db, order, some, cause)))
  return untilDone(() => keepBatch(db, order, { sha256, verdicts }, cause))
}

async function inParts(
  grants: readonly Grant[],
  size: number,
  work: (some: readonly Grant[]) => Promise<GrantVerdict[]>,
): Promise<GrantVerdict[]> {
  const verdicts: GrantVerdict[] = []
  for (let start = 0; start < grants.length; start += size)
    verdicts.push(...(await work(grants.slice(start, start + size))))
  return verdicts
}

/** Carries out a person's part of a batch, with its line in the audit log. */
async function grantSome(
  db: Database,
  { merchant, key, giver }: BatchOrder,
  grants: readonly Grant[],
  cause: Cause,
): Promise<GrantVerdict[]> {
  return grantByHand(db, grants, {
    giver,
    cause,
    changesOf: ({ entries }) => {
      if (entries.length === 0) return []
      const spins = entries.reduce((sum, entry) => sum + entry.amount, 0)
      const reasons = [...new Set(entries.map((entry) => entry.reason))].slice(0, reasonsShownMax)
      const { merchantId } = merchant
      const subject = { kind: 'grant_batch', id: key }
      const all = grants.map(({ campaign = mainCampaign }) => campaign)
      const named = all.every(isMain) ? {} : { campaigns: [...new Set(all.map(({ slug }) => slug))] }
      const after = { grants: grants.length, granted: entries.length, spins, reasons, ...named }
      return [{ merchantId, action: 'grants.batch', subject, after }]
    },
  })
}

const reasonsShownMax = 5

/** Identifies the content of a batch, to recognise a repeat. */
function fingerprint(grants: readonly BatchedGrant[]): Buffer {
  // A grant without these two is hashed as before they existed: a batch from that time may be repeated now.
  const parts = grants.map(({ playerId, spinNumber, key = null, reason = null, campaign, expiresAt }) => [
    playerId,
    spinNumber,
    key,
    reason,
    ...(isMain(campaign) ? [] : [campaign.slug]),
    ...(expiresAt === undefined ? [] : [{ expiresAt: expiresAt.toISOString() }]),
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
    campaign: grant.campaign,
    expiry: expiryRule(merchant, grant.campaign, grant.expiresAt),
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
  if (batch !== undefined && !batch.sha256.equals(sha256))
    throw new Refusal('idempotency_key_reused', { detail: otherThanBefore('other grants') })
  return batch?.verdicts
}

/** Of two concurrent requests with the same batch, the first to get here decides the answer of both. */
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
    // The spins that a person gave are already in the audit log, one line for each part.
    if (order.giver !== undefined) return { isRepeat: false, verdicts: done.verdicts }
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
