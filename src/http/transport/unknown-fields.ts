import { validationErrorsShownMax } from '../../limits.ts'
import type { FieldError } from '../../refusals.ts'

/** The part of JSON Schema that the API uses. */
export type JsonSchema = {
  $ref?: string
  type?: string
  required?: string[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

type Lookup = (id: string) => JsonSchema | undefined

/**
 * Finds unknown fields of closed objects, with a pointer to each, up to the number that an answer shows. The validator
 * stops at the first, and takes minutes to list all errors of a large body; this function checks names only.
 */
export function unknownFields(
  schema: JsonSchema,
  value: unknown,
  find: Lookup = () => undefined,
): FieldError[] {
  const errors: FieldError[] = []
  collect(schema, { value, pointer: '' }, { errors, find })
  return errors
}

type Place = { value: unknown; pointer: string }
type Search = { errors: FieldError[]; find: Lookup }

function collect(schema: JsonSchema, place: Place, search: Search): void {
  const { value, pointer } = place
  if (typeof value !== 'object' || value === null || search.errors.length >= validationErrorsShownMax) return
  const referred = schema.$ref === undefined ? undefined : search.find(schema.$ref)
  if (referred !== undefined) collect(referred, place, search)
  if (schema.anyOf !== undefined) search.errors.push(...errorsOfClosest(schema.anyOf, place, search))
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return
    value.forEach((item, index) => collect(items, { value: item, pointer: `${pointer}/${index}` }, search))
    return
  }
  for (const [name, field] of Object.entries(value)) {
    const own = schemaOf(name, schema)
    const at = pointerTo(pointer, name)
    if (own !== undefined) collect(own, { value: field, pointer: at }, search)
    else if (schema.additionalProperties === false && search.errors.length < validationErrorsShownMax)
      search.errors.push({ pointer: at, detail: unknownDetail })
  }
}

/** Takes the alternative with the fewest unknown fields as the intended one. */
function errorsOfClosest(shapes: readonly JsonSchema[], place: Place, { find }: Search): FieldError[] {
  const found = shapes
    .filter((shape) => shape.type !== 'null')
    .map((shape) => {
      const errors: FieldError[] = []
      collect(shape, place, { errors, find })
      return errors
    })
  return found.toSorted((one, other) => one.length - other.length)[0] ?? []
}

function schemaOf(
  name: string,
  { properties = {}, patternProperties = {} }: JsonSchema,
): JsonSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
}

export const unknownDetail = 'is unknown'

const nameShownMax = 100

/** A JSON pointer (RFC 6901) to a field of the object at `place`. */
export function pointerTo(place: string, name: string): string {
  const shown = name.length > nameShownMax ? `${name.slice(0, nameShownMax)}…` : name
  return `${place}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
