import type { Queryable } from '../db/database.ts'
import { sealsCheckedAtOnce } from '../limits.ts'
import { digestOf, partsHash, readSealsAfter } from './ledger-seals.ts'
import { chainStart, type Seal, sealHash, type SealKey } from './seal-hash.ts'

/** A copy of a seal kept outside the database. */
export type KeptSeal = Pick<Seal, 'merchantId' | 'sealNo' | 'hash'>

type SealFinding = { merchantId: number; sealNo: number; problem: string }

export type SealCounts = { seals: number; keyed: number; unchecked: number; entries: number }

/**
 * Verifies every chain. A seal whose key is not available counts as unchecked; the seals after it must still fit its hash.
 * Copies kept outside the database must be in the chain unchanged.
 */
export async function checkChains(
  tx: Queryable,
  { keys, kept }: { keys: readonly SealKey[]; kept: readonly KeptSeal[] },
): Promise<{ counts: SealCounts; findings: SealFinding[] }> {
  const findings: SealFinding[] = []
  const counts: SealCounts = { seals: 0, keyed: 0, unchecked: 0, entries: 0 }
  const wanted = new Map(kept.map((seal) => [placeOf(seal), seal]))
  let before: Seal | undefined
  for (;;) {
    const page: Seal[] = await readSealsAfter(tx, before ?? { merchantId: 0, sealNo: 0 }, sealsCheckedAtOnce)
    for (const seal of page) {
      const last = before?.merchantId === seal.merchantId ? before : undefined
      const key = keys.find(({ keyId }) => keyId === seal.keyId)
      counts.seals++
      counts.entries += seal.entries
      if (seal.keyId !== null) counts.keyed++
      if (seal.keyId !== null && key === undefined) counts.unchecked++
      const keptHash = wanted.get(placeOf(seal))?.hash ?? seal.hash
      wanted.delete(placeOf(seal))
      for (const problem of problemsOf(seal, { last, key, keptHash }))
        findings.push({ merchantId: seal.merchantId, sealNo: seal.sealNo, problem })
      before = seal
    }
    if (page.length < sealsCheckedAtOnce) break
  }
  for (const { merchantId, sealNo } of wanted.values())
    findings.push({ merchantId, sealNo, problem: 'was kept outside, but no longer exists' })
  return { counts, findings }
}

function placeOf({ merchantId, sealNo }: KeptSeal): string {
  return `${merchantId}/${sealNo}`
}

function problemsOf(
  seal: Seal,
  { last, key, keptHash }: { last: Seal | undefined; key: SealKey | undefined; keptHash: string },
): string[] {
  const problems: string[] = []
  if (seal.sealNo !== (last?.sealNo ?? 0) + 1) problems.push('does not follow the previous seal')
  const isCheckable = seal.keyId === null || key !== undefined
  if (isCheckable && sealHash(seal, last?.hash ?? chainStart, key) !== seal.hash)
    problems.push('has a hash that does not match its content')
  // Without this rule, a forger without the key could continue the chain without one.
  if (seal.keyId === null && (last?.keyId ?? null) !== null)
    problems.push('has no key, although the previous seal has one')
  if (seal.hash !== keptHash) problems.push('differs from the copy that was kept outside')
  return problems
}

/** The digest, recomputed from the rows. */
export const sealChecks = {
  'entries and plays have not changed since they were sealed': `
select part.merchant_id, part.shard, part.player_no, seal_no, entry_from, entry_to, play_from, play_to
from (
  select
    merchant_id,
    shard,
    player_no,
    seal_no,
    lag(entry_no, 1, 0) over own as entry_from,
    entry_no as entry_to,
    lag(play_no, 1, 0) over own as play_from,
    play_no as play_to,
    digest
  from ledger_seal_parts
  window own as (partition by shard, player_no order by seal_no)
) as part
cross join lateral (${digestOf('part')}
) as found
where found.digest <> part.digest`,

  'every seal has all its parts': `
select merchant_id, seal_no
from ledger_seals
full join (
  select merchant_id, seal_no, ${partsHash} as parts_found
  from (
    select merchant_id, seal_no, shard, player_no, entry_no as entry_to, play_no as play_to, digest
    from ledger_seal_parts
  ) as parts
  group by merchant_id, seal_no
) as found using (merchant_id, seal_no)
where parts_sha256 is distinct from parts_found`,
}
