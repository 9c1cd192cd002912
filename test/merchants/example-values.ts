// Values for the parameters and bodies of an operation, from its schemas in the OpenAPI document.
import { isDeepStrictEqual } from 'node:util'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'

type Schema = {
  type?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
export type Content = { schema: Schema } & Pick<Parameter, 'example' | 'examples'>

/** The required fields; if there are none, the example, since an empty body may select nothing. */
export function bodyFor(content: Content, ids: Record<string, string>): unknown {
  const body = valueFor(content.schema, '', ids)
  return isDeepStrictEqual(body, {}) ? (exampleOf(content) ?? body) : body
}

/** Examples of parameters and bodies are beside their schemas in the document. */
export function exampleOf({ example, examples = {} }: Pick<Parameter, 'example' | 'examples'>): unknown {
  return example ?? Object.values(examples)[0]?.value
}

/** A value that fits a schema: a known id of this name, an example, or the simplest value. */
export function valueFor(schema: Schema, name: string, ids: Record<string, string>): unknown {
  if (schema.properties?.segments !== undefined) return defaultWheel
  if (name in ids && schema.type === 'string') return ids[name]
  if (schema.const !== undefined) return schema.const
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return valueFor(first, name, ids)
  if (schema.type === 'array') return [valueFor(schema.items ?? {}, name, ids)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'string') return 'x'
  const required = (schema.required ?? []).map((one) => [
    one,
    valueFor(schema.properties?.[one] ?? {}, one, ids),
  ])
  return Object.fromEntries(required)
}
