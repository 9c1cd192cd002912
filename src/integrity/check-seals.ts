import type { Queryable } from '../db/database.ts'
import { sealsCheckedAtOnce } from '../limits.ts'
import { digestOf, partsHash, readSealsAfter } from './ledger-seals.ts'
import { chainStart, type Seal, sealHash, type SealKey } from './seal-hash.ts'

/** A copy of a seal kept outside the database. */
export type KeptSeal = Pick<Seal, 'merchantId' | 'sealNo' | 'hash'>

type SealFinding = { merchantId: number; sealNo: number; problem: string }

export type SealCounts = { seals: number; keyed: number; entries: number }

/**
 * Verifies every chain. A seal whose key is unknown is a finding: a forger could give it any id of a key. Without keys
 * (`undefined`), the hashes of keyed seals are not checked; the seals after them must still fit. Copies kept outside
 * the database must be in the chain unchanged.
 */
export async function checkChains(
  tx: Queryable,
  { keys, kept }: { keys: readonly SealKey[] | undefined; kept: readonly KeptSeal[] },
): Promise<{ counts: SealCounts; findings: SealFinding[] }> {
  const findings: SealFinding[] = []
  const counts: SealCounts = { seals: 0, keyed: 0, entries: 0 }
  const wanted = new Map(kept.map((seal) => [placeOf(seal), seal]))
  let before: Seal | undefined
  for (;;) {
    const page: Seal[] = await readSealsAfter(tx, before ?? { merchantId: 0, sealNo: 0 }, sealsCheckedAtOnce)
    for (const seal of page) {
      const last = before?.merchantId === seal.merchantId ? before : undefined
      const key = keys?.find(({ keyId }) => keyId === seal.keyId)
      counts.seals++
      counts.entries += seal.entries
      if (seal.keyId !== null) counts.keyed++
      const keptHash = wanted.get(placeOf(seal))?.hash ?? seal.hash
      wanted.delete(placeOf(seal))
      for (const problem of problemsOf(seal, { last, key, keptHash, needsKey: keys !== undefined }))
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
  {
    last,
    key,
    keptHash,
    needsKey,
  }: { last: Seal | undefined; key: SealKey | undefined; keptHash: string; needsKey: boolean },
): string[] {
  const problems: string[] = []
  if (seal.sealNo !== (last?.sealNo ?? 0) + 1) problems.push('does not follow the previous seal')
  const isCheckable = seal.keyId === null || key !== undefined
  if (isCheckable && sealHash(seal, last?.hash ?? chainStart, key) !== seal.hash)
    problems.push('has a hash that does not match its content')
  if (!isCheckable && needsKey)
    problems.push('has a key that is not in SEAL_KEY, so its hash was not checked')
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
    part.merchant_id,
    part.shard,
    part.player_no,
    seal_no,
    coalesce(lag(part.entry_no) over own, archived.entry_no, 0) as entry_from,
    part.entry_no as entry_to,
    coalesce(lag(part.play_no) over own, archived.play_no, 0) as play_from,
    part.play_no as play_to,
    digest
  from ledger_seal_parts as part
  left join archived_players as archived
    on archived.shard = part.shard
    and archived.player_no = part.player_no
  window own as (partition by part.shard, part.player_no order by seal_no)
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
where parts_sha256 is distinct from parts_found
and not exists (
  select from ledger_archives
  where ledger_archives.merchant_id = ledger_seals.merchant_id
  and ledger_seals.seal_no between first_seal_no and last_seal_no
)`,

  'the archived seals of a merchant follow each other from the first one': `
select merchant_id, archive_no, first_seal_no, last_seal_no
from (
  select
    *,
    lag(archive_no, 1, 0) over own + 1 as archive_due,
    lag(last_seal_no, 1, 0) over own + 1 as seal_due
  from ledger_archives
  window own as (partition by merchant_id order by archive_no)
) as archives
where archive_no <> archive_due
or first_seal_no <> seal_due`,

  'nothing is both in the database and in the past that was archived': `
select shard, player_no, ledger_entries.entry_no
from ledger_entries
join archived_players using (shard, player_no)
where ledger_entries.entry_no <= archived_players.entry_no
union all
select shard, player_no, null
from plays
join archived_players using (shard, player_no)
where plays.play_no <= archived_players.play_no
and not won
union all
select shard, null, null
from archived_keys
join ledger_entries using (key_hash, shard)
union all
select shard, player_no, players.archived_entry_no
from players
full join archived_players using (shard, player_no)
where players.archived_entry_no is distinct from archived_players.entry_no
union all
select shard, player_no, null
from archived_purses
left join archived_players using (shard, player_no)
where archived_players.merchant_id is distinct from archived_purses.merchant_id`,

  'the archives of a merchant have given the spins that its players carry forward': `
select merchant_id, spins, carried
from (
  select merchant_id, sum(spins) as spins, bool_and(removed_at is not null) as are_removed
  from ledger_archives
  group by merchant_id
) as given
full join (
  select merchant_id, sum(balance) as carried
  from (
    select merchant_id, balance
    from archived_players
    union all
    select merchant_id, balance
    from archived_purses
  ) as purses
  group by merchant_id
) as found using (merchant_id)
where coalesce(are_removed, true)
and coalesce(spins, 0) <> coalesce(carried, 0)`,
}
