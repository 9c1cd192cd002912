import { Refusal } from '../../refusals.ts'
import { isTimeZone } from '../../wheel-document/schedule.ts'

export function wrongQuery(name: string, detail: string): Refusal {
  return new Refusal('validation_failed', {
    detail: `/${name} ${detail}`,
    errors: [{ pointer: `/${name}`, detail }],
  })
}

export function refuseUnknownZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw wrongQuery('timeZone', 'must be the name of a time zone, such as Europe/Berlin')
}

/** A moment in a query. The validator accepts a few that don't exist, such as a 60th second. */
export function momentIn(name: string, text: string | null | undefined): Date | null {
  if (text === undefined || text === null) return null
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw wrongQuery(name, 'must be a moment, as RFC 3339')
  return moment
}
