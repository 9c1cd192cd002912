import { type Queryable, statement } from '../../db/database.ts'

/** A file with the entries and plays of some seals of a merchant. */
export type Archive = {
  merchantId: number
  archiveNo: number
  firstSealNo: number
  lastSealNo: number
  entries: number
  plays: number
  /** The spins that all its entries together gave. */
  spins: number
  bytes: number
  sha256: string
  archivedAt: Date
  /** When the last of its rows was removed from the database; null while some may still be there. */
  removedAt: Date | null
}

/** The next seals of a merchant to archive, with what they cover. */
export type SealRange = Pick<
  Archive,
  'merchantId' | 'archiveNo' | 'firstSealNo' | 'lastSealNo' | 'entries' | 'plays'
>

/** All archives, or those of one merchant, in the order of their seals. */
export async function readArchives(db: Queryable, merchantId?: number): Promise<Archive[]> {
  return db.query(read, [merchantId ?? null])
}

/**
 * The seals made before a time that are not archived yet, for each merchant that has some: as many as fit into one
 * file, and at least one.
 */
export async function readSealsToArchive(
  db: Queryable,
  { before, rowsMax, merchantId }: { before: Date; rowsMax: number; merchantId?: number | undefined },
): Promise<SealRange[]> {
  return db.query(readRanges, [before, rowsMax, merchantId ?? null])
}

export async function insertArchive(db: Queryable, archive: Archive): Promise<void> {
  const { merchantId, archiveNo, firstSealNo, lastSealNo, entries, plays, spins, bytes, sha256, archivedAt } =
    archive
  await db.query(insert, [
    merchantId,
    archiveNo,
    firstSealNo,
    lastSealNo,
    entries,
    plays,
    spins,
    bytes,
    Buffer.from(sha256, 'hex'),
    archivedAt,
  ])
}

export async function noteRemoved(
  db: Queryable,
  { merchantId, archiveNo }: Pick<Archive, 'merchantId' | 'archiveNo'>,
  removedAt: Date | null,
): Promise<void> {
  await db.query(setRemoved, [merchantId, archiveNo, removedAt])
}

/** The caller has the right for this transaction only. */
export async function deleteArchive(
  tx: Queryable,
  { merchantId, archiveNo }: Pick<Archive, 'merchantId' | 'archiveNo'>,
): Promise<void> {
  await tx.query(remove, [merchantId, archiveNo])
}

const read = statement<Archive>(`
select
  merchant_id as "merchantId",
  archive_no as "archiveNo",
  first_seal_no as "firstSealNo",
  last_seal_no as "lastSealNo",
  entries,
  plays,
  spins,
  bytes,
  encode(sha256, 'hex') as sha256,
  archived_at as "archivedAt",
  removed_at as "removedAt"
from ledger_archives
where $1::int is null
or merchant_id = $1
order by merchant_id, archive_no`)

const readRanges = statement<SealRange>(`
with sealed as (
  select
    merchant_id,
    seal_no,
    archived.archive_no,
    entries,
    plays,
    sum(entries + plays) over (partition by merchant_id order by seal_no) as rows_so_far,
    row_number() over (partition by merchant_id order by seal_no) as place
  from ledger_seals
  left join lateral (
    select last_seal_no, archive_no
    from ledger_archives
    where ledger_archives.merchant_id = ledger_seals.merchant_id
    order by archive_no desc
    limit 1
  ) as archived on true
  where seal_no > coalesce(archived.last_seal_no, 0)
  and sealed_at < $1
  and ($3::int is null or merchant_id = $3)
)
select
  merchant_id as "merchantId",
  coalesce(max(archive_no), 0) + 1 as "archiveNo",
  min(seal_no) as "firstSealNo",
  max(seal_no) as "lastSealNo",
  sum(entries)::bigint as entries,
  sum(plays)::bigint as plays
from sealed
where rows_so_far <= $2
or place = 1
group by merchant_id
order by merchant_id`)

const insert = statement(`
insert into ledger_archives (
  merchant_id, archive_no, first_seal_no, last_seal_no, entries, plays, spins, bytes, sha256, archived_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

const setRemoved = statement(`
update ledger_archives
set removed_at = $3
where merchant_id = $1
and archive_no = $2`)

const remove = statement(`
delete from ledger_archives
where merchant_id = $1
and archive_no = $2`)
