import { eventTypes } from '../../events/event-types.ts'
import type { ApiDocument, ApiOperation, ApiSchema } from './openapi-types.ts'

type Schemas = ApiDocument['components']['schemas']

const prefix = '#/components/schemas/'
const anyText = { type: 'string' }

/**
 * A newer server may answer with values and types of events that this document does not list (docs/versions.md). So a
 * list of values in an answer also allows any other text, and an event may be an `UnknownEvent`. Requests stay as they
 * are: there, an unknown value is refused. Components that are a list, such as `EventType`, keep their values, and what
 * refers to them is open.
 */
export function openLists(document: ApiDocument): void {
  const { schemas } = document.components
  const answers = [
    ...Object.values(document.paths).flatMap((item) => Object.values(item).map(({ responses }) => responses)),
    ...Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item).map(receivedOf)),
  ]
  const reached = componentsIn(answers, schemas)
  schemas.UnknownEvent = unknownEvent
  for (const part of answers) openIn(part, schemas)
  for (const name of reached) openIn(schemas[name], schemas)
}

/** A webhook is described from the side of its receiver: the request is what we send. */
function receivedOf({ requestBody }: ApiOperation): object {
  return requestBody ?? {}
}

function componentsIn(parts: readonly unknown[], schemas: Schemas): Set<string> {
  const reached = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      follow(schemas[name])
    }
  }
  follow(parts)
  return reached
}

const valuesOnly = new Set(['default', 'examples', 'example', 'enum', 'const', 'discriminator', 'headers'])

/** Opens the lists below a part of the document, in place. */
function openIn(part: unknown, schemas: Schemas): void {
  if (typeof part !== 'object' || part === null) return
  const fields = part as Record<string, unknown>
  for (const [name, value] of Object.entries(fields)) {
    if (valuesOnly.has(name)) continue
    openIn(value, schemas)
    fields[name] = opened(value, schemas)
  }
}

function opened(value: unknown, schemas: Schemas): unknown {
  if (typeof value !== 'object' || value === null) return value
  const schema = value as ApiSchema
  if (schema.$ref === `${prefix}Event`) return { anyOf: [schema, { $ref: `${prefix}UnknownEvent` }] }
  if (typeof schema.$ref === 'string')
    return isList(schemas[schema.$ref.slice(prefix.length)]) ? { anyOf: [schema, anyText] } : schema
  if (!isList(schema)) return schema
  const { enum: values, type: _, ...about } = schema
  return { ...about, anyOf: [{ type: 'string', enum: values }, anyText] }
}

/** Whether it is a list of texts. A single one names the kind of its object, and stays. */
function isList(schema: ApiSchema | undefined): boolean {
  const values = schema?.enum
  return Array.isArray(values) && values.length > 1 && values.every((one) => typeof one === 'string')
}

/** Matches no event that the document has a schema for. */
const unknownEvent: ApiSchema = {
  type: 'object',
  description: 'An event of a type that was added later. Ignore it.',
  required: ['id', 'seq', 'type', 'at', 'merchant', 'data'],
  properties: {
    id: { type: 'string' },
    seq: { type: 'integer' },
    type: { type: 'string', not: { enum: [...eventTypes] } },
    at: { type: 'string', format: 'date-time' },
    merchant: { type: 'string' },
    live: { type: 'boolean' },
    data: { type: 'object' },
  },
}
