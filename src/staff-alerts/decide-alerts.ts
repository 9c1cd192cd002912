import { dateAt } from '../reports/report-days.ts'
import { timeOf } from '../test-clock.ts'
import type { AlertCause } from './alert-causes.ts'
import { type Reader, wants } from './alert-readers.ts'
import type { Finding } from './finding.ts'
import type { Told } from './told-alerts.ts'

/** A mail to one person about one cause. */
export type Alert = { reader: Reader; cause: AlertCause; day: string; subjects: string[] }

type Facts = {
  readers: readonly Reader[]
  findings: readonly { cause: AlertCause; found: readonly Finding[] }[]
  told: readonly Told[]
  /** The real time. */
  now: Date
}

/**
 * Whom to tell what. Each person gets one mail a day about a cause, by the merchant's day; what comes later on that day
 * is told on the next, if it is still so. What was told is told again only if it was over in between. `over` are the
 * notes of what is no longer so: today's are marked and still count for today, `past` ones are deleted.
 */
export function decideAlerts({ readers, findings, told, now }: Facts): {
  alerts: Alert[]
  over: Told[]
  past: Told[]
} {
  const toldTo = Map.groupBy(told, readerName)
  const known = new Set(readers.map(readerName))
  const decided = { alerts: [] as Alert[], over: [] as Told[], past: [] as Told[] }
  decided.past.push(...told.filter((note) => !known.has(readerName(note))))
  for (const reader of readers) {
    const day = dateAt(timeOf(reader, now), reader.timeZone)
    for (const { cause, found } of findings) {
      const notes = (toldTo.get(readerName(reader)) ?? []).filter((note) => note.cause === cause)
      const wanted = found
        .filter((one) => one.merchantId === reader.merchantId && wants(reader, cause, one))
        .map(({ subject }) => subject)
      const ended = notes.filter(({ subject, isOver }) => isOver || !wanted.includes(subject))
      decided.over.push(...ended.filter(({ toldOn, isOver }) => toldOn >= day && !isOver))
      const past = ended.filter(({ toldOn }) => toldOn < day)
      decided.past.push(...past)
      const isToldToday = notes.some(({ toldOn }) => toldOn >= day)
      const standing = new Set(notes.filter((note) => !past.includes(note)).map(({ subject }) => subject))
      const subjects = wanted.filter((subject) => !standing.has(subject))
      if (subjects.length > 0 && !isToldToday) decided.alerts.push({ reader, cause, day, subjects })
    }
  }
  return decided
}

function readerName({ merchantId, staffId }: { merchantId: number; staffId: number }): string {
  return `${merchantId} ${staffId}`
}
