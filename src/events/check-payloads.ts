import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { catalogue } from './catalogue.ts'
import type { EventType } from './event-types.ts'

const validators = new Map(
  Object.entries(catalogue).map(([type, { data }]) => [type, Compile(data)] as const),
)

/** Fails if an event does not match its schema in the catalogue. Tests check every written event with it. */
export function checkPayload(event: { type: EventType; data: object }): void {
  const validator = validators.get(event.type)
  assert(validator !== undefined, `the catalogue has no ${event.type}`)
  const errors = validator.Errors(event.data)
  assert(errors.length === 0, `${event.type} ${JSON.stringify(event.data)}: ${JSON.stringify(errors)}`)
}
