/** Changes to a wheel document, as pure functions from one document to the next. */
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { formatDuration } from '../../../parts/durations.ts'
import { hereZone } from '../../../parts/zoned-time.ts'
import { formatMoney, formatNumber, formatInZone, hasText, t } from '../../../texts.ts'
import { placeName } from './place-name.ts'

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
    'fallback',
    'language',
  ] as const)
    compare(field, before[field], after[field])
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
      found.push({ where: id, before: one?.label ?? null, after: other?.label ?? null })
      continue
    }
    for (const field of fieldsOf(one, other))
      compare(`${other.label} · ${field}`, get(one, field), get(other, field))
  }
  const order = (wheel: WheelDocument) => wheel.segments.map((segment) => segment.id)
  const inBoth = (wheel: WheelDocument, rest: WheelDocument) =>
    order(wheel).filter((id) => order(rest).includes(id))
  if (inBoth(before, after).join() !== inBoth(after, before).join())
    found.push({
      where: 'order',
      before: inBoth(before, after).join(', '),
      after: inBoth(after, before).join(', '),
    })
  return found
}

function fieldsOf(one: object | undefined, other: object | undefined): string[] {
  return [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])]
}

function get(value: unknown, field: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[field]
}

const moneyFields = ['cost', 'amount']
const secondsFields = ['claimWithinSeconds', 'lastCallSeconds']

/** A value in words, as its field shows it, with times in `zone`. Of an object, each field has the editor's name. */
export function shown(value: unknown, zone = hereZone, field = ''): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return t(value ? 'publish.on' : 'publish.off')
  if (typeof value === 'number') return shownNumber(value, field)
  if (typeof value === 'string') return shownText(value, zone)
  if (Array.isArray(value)) return value.map((one) => shown(one, zone)).join(', ')
  return Object.entries(value)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, one]) => `${placeName(name)}: ${shown(one, zone, name) ?? '–'}`)
    .join(', ')
}

function shownNumber(value: number, field: string): string {
  if (secondsFields.includes(field)) return formatDuration(value)
  return moneyFields.includes(field) ? formatMoney(value) : formatNumber(value)
}

function shownText(value: string, zone: string): string {
  if (value.startsWith('data:audio')) return t('publish.sound')
  if (value.startsWith('data:')) return t('publish.image')
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)) return formatInZone(value, zone)
  return hasText(`prize.${value}`) ? t(`prize.${value}` as 'prize.none') : value
}
