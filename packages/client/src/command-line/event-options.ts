import type { Wheelhouse } from '../client.ts'
import type { EventType } from '../events.ts'
import { sampleData } from '../generated/sample-data.ts'
import { type Options, UsageError, wholeNumber } from './command.ts'

export const eventTypes = Object.keys(sampleData) as EventType[]
/** A test event is not in the log, so it can't be read from there. */
const loggedTypes = eventTypes.filter((type) => type !== 'webhook.test')

export const eventOptions = { types: { type: 'string' }, after: { type: 'string' } } as const

/** As the API takes them: `types` is missing for all types. */
export function typesIn(options: Options): { types?: Exclude<EventType, 'webhook.test'>[] } {
  if (options.types === undefined) return {}
  const types = String(options.types)
    .split(',')
    .map((type) => type.trim())
  const unknown = types.find((type) => !(loggedTypes as string[]).includes(type))
  if (unknown === undefined) return { types: types as Exclude<EventType, 'webhook.test'>[] }
  throw new UsageError(`There is no type "${unknown}". The types are ${loggedTypes.join(', ')}.`)
}

/** Where to begin: after the number of --after, or this many events before the newest. */
export async function positionIn(options: Options, wheelhouse: Wheelhouse, before: number): Promise<number> {
  if (options.after !== undefined) return wholeNumber(options.after, '--after')
  const { events, last } = await wheelhouse.request('GET', '/api/v1/events', { query: { limit: 1 } })
  const firstKept = events[0]?.seq ?? last + 1
  return Math.max(firstKept - 1, last - before)
}
