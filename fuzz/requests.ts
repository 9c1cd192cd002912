import fc from 'fast-check'
import { defaultWheel } from '../src/wheel-document/wheel-document.ts'
import type { Operation, Parameter, Schema } from './api-document.ts'

/** The caller's credential: the merchant's own, none, one of another merchant, or a made-up one. */
type Caller = 'own' | 'none' | 'foreign' | 'made-up'

/** A request before it is sent. Names in double braces are placeholders for ids that exist in this run. */
export type FuzzRequest = {
  operation: Operation
  kind: 'valid' | 'mutated' | 'repeated'
  caller: Caller
  path: string
  headers: Record<string, string>
  body: string | undefined
}

const placeholder = (name: string): string => `{{${name}}}`

/** Requests that the document allows, and mutations of them. */
export function requestsOf(
  operations: readonly Operation[],
  known: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const each = operations.map((operation) => {
    const valid = validRequests(operation, known)
    const keyed = operation.parameters.some(({ name }) => name === 'idempotency-key')
    return fc.oneof(
      { weight: 3, arbitrary: valid },
      { weight: 4, arbitrary: mutatedRequests(valid) },
      ...(keyed ? [{ weight: 3, arbitrary: valid.map(repeatedRequest) }] : []),
    )
  })
  return fc.oneof(...each)
}

/** Adds an idempotency key, so that the request can be sent again as a repeat. */
function repeatedRequest(request: FuzzRequest): FuzzRequest {
  return {
    ...request,
    kind: 'repeated',
    caller: 'own',
    headers: { ...request.headers, 'idempotency-key': placeholder('freshKey') },
  }
}

function validRequests(operation: Operation, known: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters.map((parameter) => parameterValues(parameter, known))
  const types = Object.keys(operation.body)
  const bodies =
    types.length === 0
      ? fc.constant(undefined)
      : fc.oneof(
          ...types.map((type) => bodiesOf(type, operation.body[type]?.schema ?? {}, known)),
          ...(operation.needsBody ? [] : [fc.constant(undefined)]),
        )
  return fc.tuple(callers, fc.tuple(...parameters), bodies).map(([caller, values, body]) => {
    const given = operation.parameters.map((parameter, index) => ({ ...parameter, value: values[index] }))
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encoded(given.find((one) => one.in === 'path' && one.name === name)?.value ?? 'x'),
    )
    const query = given.flatMap(({ in: place, name, value }) =>
      place === 'query' && value !== undefined ? [`${name}=${encoded(value)}`] : [],
    )
    const headers = Object.fromEntries(
      given.flatMap(({ in: place, name, value }) =>
        place === 'header' && value !== undefined ? [[name, value]] : [],
      ),
    )
    return {
      operation,
      kind: 'valid' as const,
      caller,
      path: query.length > 0 ? `${path}?${query.join('&')}` : path,
      headers: body === undefined ? headers : { ...headers, 'content-type': body.type },
      body: body?.text,
    }
  })
}

const callers = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Caller>('own') },
  { weight: 1, arbitrary: fc.constantFrom<Caller>('none', 'foreign', 'made-up') },
)

/** Lone surrogates can't be encoded; a placeholder must stay readable. */
function encoded(value: string): string {
  return value.startsWith('{{') ? value : encodeURIComponent(value.toWellFormed())
}

function parameterValues(
  { name, required, schema }: Parameter,
  known: readonly string[],
): fc.Arbitrary<string | undefined> {
  // Otherwise the events endpoint would wait for up to half a minute.
  const values = name === 'wait' ? fc.constantFrom('0') : textsOf(schema, name, known)
  return required === true ? values : fc.option(values, { nil: undefined, freq: 2 })
}

function textsOf(schema: Schema, name: string, known: readonly string[]): fc.Arbitrary<string> {
  return valuesOf(schema, name, known).map((value) =>
    Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value),
  )
}

function bodiesOf(
  type: string,
  schema: Schema,
  known: readonly string[],
): fc.Arbitrary<{ type: string; text: string }> {
  if (type !== 'application/json')
    return fc
      .array(fc.string({ minLength: 1, maxLength: 20 }))
      .map((lines) => ({ type, text: lines.join('\n') }))
  const isWheel = schema.properties?.segments !== undefined && schema.properties.fallback !== undefined
  const values = valuesOf(schema, '', known)
  return (isWheel ? fc.oneof(fc.constant<unknown>(defaultWheel), values) : values).map((value) => ({
    type,
    text: JSON.stringify(value),
  }))
}

/** Values that match a schema. */
function valuesOf(schema: Schema, name: string, known: readonly string[]): fc.Arbitrary<unknown> {
  const generated = freshValues(schema, name, known)
  if (name === 'url') return fc.constant(placeholder('url'))
  if (!known.includes(name)) return generated
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<unknown>(placeholder(name)) },
    { weight: 1, arbitrary: generated },
  )
}

