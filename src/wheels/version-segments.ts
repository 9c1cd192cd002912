import { type Queryable, statement } from '../db/database.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'

/** Stores the segments of a new version as rows, so that lists and counts need not read its document. */
export async function insertSegments(
  tx: Queryable,
  key: { wheelId: number; version: number },
  segments: readonly WheelSegment[],
): Promise<void> {
  await tx.query(insert, [
    key.wheelId,
    key.version,
    segments.map((_, index) => index),
    segments.map((segment) => segment.id),
    segments.map((segment) => segment.prize.kind),
    segments.map((segment) => segment.label),
    segments.map((segment) => segment.weight),
    segments.map((segment) => segment.cost ?? null),
  ])
}

const insert = statement(`
insert into version_segments (wheel_id, version, segment, prize_id, kind, label, weight, cost)
select $1, $2, one.*
from unnest($3::smallint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::double precision[]) as one`)
