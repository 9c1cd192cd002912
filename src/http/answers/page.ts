import { type Static, type TObject, Type } from 'typebox'

/** A page of a list, as callers that ask for whole items get it. */
export type Page<Name extends string, Item> = { [K in Name]: Item[] } & { next: string | null }

/**
 * The answer of a list. Fields are missing where the caller left them out with `fields`. The OpenAPI document shows
 * whole items nevertheless: types in which every field may be missing would burden all callers that never use `fields`.
 */
export function PageOf<Name extends string, Item extends TObject>(name: Name, item: Item) {
  const { title } = item as { title?: string }
  return Type.Unsafe<Page<Name, Partial<Static<Item>>>>(
    Type.Object(
      {
        [name]: Type.Array(Type.Partial(item), { 'x-whole-items': item }),
        next: Type.Union([Type.String({ description: 'The cursor of the next page.' }), Type.Null()]),
      },
      title === undefined ? {} : { title: `${title}Page` },
    ),
  )
}
