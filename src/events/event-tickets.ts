import { createHash, randomBytes } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { eventTicketSeconds } from '../limits.ts'

/**
 * Tickets for the live stream. A browser's EventSource can't send an Authorization header, and a service token must
 * not be in a URL. A ticket may be: it is valid for one connection within a minute, and the token that requested it
 * stays responsible.
 */
export async function issueTicket(
  db: Queryable,
  { merchantId, tokenId, now }: { merchantId: number; tokenId: string; now: Date },
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = `tkt_${randomBytes(32).toString('hex')}`
  const expiresAt = new Date(now.getTime() + eventTicketSeconds * 1000)
  await db.query(removeExpired, [now])
  await db.query(insert, [sha256(ticket), merchantId, tokenId, expiresAt])
  return { ticket, expiresAt }
}

/** Uses up a ticket and returns the token that requested it. Of several concurrent requests, one gets it. */
export async function useTicket(db: Queryable, ticket: string, now: Date): Promise<string | undefined> {
  const [used] = await db.query(take, [sha256(ticket), now])
  return used?.tokenId
}

function sha256(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest()
}

const insert = statement(`
insert into event_tickets (ticket_sha256, merchant_id, token_id, expires_at)
values ($1, $2, $3, $4)`)

const removeExpired = statement(`
delete from event_tickets
where expires_at <= $1`)

const take = statement<{ tokenId: string }>(`
delete from event_tickets
where ticket_sha256 = $1
and expires_at > $2
returning token_id as "tokenId"`)
