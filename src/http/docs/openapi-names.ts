import type { ApiDocument, ApiOperation, ApiSchema } from './openapi-types.ts'

/**
 * Moves every schema with a name to the components, where client generators find it. A schema whose `title` looks like
 * a type name has that name; the body and the answer of an operation are otherwise named after the operation. The names
 * are part of the API, because the types of a generated client use them.
 */
export function nameSchemas(document: ApiDocument): void {
  const { schemas } = document.components
  for (const [name, { title: _, ...schema }] of Object.entries(schemas))
    schemas[name] = partsNamed(schema, schemas)
  for (const operation of operationsOf(document)) {
    const body = operation.requestBody?.content
    for (const media of Object.values(body ?? {}))
      media.schema = named(media.schema, 'Body', operation, schemas)
    for (const { content = {} } of Object.values(operation.responses))
      for (const media of Object.values(content))
        media.schema = named(media.schema, 'Answer', operation, schemas)
    for (const parameter of operation.parameters ?? [])
      parameter.schema = partsNamed(parameter.schema, schemas) as ApiSchema
  }
}

function operationsOf({ paths, webhooks = {} }: ApiDocument): ApiOperation[] {
  return [paths, webhooks].flatMap((all) => Object.values(all).flatMap((one) => Object.values(one)))
}

/** The name of the body or the answer of an operation. */
export function nameOf(schema: ApiSchema, { operationId }: ApiOperation, suffix: 'Body' | 'Answer'): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if (typeof schema.title === 'string') return schema.title
  return `${operationId[0]?.toUpperCase()}${operationId.slice(1)}${suffix}`
}

function named(
  schema: ApiSchema,
  suffix: 'Body' | 'Answer',
  operation: ApiOperation,
  schemas: ApiDocument['components']['schemas'],
): ApiSchema {
  const isObject = schema.properties !== undefined
  const title = isObject ? { title: nameOf(schema, operation, suffix) } : {}
  return partsNamed({ ...schema, ...title }, schemas) as ApiSchema
}

const isName = /^[A-Z][A-Za-z0-9]+$/
const values = new Set(['default', 'examples', 'example', 'enum', 'const'])

/** Replaces every named part of the schema by a reference to the component of that name. */
function partsNamed(value: unknown, schemas: ApiDocument['components']['schemas']): any {
  if (Array.isArray(value)) return value.map((one: unknown) => partsNamed(one, schemas) as unknown)
  if (typeof value !== 'object' || value === null) return value
  const { 'x-whole-items': items, ...rest } = value as ApiSchema
  const copy = Object.fromEntries(
    Object.entries(items === undefined ? rest : { ...rest, items }).map(([name, one]) => [
      name,
      values.has(name) ? one : partsNamed(one, schemas),
    ]),
  )
  const { title } = copy
  if (typeof title !== 'string' || !isName.test(title)) return copy
  delete copy.title
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy))
    throw new Error(`two different schemas have the title ${title}`)
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