function freshValues(schema: Schema, name: string, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valuesOf(one, name, known)))
  const type = [schema.type].flat()[0]
  if (type === 'object' || schema.properties !== undefined) return objectsOf(schema, known)
  if (type === 'array')
    return fc.array(valuesOf(schema.items ?? {}, name, known), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 4, Math.max(4, schema.minItems ?? 0)),
    })
  if (type === 'integer') {
    const [min, max] = [schema.minimum ?? -(2 ** 31), schema.maximum ?? 2 ** 31]
    return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
  }
  if (type === 'number')
    return fc.double({ noNaN: true, min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  return stringsOf(schema)
}

function objectsOf(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => [name, valuesOf(one, name, known)] as const,
  )
  return fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] })
}

function stringsOf(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 60, examples = [] } = schema
  const shown = examples.filter((one) => typeof one === 'string')
  const made = stringsLike(format, { minLength, maxLength: Math.min(maxLength, Math.max(minLength, 60)) })
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const arbitrary =
    rule === undefined ? made : fc.oneof(fromPattern(rule) ?? made.filter((text) => rule.test(text)), made)
  return shown.length > 0 ? fc.oneof(arbitrary, fc.constantFrom(...shown)) : arbitrary
}

/** Undefined if fast-check does not support the pattern. */
function fromPattern(rule: RegExp): fc.Arbitrary<string> | undefined {
  try {
    const strings = fc.stringMatching(rule)
    fc.sample(strings, 1)
    return strings
  } catch {
    return undefined
  }
}

function stringsLike(
  format: string | undefined,
  size: { minLength: number; maxLength: number },
): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString())
  return fc.oneof(fc.string({ unit: 'binary', ...size }), fc.string({ unit: 'grapheme-ascii', ...size }))
}

const oddValues: unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  -0,
  '',
  ' ',
  'x'.repeat(5_000),
  [],
  {},
  [[]],
  '\u0000',
  '\ud800',
  '\u202e',
  "'; drop table players; --",
  '${7*7}',
  '../../etc/passwd',
  '%00',
  '<script>alert(1)</script>',
  '=1+1',
  'null',
  '0x10',
  '1e5',
  '٣',
  '__proto__',
  'constructor',
]

/** Valid requests with one thing changed. */
function mutatedRequests(valid: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(valid, fc.constantFrom(...mutations), fc.nat(), fc.constantFrom(...oddValues))
    .map(([request, mutate, choice, odd]) => ({ ...mutate(request, choice, odd), kind: 'mutated' as const }))
}

type Mutation = (request: FuzzRequest, choice: number, odd: unknown) => FuzzRequest

const mutations: Mutation[] = [
  // Another value somewhere in the body. It is listed twice to be picked more often.
  (request, choice, odd) => withBody(request, (value) => replaced(value, choice, odd)),
  (request, choice, odd) => withBody(request, (value) => replaced(value, choice, odd)),
  // An unknown field, or one that exists on every JavaScript object.
  (request, choice, odd) =>
    withBody(request, (value) =>
      typeof value === 'object' && value !== null
        ? { ...value, [['more', 'constructor', 'toString', 'playerId'][choice % 4] as string]: odd }
        : odd,
    ),
  // Invalid JSON.
  (request, choice) => ({ ...request, body: request.body?.slice(0, choice % (request.body.length + 1)) }),
  (request, choice) => ({
    ...request,
    body: request.body?.replace(
      '{',
      ['{"__proto__":{"a":1},', '{,', '{"a":1e999,', '\ufeff{'][choice % 4] as string,
    ),
  }),
  // Another content type.
  (request, choice) => ({
    ...request,
    headers: {
      ...request.headers,
      'content-type': [
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
      ][choice % 5] as string,
    },
  }),
  // Another path, query or key.
  (request, choice, odd) => ({
    ...request,
    path: request.path.replace(/\{\{\w+\}\}/, encodeURIComponent(String(odd).toWellFormed() || `x${choice}`)),
  }),
  (request, choice, odd) => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${['limit', 'cursor', 'fields', 'from', 'after', 'types', 'format', 'playerId'][choice % 8]}=${encodeURIComponent(String(odd).toWellFormed())}`,
  }),
  (request, choice) => ({
    ...request,
    headers: {
      ...request.headers,
      'idempotency-key': ['', 'a b', 'x'.repeat(256), 'ÿ'][choice % 4] as string,
    },
  }),
  (request, choice) => ({
    ...request,
    headers: { ...request.headers, 'if-match': ['*', 'W/"1"', '"0"', '9'.repeat(30)][choice % 4] as string },
  }),
]

function withBody(request: FuzzRequest, change: (value: unknown) => unknown): FuzzRequest {
  if (request.body === undefined || request.headers['content-type'] !== 'application/json') return request
  return { ...request, body: JSON.stringify(change(JSON.parse(request.body))) ?? '' }
}

/** The value with one of its parts, chosen by `choice`, removed or replaced. */
function replaced(value: unknown, choice: number, odd: unknown): unknown {
  if (typeof value !== 'object' || value === null) return odd
  const names = Object.keys(value)
  if (names.length === 0) return odd
  const name = names[choice % names.length] as string
  const rest = Math.floor(choice / names.length)
  const inner = (value as Record<string, unknown>)[name]
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value }
  const place = copy as Record<string, unknown>
  if (rest % 3 === 0) delete place[name]
  else place[name] = rest % 3 === 1 ? odd : replaced(inner, Math.floor(rest / 3), odd)
  return copy
}
