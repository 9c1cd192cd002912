import { Refusal } from '../../refusals.ts'

export function wrongQuery(name: string, detail: string): Refusal {
  return new Refusal('validation_failed', {
    detail: `/${name} ${detail}`,
    errors: [{ pointer: `/${name}`, detail }],
  })
}

/** A moment in a query. The validator accepts a few that don't exist, such as a 60th second. */
export function momentIn(name: string, text: string | null | undefined): Date | null {
  if (text === undefined || text === null) return null
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw wrongQuery(name, 'must be a moment, as RFC 3339')
  return moment
}
