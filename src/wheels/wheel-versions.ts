import { type Queryable, statement } from '../db/database.ts'
import { versionsListedMax } from '../limits.ts'
import type { Wheel, WheelVersion } from '../wheel-document/wheel-types.ts'

/** The version that is played, if there is one. */
export async function versionBefore(
  tx: Queryable,
  wheel: Pick<Wheel, 'wheelId' | 'publishedVersion'>,
): Promise<WheelVersion | undefined> {
  const { wheelId, publishedVersion } = wheel
  return publishedVersion === null ? undefined : readVersion(tx, { wheelId, version: publishedVersion })
}

/** The newest versions, without their documents, which may be large. */
export async function listVersions(
  db: Queryable,
  wheelId: number,
): Promise<Pick<WheelVersion, 'version' | 'sha256' | 'publishedAt'>[]> {
  return db.query(versions, [wheelId, versionsListedMax])
}

export async function readVersion(
  db: Queryable,
  key: { wheelId: number; version: number },
): Promise<WheelVersion | undefined> {
  const [found] = await db.query(version, [key.wheelId, key.version])
  return found
}

export async function readPublishedText(db: Queryable, sha256: string): Promise<string | undefined> {
  const [found] = await db.query(textByHash, [sha256])
  return found?.published
}

export async function insertVersion(tx: Queryable, made: WheelVersion): Promise<void> {
  const { wheelId, version, document, published, sha256, publishedAt } = made
  await tx.query(insert, [wheelId, version, document, published, sha256, publishedAt])
}

const versionColumns = `
  wheel_versions.wheel_id as "wheelId",
  wheel_versions.version,
  wheel_versions.document,
  wheel_versions.published,
  wheel_versions.sha256,
  wheel_versions.published_at as "publishedAt"`

const insert = statement(`
insert into wheel_versions (wheel_id, version, document, published, sha256, published_at)
values ($1, $2, $3, $4, $5, $6)`)

const versions = statement<Pick<WheelVersion, 'version' | 'sha256' | 'publishedAt'>>(`
select version, sha256, published_at as "publishedAt"
from wheel_versions
where wheel_id = $1
order by version desc
limit $2`)

const version = statement<WheelVersion>(`
select ${versionColumns}
from wheel_versions
where wheel_id = $1
and version = $2`)

const textByHash = statement<{ published: string }>(`
select published
from wheel_versions
where sha256 = $1
limit 1`)
