import { createHash, type Hash } from 'node:crypto'
import { type Queryable, statement } from '../../db/database.ts'
import { archivePartsCheckedMax, archiveRowsCheckedMax } from '../../limits.ts'
import { Mistake } from '../../mistake.ts'
import { digestOf, readSealsBetween } from '../ledger-seals.ts'
import type { Seal } from '../seal-hash.ts'
import { type ArchivedPart, readArchiveFile } from './archive-file.ts'
import type { Archive } from './archives.ts'
import { archivedEntries, archivedMarks, archivedPlays, partsGiven } from './part-sql.ts'

/** What the checked parts of a file together hold. */
type Totals = { entries: number; plays: number; spins: number }

/**
 * Reads a file as a whole and compares it with the seals, which are in the database: every row is as it was sealed, and
 * no part is missing. Then it compares with what the database has kept of these rows.
 */
export async function checkArchive(
  tx: Queryable,
  folder: string | undefined,
  archive: Archive,
): Promise<string[]> {
  if (folder === undefined) return ['can only be checked with the folder of the archives']
  const seals = new SealParts(await readSealsBetween(tx, archive))
  const totals: Totals = { entries: 0, plays: 0, spins: 0 }
  const problems = new Set<string>()
  try {
    for await (const parts of inBatches(readArchiveFile(folder, archive))) {
      for (const part of parts) {
        seals.add(part)
        count(totals, part)
      }
      const found = await tx.query(checkParts, [JSON.stringify(parts), archive.removedAt !== null])
      for (const { problem } of found) problems.add(problem)
    }
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    return [`can't be used. ${error.message.replace(/\.$/, '')}`]
  }
  for (const problem of [...seals.problems(), ...differences(totals, archive)]) problems.add(problem)
  return [...problems]
}

function count(totals: Totals, { entries, plays }: ArchivedPart): void {
  totals.entries += entries.length
  totals.plays += plays.length
  for (const { amount } of entries) totals.spins += amount
}

function differences(totals: Totals, archive: Totals): string[] {
  const names = ['entries', 'plays', 'spins'] as const
  return names
    .filter((name) => totals[name] !== archive[name])
    .map((name) => `has ${totals[name]} ${name} instead of ${archive[name]}`)
}

/** Parts in groups of a limited size, so that a file of any size can be checked. */
export async function* inBatches(
  parts: AsyncIterable<ArchivedPart>,
  partsMax = archivePartsCheckedMax,
): AsyncGenerator<ArchivedPart[]> {
  let batch: ArchivedPart[] = []
  let rows = 0
  for await (const part of parts) {
    batch.push(part)
    rows += part.entries.length + part.plays.length
    if (batch.length < partsMax && rows < archiveRowsCheckedMax) continue
    yield batch
    batch = []
    rows = 0
  }
  if (batch.length > 0) yield batch
}

/** Recomputes the hash over the parts of each seal; see `partsHash`. */
class SealParts {
  readonly #seals: readonly Seal[]
  readonly #hashes = new Map<number, Hash>()

  constructor(seals: readonly Seal[]) {
    this.#seals = seals
  }

  add(part: ArchivedPart): void {
    const own = this.#hashes.get(part.seal_no) ?? createHash('sha256')
    this.#hashes.set(part.seal_no, own.update(partBytes(part)))
  }

  problems(): string[] {
    const wrong = this.#seals.filter(
      ({ sealNo, partsSha256 }) => this.#hashes.get(sealNo)?.copy().digest('hex') !== partsSha256,
    )
    const known = new Set(this.#seals.map(({ sealNo }) => sealNo))
    const foreign = [...this.#hashes.keys()].filter((sealNo) => !known.has(sealNo))
    return [
      ...wrong.map(({ sealNo }) => `does not have the parts of seal ${sealNo}`),
      ...foreign.map((sealNo) => `has parts of seal ${sealNo}, which it should not`),
    ]
  }
}

/** As PostgreSQL's `record_send(row(shard, player_no, entry_to, play_to, digest))`. */
function partBytes({ shard, player_no, entry_to, play_to, digest }: ArchivedPart): Buffer {
  const int = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const long = Buffer.alloc(8)
  long.writeBigInt64BE(BigInt(player_no))
  const fields: [typeOid: number, bytes: Buffer][] = [
    [23, int(shard)],
    [20, long],
    [23, int(entry_to)],
    [23, int(play_to)],
    [17, Buffer.from(digest.slice('\\x'.length), 'hex')],
  ]
  return Buffer.concat([
    int(fields.length),
    ...fields.flatMap(([typeOid, bytes]) => [int(typeOid), int(bytes.length), bytes]),
  ])
}

// $2: whether the rows were removed from the database. Subqueries, so that the planner can't scan whole tables for a
// few rows.
const checkParts = statement<{ problem: string }>(`
with part as materialized (
  select *
  from ${partsGiven}
)
select 'has rows that differ from seal ' || seal_no as problem
from part
cross join lateral (${digestOf('part', { entries: archivedEntries, plays: archivedPlays })}
) as found
where found.digest <> part.digest
or found.entries <> entry_to - entry_from
or found.plays <> play_to - play_from
union all
select 'has prizes that differ from those in the database, in seal ' || seal_no
from part
where (
  select array_agg((plays.*)::text order by play_no)
  from ${archivedPlays}
  where won
) is distinct from (
  select array_agg((plays.*)::text order by play_no)
  from plays
  where plays.shard = part.shard
  and plays.player_no = part.player_no
  and plays.play_no > play_from
  and plays.play_no <= play_to
  and won
)
union all
select 'has marks of forced plays that differ from those in the database, in seal ' || seal_no
from part
where (
  select array_agg(mark.play_no order by mark.play_no)
  from ${archivedMarks}
  where forced
  and won
) is distinct from (
  select array_agg(plays.play_no order by plays.play_no)
  from forced_plays
  join plays using (shard, player_no, play_no)
  where forced_plays.shard = part.shard
  and forced_plays.player_no = part.player_no
  and forced_plays.play_no > play_from
  and forced_plays.play_no <= play_to
  and won
)
union all
select 'has keys that are not known any more, in seal ' || seal_no
from part
cross join lateral ${archivedEntries}
where $2
and ledger_entries.key_hash is not null
and (
  select true
  from archived_keys
  where archived_keys.key_hash = ledger_entries.key_hash
  and archived_keys.shard = part.shard
  and archived_keys.amount = ledger_entries.amount
  and archived_keys.balance_after = ledger_entries.balance_after
  and archived_keys.expires_at is not distinct from ledger_entries.expires_at
  and archived_keys.campaign_id is not distinct from ledger_entries.campaign_id
) is null
and (
  select erased_at
  from players
  where players.player_no = part.player_no
  and players.shard + 0 = part.shard
) is null`)
