import { type Queryable, statement } from '../db/database.ts'

/** The SMTP server refuses our mail: nothing is sent before this time. */
type MailPause = { sender: string; pausedAt: Date; pausedUntil: Date; reason: string }

export async function pauseSender(db: Queryable, pause: MailPause): Promise<void> {
  await db.query(upsert, [pause.sender, pause.pausedAt, pause.pausedUntil, pause.reason])
}

export async function isSenderPaused(db: Queryable, sender: string, now: Date): Promise<boolean> {
  return (await db.query(read, [sender, now])).length > 0
}

const upsert = statement(`
insert into mail_pauses (sender, paused_at, paused_until, reason)
values ($1, $2, $3, $4)
on conflict (sender) do update
set paused_at = excluded.paused_at, paused_until = excluded.paused_until, reason = excluded.reason`)

const read = statement(`
select
from mail_pauses
where sender = $1
and paused_until > $2`)
