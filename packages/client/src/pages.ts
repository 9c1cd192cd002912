import type { Answer, Input, PathOf } from './operations.ts'

/** The paths of lists that come in pages: a call takes a cursor, and its answer has the next one. */
export type PagedPath = {
  [P in PathOf<'GET'>]: Input<'GET', P> extends { query?: { cursor?: unknown } }
    ? 'cursor' extends keyof NonNullable<Input<'GET', P>['query' & keyof Input<'GET', P>]>
      ? P
      : never
    : never
}[PathOf<'GET'>]

/** One item of a list. */
export type ItemOf<P extends PagedPath> = {
  [K in keyof Answer<'GET', P>]: Answer<'GET', P>[K] extends readonly (infer Item)[] ? Item : never
}[keyof Answer<'GET', P>]

type Page = { next?: string | number | null } & Record<string, unknown>

/** The items of all pages, one after the other. A page is asked for when the items before it have been dealt with. */
export async function* itemsOf<Item>(
  readPage: (cursor: string | number | undefined) => Promise<unknown>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | number | null | undefined; cursor !== null;) {
    const page = (await readPage(cursor)) as Page
    // The list is the only array of a page.
    yield* Object.values(page).find((value) => Array.isArray(value)) as Item[]
    cursor = page.next ?? null
  }
}
