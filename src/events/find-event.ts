import { type Queryable, statement } from '../db/database.ts'
import { type LoggedEvent, loggedEvent } from './event-log.ts'
import { readBody } from './page-body.ts'

/** An event in the log, by its id or its number. */
export async function findEvent(
  db: Queryable,
  merchantId: number,
  name: string,
): Promise<LoggedEvent | undefined> {
  const [, pageId, place] = /^evt_([0-9a-f]{32})_([0-9a-z]+)$/.exec(name) ?? []
  const [page] =
    pageId === undefined
      ? await db.query(findBySeq, [merchantId, Number(name)])
      : await db.query(findById, [merchantId, pageId])
  if (page === undefined) return undefined
  const index = place === undefined ? Number(name) - page.firstSeq : parseInt(place, 36)
  const written = readBody(page.body)[index]
  return written === undefined ? undefined : loggedEvent(page, index, written)
}

type PageRow = { firstSeq: number; pageId: string; body: string }

const columns = `
  first_seq as "firstSeq",
  page_id as "pageId",
  body`

// Pages before it wait for their partition to be dropped.
const firstKept = `(select first_kept_seq from event_streams where merchant_id = $1)`

const findBySeq = statement<PageRow>(`
select ${columns}
from event_pages
where merchant_id = $1
and first_seq <= $2
and first_seq >= ${firstKept}
order by first_seq desc
limit 1`)

const findById = statement<PageRow>(`
select ${columns}
from event_pages
where page_id = $2
and merchant_id = $1
and first_seq >= ${firstKept}`)
