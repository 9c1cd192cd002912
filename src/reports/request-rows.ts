import { type Database, statement } from '../db/database.ts'
import { recentRequestDays, recentRequestsMax, recentRequestsPerStatement } from './request-limits.ts'

/** A merchant's API request and its answer. It contains no body and no query, and only the route of the path. */
export type RecentRequest = {
  requestId: string
  at: number
  method: string
  path: string
  status: number
  ms: number
  tokenId: string
  tokenName: string
  /** The detail of a refusal. */
  problem?: { code: string; detail: string } | undefined
  /** Given when it is noted. */
  order?: number
}

/** In the order given, which is that of their numbers. */
export async function insertRequests(
  db: Database,
  requests: readonly { merchantId: number; request: RecentRequest }[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < requests.length; start += recentRequestsPerStatement) {
    const some = requests.slice(start, start + recentRequestsPerStatement)
    await db.query(insert, [
      some.map(({ merchantId }) => merchantId),
      some.map(({ request }) => request.status >= 400),
      some.map(({ request }) => JSON.stringify(request)),
      now,
    ])
  }
}

export async function readRequests(
  db: Database,
  merchantId: number,
  only: 'all' | 'refused',
): Promise<RecentRequest[]> {
  const kinds = only === 'refused' ? [true] : [true, false]
  const rows = await db.query(read, [merchantId, kinds, recentRequestsMax])
  return rows.map(({ request }) => JSON.parse(request) as RecentRequest)
}

/** Keeps the newest of each kind, and none for longer than some days. */
export async function pruneRequests(db: Database, merchantIds: readonly number[], now: Date): Promise<void> {
  await db.query(removeSurplus, [merchantIds, recentRequestsMax])
  const before = new Date(now.getTime() - recentRequestDays * 86_400_000)
  await db.query(removeOld, [before, recentRequestsPerStatement])
}

const insert = statement(`
insert into recent_requests (merchant_id, is_refused, request, noted_at)
select requests.merchant_id, requests.is_refused, requests.request, $4
from unnest($1::int[], $2::boolean[], $3::text[])
  with ordinality as requests (merchant_id, is_refused, request, place)
order by requests.place`)

const read = statement<{ request: string }>(`
select newest.request
from unnest($2::boolean[]) as kinds (is_refused)
cross join lateral (
  select request
  from recent_requests
  where merchant_id = $1
  and is_refused = kinds.is_refused
  order by request_no desc
  limit $3
) as newest`)

const removeSurplus = statement(`
delete from recent_requests
where (merchant_id, is_refused, request_no) in (
  select merchants.merchant_id, kinds.is_refused, surplus.request_no
  from unnest($1::int[]) as merchants (merchant_id)
  cross join (values (false), (true)) as kinds (is_refused)
  cross join lateral (
    select request_no
    from recent_requests
    where recent_requests.merchant_id = merchants.merchant_id
    and recent_requests.is_refused = kinds.is_refused
    order by request_no desc
    offset $2
  ) as surplus
)`)

const removeOld = statement(`
delete from recent_requests
where (merchant_id, is_refused, request_no) in (
  select merchant_id, is_refused, request_no
  from recent_requests
  where noted_at < $1
  order by noted_at
  limit $2
)`)
