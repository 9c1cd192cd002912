import type { Database, Transaction } from '../db/database.ts'
import { movePosition, takePosition } from '../db/work-positions.ts'
import { ensureMailCursor } from '../mails/mail-cursors.ts'
import { insertMails, type NewMail } from '../mails/mail-rows.ts'
import { shardValues } from '../players/shard.ts'
import { timeOf } from '../test-clock.ts'
import { nextDay } from '../wheel-document/schedule.ts'
import { type AlertCause, alertCauses } from './alert-causes.ts'
import { listReaders } from './alert-readers.ts'
import { type Alert, decideAlerts } from './decide-alerts.ts'
import { findFindings } from './find-findings.ts'
import { deleteTold, insertTold, listTold, markOver } from './told-alerts.ts'

/** What the row of a mail to staff refers to. What it says is looked up when it is sent. */
export type AlertData = { staffId: number; cause: AlertCause; day: string; subjects: string[] }

/** How often all processes together look whether there is something to tell. */
export const alertLookMs = 60_000

/** One process at a time looks, and not again soon after another. Returns how many mails it has planned. */
export async function lookForAlerts(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const last = await takePosition(tx, 'alerts', new Date(0))
    if (last === undefined || Math.abs(now.getTime() - last.getTime()) < alertLookMs / 2) return 0
    await movePosition(tx, 'alerts', now)
    return planAlerts(tx, now)
  })
}

/** Mails and the notes of what they tell, in one transaction. */
async function planAlerts(tx: Transaction, now: Date): Promise<number> {
  const readers = await listReaders(tx, null)
  const merchantIds = [...new Set(readers.map(({ merchantId }) => merchantId))]
  const findings = []
  for (const cause of alertCauses)
    findings.push({ cause, found: await findFindings[cause](tx, merchantIds, now) })
  const told = await listTold(tx, merchantIds)
  const { alerts, over, past } = decideAlerts({ readers, findings, told, now })
  await markOver(tx, over)
  await deleteTold(tx, past)
  await insertTold(tx, alerts.flatMap(notesOf))
  for (const merchantId of new Set(alerts.map(({ reader }) => reader.merchantId)))
    await ensureMailCursor(tx, merchantId)
  await insertMails(
    tx,
    alerts.map((alert) => mailOf(alert, now)),
  )
  return alerts.length
}

function notesOf({ reader, cause, day, subjects }: Alert) {
  const { merchantId, staffId } = reader
  return subjects.map((subject) => ({ merchantId, staffId, cause, subject, toldOn: day }))
}

/** It is of use until the day ends: then the next one may tell it. */
function mailOf({ reader, cause, day, subjects }: Alert, realTime: Date): NewMail {
  const { merchantId, staffId } = reader
  const now = timeOf(reader, realTime)
  const data: AlertData = { staffId, cause, day, subjects }
  return {
    shard: shardValues[staffId % shardValues.length] as number,
    merchantId,
    campaignId: 0,
    playerNo: 0,
    kind: 'staff_alert',
    cause: `${staffId} ${cause} ${day}`,
    plannedAt: now,
    dueAt: now,
    expiresAt: nextDay(reader, now),
    data,
  }
}
