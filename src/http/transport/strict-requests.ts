import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { Refusal } from '../../refusals.ts'
import { type JsonSchema, unknownFields } from './unknown-fields.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may be omitted because none of its fields is required. */
    hasOptionalBody?: boolean
  }
}

/**
 * Under `/api/v1`, refuses unknown fields in the body and unknown query parameters: a mistyped name must not change the
 * meaning of a call. A schema stays open only where it sets `additionalProperties` itself.
 */
export function readRequestsStrictly(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isStrict(route.url)) return
    const { querystring = { type: 'object', properties: {} }, body, params, ...rest } = route.schema ?? {}
    const query = closed(querystring as JsonSchema)
    route.schema = {
      ...rest,
      querystring: query,
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body: closed(body as JsonSchema) }),
    }
    route.config = { ...route.config, hasOptionalBody: isOptional(body as JsonSchema | undefined) }
    const steps = [
      ...checksOf(query),
      ...readersOf(query, (request) => request.query as Texts),
      ...readersOf(params ?? {}, (request) => request.params as Texts),
      ...bodySteps(route),
    ]
    // No hook for the routes where speed matters: most of them need no step.
    if (steps.length > 0) route.preValidation = [runAll(steps), ...[route.preValidation ?? []].flat()]
  })
}

function isStrict(url: string): boolean {
  return url.startsWith('/api/v1/')
}

/** The schema that a body must match at this route. */
export function bodySchemaAt(url: string, body: TSchema): TSchema {
  return isStrict(url) ? closed(body) : body
}

/** The same schema, with every object in it closed. */
function closed(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema }
  if (schema.properties !== undefined) {
    copy.properties = mapped(schema.properties)
    copy.additionalProperties ??= false
  }
  if (schema.patternProperties !== undefined) copy.patternProperties = mapped(schema.patternProperties)
  if (schema.items !== undefined) copy.items = closed(schema.items)
  if (schema.anyOf !== undefined) copy.anyOf = schema.anyOf.map(closed)
  return copy
}

function mapped(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, closed(one)]))
}

function isOptional(body: JsonSchema | undefined): boolean {
  return body?.properties !== undefined && (body.required ?? []).length === 0
}

type Step = (request: FastifyRequest) => void
type Texts = Record<string, unknown>

function runAll(steps: readonly Step[]): preValidationHookHandler {
  return (request, _reply, done) => {
    try {
      for (const step of steps) step(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/** Refuses a query that is not UTF-8, which would be read as it is written, and a parameter that is sent twice. */
function checksOf({ properties = {} }: JsonSchema): Step[] {
  const single = new Set(Object.keys(properties).filter((name) => properties[name]?.type !== 'array'))
  if (Object.keys(properties).length === 0) return []
  const check: Step = ({ raw, query }) => {
    const [, text = ''] = raw.url?.split('?', 2) ?? []
    if (!isDecodable(text))
      throw new Refusal('request_malformed', { detail: 'The query must be UTF-8, percent-encoded.' })
    const errors = Object.entries(query as Texts)
      .filter(([name, value]) => Array.isArray(value) && single.has(name))
      .map(([name]) => ({ pointer: `/${name}`, detail: 'is there more than once' }))
    if (errors.length === 0) return
    const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
    throw new Refusal('validation_failed', { detail, errors })
  }
  return [check]
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Converts query and path texts to the numbers, booleans and lists of the schema. Invalid texts are refused. */
function readersOf({ properties = {} }: JsonSchema, textsOf: (request: FastifyRequest) => Texts): Step[] {
  return Object.entries(properties).flatMap(([name, { type }]) => {
    const read = readersByType[String(type)]
    if (read === undefined) return []
    return [
      (request) => {
        const texts = textsOf(request)
        if (texts[name] !== undefined) texts[name] = read(texts[name])
      },
    ]
  })
}

const readersByType: Partial<Record<string, (value: unknown) => unknown>> = {
  integer: (value) =>
    typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value,
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  array: (value) => [value].flat().flatMap((text) => String(text).split(',')),
}

function bodySteps({ method, schema }: { method: string | string[]; schema?: { body?: unknown } }): Step[] {
  if (schema?.body === undefined) return method === 'GET' || method === 'HEAD' ? [] : [refuseBody]
  if (!isOptional(schema.body as JsonSchema)) return []
  return [
    (request) => {
      if (request.body === undefined) request.body = {}
    },
  ]
}

/** For an operation without a body. An empty object is accepted, because some clients always send one. */
function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined) return
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('body_malformed', { detail: 'This operation takes no body.' })
  }
  const errors = unknownFields({ properties: {}, additionalProperties: false }, body)
  if (errors.length === 0) return
  const detail = `This operation takes no body: ${errors.map(({ pointer }) => pointer).join(', ')}`
  throw new Refusal('validation_failed', { detail, errors })
}
