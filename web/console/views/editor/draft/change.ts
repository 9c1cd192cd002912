/** Changes to a wheel document, as pure functions from one document to the next. */
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { shown } from './shown-value.ts'

type Changes<T> = { [K in keyof T]?: T[K] | undefined }
export type SegmentChanges = Changes<WheelSegment>

/** A copy with these fields changed. Fields that become undefined or empty are removed. */
export function changed<T extends object>(value: T, changes: Changes<T>): T {
  const entries = Object.entries({ ...value, ...changes }).filter(
    ([, one]) => one !== undefined && one !== '',
  )
  return Object.fromEntries(entries) as T
}

export function changedSegment(wheel: WheelDocument, index: number, changes: SegmentChanges): WheelDocument {
  return {
    ...wheel,
    segments: wheel.segments.map((segment, at) =>
      at === index ? keepLabel(changed(segment, changes)) : segment,
    ),
  }
}

/** A label may be empty while it is typed. The server reports that; the field must not vanish. */
function keepLabel(segment: WheelSegment): WheelSegment {
  return { ...segment, label: segment.label ?? '' }
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const copy = [...list]
  const [item] = copy.splice(from, 1)
  if (item !== undefined) copy.splice(to, 0, item)
  return copy
}

export function weightTotal(wheel: WheelDocument): number {
  return wheel.segments.reduce((sum, segment) => sum + segment.weight, 0)
}

export function chanceOf(wheel: WheelDocument, segment: WheelSegment): number {
  const total = weightTotal(wheel)
  return total === 0 ? 0 : segment.weight / total
}

export type Difference = { where: string; before: string | null; after: string | null }

/** The differences between two documents, with the editor's field names. Prizes are matched by their ids. */
export function differences(before: WheelDocument, after: WheelDocument): Difference[] {
  const found: Difference[] = []
  const compare = (where: string, one: unknown, other: unknown) => {
    const field = where.split(' · ').at(-1)
    const [a, b] = [shown(one, before.timeZone, field), shown(other, after.timeZone, field)]
    if (a !== b) found.push({ where, before: a, after: b })
  }
  for (const field of [
    'name',
    'timeZone',
    'opensAt',
    'closesAt',
    'openDays',
    'openHours',
    'budget',
    'language',
  ] as const)
    compare(field, before[field], after[field])
  const nameOf = (wheel: WheelDocument, id: string) => labelOf(wheel, id) ?? id
  compare('fallback', nameOf(before, before.fallback), nameOf(after, after.fallback))
  for (const field of fieldsOf(before.look, after.look))
    compare(`look.${field}`, get(before.look, field), get(after.look, field))
  for (const tag of fieldsOf(before.texts, after.texts))
    for (const field of fieldsOf(before.texts?.[tag], after.texts?.[tag]))
      compare(`texts.${tag}.${field}`, get(get(before.texts, tag), field), get(get(after.texts, tag), field))
  const ids = [...new Set([...before.segments, ...after.segments].map((segment) => segment.id))]
  for (const id of ids) {
    const one = before.segments.find((segment) => segment.id === id)
    const other = after.segments.find((segment) => segment.id === id)
    if (one === undefined || other === undefined) {
      found.push({ where: 'segment', before: one?.label ?? null, after: other?.label ?? null })
      continue
    }
    for (const field of fieldsOf(one, other))
      compare(`${other.label} · ${field}`, get(one, field), get(other, field))
  }
  found.push(...reordered(before, after))
  return found
}

/** The prizes that both have, if their order differs. */
function reordered(before: WheelDocument, after: WheelDocument): Difference[] {
  const isInBoth = (id: string) => [before, after].every((wheel) => labelOf(wheel, id) !== undefined)
  const inBoth = (wheel: WheelDocument) => wheel.segments.filter(({ id }) => isInBoth(id))
  const ids = (wheel: WheelDocument) => inBoth(wheel).map(({ id }) => id)
  if (ids(before).join() === ids(after).join()) return []
  const names = (wheel: WheelDocument) =>
    inBoth(wheel)
      .map(({ label }) => label)
      .join(', ')
  return [{ where: 'order', before: names(before), after: names(after) }]
}

function labelOf({ segments }: WheelDocument, id: string): string | undefined {
  return segments.find((segment) => segment.id === id)?.label
}

function fieldsOf(one: object | undefined, other: object | undefined): string[] {
  return [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])]
}

function get(value: unknown, field: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[field]
}
