import { type TObject, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { pageSizeDefault, pageSizeMax } from '../../limits.ts'
import { wrongQuery } from './query.ts'

/** The query of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      description: `How many at most; ${pageSizeDefault} by default. A page may hold fewer; continue while there is a \`next\`.`,
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
        'The fields to return, separated by commas; all by default. Other fields are then missing, even where the schema requires them.',
    }),
  ),
}

/** The query of lists that had no pages before. Without a limit, a page holds as many as a merchant may have. */
export const wholeListQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      description: `How many at most; ${pageSizeMax} by default. Continue while there is a \`next\`.`,
    }),
  ),
  cursor: pageQuery.cursor,
  fields: pageQuery.fields,
}

export type PageQuery = { limit?: number; cursor?: string; fields?: string }

/** The key that a list is sorted by, as the parts of a cursor, and the key that the first page starts from. */
type PageKey<Key> = { isKey: (parts: unknown) => parts is Key; first: Key }

/** `Key` is not derived from the schema: comparing the types of two schemas takes the compiler ten seconds. */
export function pageKey<Key extends readonly (string | number)[]>(
  parts: TSchema[],
  first: Key,
): PageKey<Key> {
  const schema = Type.Tuple(parts)
  return { isKey: (given): given is Key => Check(schema, given), first }
}

/** PostgreSQL's largest integer. */
export const countMax = 2 ** 31 - 1

/** For lists by a number that counts up, newest first. */
export const newestFirst = pageKey<[number]>([Type.Integer({ minimum: 0, maximum: countMax })], [countMax])

/** Like `newestFirst`, for numbers that PostgreSQL keeps as bigint. */
export const newestFirstBig = pageKey<[number]>(
  [Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })],
  [Number.MAX_SAFE_INTEGER],
)

/** The page that a query asks for: at most `limit` rows, beyond the key `start`. */
export function readPage<Key>(
  query: PageQuery,
  key: PageKey<Key>,
  limitDefault = pageSizeDefault,
): { start: Key; limit: number } {
  return { start: readCursor(query.cursor, key), limit: query.limit ?? limitDefault }
}

/** The same for lists that had no pages before. */
export function readWholePage<Key>(query: PageQuery, key: PageKey<Key>) {
  return readPage(query, key, pageSizeMax)
}

/** For lists by an id, in its order. */
export const byId = pageKey<[string]>([Type.String({ maxLength: 200 })], [''])

/** Cursors are ours, but a caller can make one up. */
function readCursor<Key>(cursor: string | undefined, key: PageKey<Key>): Key {
  if (cursor === undefined) return key.first
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    // PostgreSQL has no text with a zero character.
    const hasZero = [parts].flat().some((part) => String(part).includes('\0'))
    if (!hasZero && key.isKey(parts)) return parts
  } catch {
    // Refused below, like JSON of another shape.
  }
  throw wrongQuery('cursor', 'must be the `next` of a page of the same list')
}

/** The row that the next page starts after. A page that is not full is the last one. */
export function lastOfFullPage<Row>(rows: readonly Row[], limit: number): Row | undefined {
  return rows.length === limit ? rows.at(-1) : undefined
}

/** The `next` of a page: a cursor with the key of its last row, or null after the last page. */
export function cursorAfter<Row>(
  last: Row | null | undefined,
  keyOf: (row: Row) => readonly (string | number)[],
): string | null {
  if (last === null || last === undefined) return null
  return Buffer.from(JSON.stringify(keyOf(last))).toString('base64url')
}

/** Keeps the fields that the caller asked for. */
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
