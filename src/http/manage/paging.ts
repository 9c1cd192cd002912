import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { pageSizeDefault, pageSizeMax } from '../../limits.ts'
import { Refusal } from '../../refusals.ts'

/** The query of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      description: `How many at most; ${pageSizeDefault} by default. A page may hold fewer; go on while there is a \`next\`.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'The `next` of the page before.',
    }),
  ),
  fields: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[A-Za-z]+(,[A-Za-z]+)*$',
      description:
        'The fields to answer with, with commas between; all by default. The others are then missing, also where the schema requires them.',
    }),
  ),
}

type PageQuery = { limit?: number; cursor?: string; fields?: string }

/**
 * The answer of a list. Fields may be missing where the caller left them out with `fields`. The document shows whole items
 * nevertheless: types in which every field may be missing would burden all who never use it.
 */
export function PageOf(name: string, item: TObject) {
  const { title } = item as { title?: string }
  return Type.Object(
    {
      [name]: Type.Array(Type.Partial(item), { 'x-whole-items': item }),
      next: Type.Union([Type.String({ description: 'The cursor of the next page.' }), Type.Null()]),
    },
    title === undefined ? {} : { title: `${title}Page` },
  )
}

export function limitOf(query: PageQuery): number {
  return query.limit ?? pageSizeDefault
}

/** What a cursor says; undefined at the first page. Cursors are ours, but anybody can make one up. */
export function readCursor<Schema extends TSchema>(
  query: PageQuery,
  schema: Schema,
): Static<Schema> | undefined {
  if (query.cursor === undefined) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(query.cursor, 'base64url').toString())
    if (Check(schema, parts)) return parts
  } catch {
    // Told below, like JSON of another shape.
  }
  throw wrongQuery('cursor', 'must be the `next` of a page of the same list')
}

export function makeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Leaves out what the caller does not want. */
export function picked<Item extends object>(
  items: readonly Item[],
  query: PageQuery,
  known: TObject,
): Partial<Item>[] {
  if (query.fields === undefined) return [...items]
  const wanted = query.fields.split(',')
  const unknown = wanted.find((field) => !Object.hasOwn(known.properties, field))
  if (unknown !== undefined) {
    throw wrongQuery(
      'fields',
      `has the unknown field "${unknown}"; known are ${Object.keys(known.properties).join(', ')}`,
    )
  }
  return items.map(
    (item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => wanted.includes(name))) as Partial<Item>,
  )
}

export function wrongQuery(name: string, detail: string): Refusal {
  return new Refusal('validation_failed', {
    detail: `/${name} ${detail}`,
    errors: [{ pointer: `/${name}`, detail }],
  })
}
