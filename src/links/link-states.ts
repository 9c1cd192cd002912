import { type Database, type Queryable, statement } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import type { RefusalCode } from '../refusals.ts'

type LinkKey = { merchantId: number; linkId: string }

/** Everything that can invalidate a game link, apart from its own expiry. */
export type LinkState = { isRevoked: boolean; isSuspended: boolean; linksValidFrom: Date | null }

/** The states of links, in the order given; undefined for an unknown merchant. */
export async function readLinkStates(
  db: Queryable,
  links: readonly LinkKey[],
): Promise<(LinkState | undefined)[]> {
  const found = await db.query(read, [links.map((link) => link.merchantId), links.map((link) => link.linkId)])
  const byPlace = new Map(found.map((state) => [state.place, state]))
  return links.map((_, index) => byPlace.get(index + 1))
}

/** The refusal for the link's holder, or undefined. */
export function refusalOfLink(
  issuedAt: Date,
  link: LinkState | undefined,
  player: { linksValidFrom: Date | null; isBlocked: boolean } | undefined,
): RefusalCode | undefined {
  if (link === undefined) return 'game_token_invalid'
  // A link is made after its player. So a player that is missing was erased, and its links with it.
  if (player === undefined) return 'game_token_revoked'
  const isBefore = (from: Date | null) => from !== null && issuedAt < from
  if (link.isRevoked || isBefore(link.linksValidFrom) || isBefore(player.linksValidFrom)) {
    return 'game_token_revoked'
  }
  if (link.isSuspended) return 'merchant_suspended'
  return player.isBlocked ? 'player_blocked' : undefined
}

/** Revokes a link at once. Revoking it again changes and records nothing. */
export async function revokeLink(db: Database, { linkId, merchantId }: LinkKey, cause: Cause): Promise<void> {
  await db.transaction(async (tx) => {
    const revoked = await insertRevokedLinks(tx, { merchantId, linkIds: [linkId], now: cause.now })
    const subject = { kind: 'link', id: linkId }
    if (revoked.length > 0) await recordChanges(tx, [{ merchantId, action: 'link.revoke', subject }], cause)
  })
}

/** Returns those that were not revoked before. */
export async function insertRevokedLinks(
  tx: Queryable,
  { merchantId, linkIds, now }: { merchantId: number; linkIds: readonly string[]; now: Date },
): Promise<{ linkId: string }[]> {
  return tx.query(insertRevoked, [linkIds, merchantId, now])
}

/** A merchant's revoked links before the id `before`. An id begins with the time at which its link was created. */
export async function listRevokedLinks(
  db: Queryable,
  merchantId: number,
  page: { before: string; limit: number },
): Promise<{ linkId: string; revokedAt: Date }[]> {
  return db.query(listRevoked, [merchantId, page.before, page.limit])
}

const read = statement<LinkState & { place: number }>(`
select
  wanted.place,
  replaced_at is null and suspended_at is not null as "isSuspended",
  links_valid_from as "linksValidFrom",
  replaced_at is not null or exists (
    select from revoked_links
    where revoked_links.merchant_id = wanted.merchant_id
    and revoked_links.link_id = wanted.link_id
  ) as "isRevoked"
from unnest($1::int[], $2::text[]) with ordinality as wanted (merchant_id, link_id, place)
join merchants using (merchant_id)`)

const insertRevoked = statement<{ linkId: string }>(`
insert into revoked_links (link_id, merchant_id, revoked_at)
select link_id, $2::int, $3::timestamptz
from unnest($1::text[]) as given (link_id)
order by link_id
on conflict (merchant_id, link_id) do nothing
returning link_id as "linkId"`)

const listRevoked = statement<{ linkId: string; revokedAt: Date }>(`
select link_id as "linkId", revoked_at as "revokedAt"
from revoked_links
where merchant_id = $1
and link_id < $2
order by link_id desc
limit $3`)
