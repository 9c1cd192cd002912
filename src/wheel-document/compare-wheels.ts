import type { WheelDocument, WheelSegment } from './wheel-document.ts'

/** One difference. Segments are addressed by id: `/segments/coffee/weight`. A missing value is undefined. */
export type WheelChange = { path: string; before: unknown; after: unknown }

/** The differences between two wheel documents, in the order of the second. Notes about translations are none. */
export function compareWheels(before: WheelDocument, after: WheelDocument): WheelChange[] {
  const { segments: old, translatedFrom: _old, ...restBefore } = before
  const { segments: fresh, translatedFrom: _fresh, ...restAfter } = after
  const changes = compareFields('', restBefore, restAfter)
  const byId = (segments: readonly WheelSegment[]) => new Map(segments.map((one) => [one.id, one]))
  const [oldById, freshById] = [byId(old), byId(fresh)]
  for (const [id, segment] of freshById) {
    const path = `/segments/${id}`
    const earlier = oldById.get(id)
    if (earlier === undefined) changes.push({ path, before: undefined, after: segment })
    else changes.push(...compareFields(path, earlier, segment))
  }
  for (const [id, segment] of oldById)
    if (!freshById.has(id)) changes.push({ path: `/segments/${id}`, before: segment, after: undefined })
  const inBoth = (segments: readonly WheelSegment[]) =>
    segments.map(({ id }) => id).filter((id) => oldById.has(id) && freshById.has(id))
  if (inBoth(old).join() !== inBoth(fresh).join()) {
    const order = (segments: readonly WheelSegment[]) => segments.map(({ id }) => id)
    changes.push({ path: '/segments', before: order(old), after: order(fresh) })
  }
  return changes
}

/** Descends into objects, and compares everything else as a whole. */
export function compareFields(path: string, before: object, after: object): WheelChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...names].flatMap((name) => {
    const here = `${path}/${name}`
    const [one, other] = [(before as Record<string, unknown>)[name], (after as Record<string, unknown>)[name]]
    if (isObject(one) && isObject(other)) return compareFields(here, one, other)
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ path: here, before: one, after: other }]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
