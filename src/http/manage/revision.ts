import { Type } from 'typebox'

/** For a change that is refused if what it changes has changed since it was read. */
export const RevisionHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({ pattern: '^"[0-9]{1,9}"$' })),
})

export function revisionIn({ 'if-match': etag }: { 'if-match'?: string }): number | undefined {
  return etag === undefined ? undefined : Number(etag.slice(1, -1))
}
