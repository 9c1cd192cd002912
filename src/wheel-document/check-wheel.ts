import { isSettledKind, prizeFieldNames, prizeKinds } from '../prize-kinds/prize-kinds.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import { checkLook } from './check-look.ts'
import { pictureProblem } from './check-picture.ts'
import { isTimeZone } from './schedule.ts'
import type { WheelDocument, WheelSegment } from './wheel-document.ts'

/** How many codes each pool still has. A pool without an entry does not exist. */
type PoolFacts = ReadonlyMap<string, { codesLeft: number }>
/** How many units of each prize were given out already. */
type GivenFacts = ReadonlyMap<string, number>

/** Every reason why a wheel can't be published, each with a pointer to the field. */
export function checkWheel(
  wheel: WheelDocument,
  facts: { pools: PoolFacts; given: GivenFacts },
): FieldError[] {
  return [
    ...checkFrame(wheel),
    ...checkLanguages(wheel),
    ...checkWeights(wheel),
    ...checkFallback(wheel),
    ...checkPools(wheel, facts),
    ...wheel.segments.flatMap((segment, index) =>
      checkSegment(segment, facts).map(({ pointer, detail }) => ({
        pointer: `/segments/${index}${pointer}`,
        detail,
      })),
    ),
  ]
}

export function notPublishable(errors: FieldError[]): Refusal {
  const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ')
  return new Refusal('wheel_not_publishable', { errors, detail })
}

/** Checks of the wheel as a whole. */
function checkFrame(wheel: WheelDocument): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['opensAt', 'closesAt'] as const) {
    if (isNoMoment(wheel[name])) errors.push({ pointer: `/${name}`, detail: noMoment })
  }
  errors.push(...checkLook(wheel.look ?? {}))
  if (!isTimeZone(wheel.timeZone))
    errors.push({ pointer: '/timeZone', detail: 'is not a time zone that is known here' })
  if (isNotBefore(wheel.opensAt, wheel.closesAt))
    errors.push({ pointer: '/closesAt', detail: 'must be later than the opening' })
  const hours = wheel.openHours
  if (hours !== undefined && hours.from >= hours.to)
    errors.push({ pointer: '/openHours/to', detail: 'must be later than the beginning' })
  return errors
}

function checkLanguages(wheel: WheelDocument): FieldError[] {
  const { language, texts = {}, segments } = wheel
  const tags = [
    ...(language === undefined ? [] : [{ tag: language, pointer: '/language' }]),
    ...Object.keys(texts).map((tag) => ({ tag, pointer: `/texts/${tag}` })),
    ...segments.flatMap(({ translations = {} }, index) =>
      Object.keys(translations).map((tag) => ({ tag, pointer: `/segments/${index}/translations/${tag}` })),
    ),
  ]
  const errors = tags
    .filter(({ tag }) => !isLanguageTag(tag))
    .map(({ pointer }) => ({ pointer, detail: 'is not a language tag of BCP 47, such as de or pt-BR' }))
  if (language === undefined && segments.some(({ translations }) => translations !== undefined))
    errors.push({ pointer: '/language', detail: 'is missing: in which language are the labels themselves?' })
  return errors
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function checkWeights(wheel: WheelDocument): FieldError[] {
  const errors: FieldError[] = []
  if (wheel.segments.every((segment) => segment.weight === 0)) {
    errors.push({
      pointer: '/segments',
      detail: 'have weights that add up to nothing, so no segment could be drawn',
    })
  }
  const seen = new Set<string>()
  for (const [index, { id }] of wheel.segments.entries()) {
    if (seen.has(id)) errors.push({ pointer: `/segments/${index}/id`, detail: `"${id}" appears twice` })
    seen.add(id)
  }
  return errors
}

/** The fallback must always be available, otherwise a play could have no outcome. */
function checkFallback(wheel: WheelDocument): FieldError[] {
  const index = wheel.segments.findIndex((segment) => segment.id === wheel.fallback)
  const fallback = wheel.segments[index]
  if (fallback === undefined) return [{ pointer: '/fallback', detail: 'must be the id of a segment' }]
  const limits = (
    ['stock', 'stockPerDay', 'limitPerPlayer', 'winnableFrom', 'winnableUntil', 'pace'] as const
  ).filter((name) => fallback[name] !== undefined)
  const errors = limits.map((name) => ({
    pointer: `/segments/${index}/${name}`,
    detail: 'must not limit the fallback segment',
  }))
  if (fallback.prize.kind !== 'none') {
    errors.push({
      pointer: `/segments/${index}/prize/kind`,
      detail: 'must be none, since this is the fallback segment',
    })
  }
  return errors
}

function checkSegment(segment: WheelSegment, facts: { pools: PoolFacts; given: GivenFacts }): FieldError[] {
  const errors: FieldError[] = []
  const labels = [
    ['/label', segment.label],
    ...Object.entries(segment.translations ?? {}).map(([tag, { label }]) => [
      `/translations/${tag}/label`,
      label,
    ]),
  ] as const
  for (const [pointer = '', label] of labels)
    if (label?.trim() === '') errors.push({ pointer, detail: 'must have visible characters' })
  const needed = prizeKinds[segment.prize.kind].field
  for (const field of prizeFieldNames) {
    const isThere = segment.prize[field] !== undefined
    if (field === needed && !isThere)
      errors.push({
        pointer: `/prize/${field}`,
        detail: `is missing for a prize of kind ${segment.prize.kind}`,
      })
    if (field !== needed && isThere)
      errors.push({
        pointer: `/prize/${field}`,
        detail: `does not go with a prize of kind ${segment.prize.kind}`,
      })
  }
  if (segment.hold !== undefined && !isSettledKind(segment.prize.kind))
    errors.push({ pointer: '/hold', detail: `does not go with a prize of kind ${segment.prize.kind}` })
  if (segment.hold?.costPerDay !== undefined && segment.cost === undefined)
    errors.push({ pointer: '/hold/costPerDay', detail: 'needs the cost of the prize' })
  for (const name of ['winnableFrom', 'winnableUntil'] as const) {
    if (isNoMoment(segment[name])) errors.push({ pointer: `/${name}`, detail: noMoment })
  }
  if (isNotBefore(segment.winnableFrom, segment.winnableUntil))
    errors.push({ pointer: '/winnableUntil', detail: 'must be later than the beginning' })
  const given = facts.given.get(segment.id) ?? 0
  if (segment.stock !== undefined && segment.stock < given)
    errors.push({ pointer: '/stock', detail: `is ${segment.stock}, but ${given} were given out already` })
  const problem = pictureProblem(segment.image)
  if (problem !== null) errors.push({ pointer: '/image', detail: problem })
  return errors
}

/** A pool must have enough codes for all segments that share it. */
function checkPools(wheel: WheelDocument, facts: { pools: PoolFacts; given: GivenFacts }): FieldError[] {
  const needed = new Map<string, number>()
  return wheel.segments.flatMap(({ id, prize, stock, pace }, index) => {
    if (prize.kind !== 'pool' || prize.pool === undefined) return []
    const pointer = `/segments/${index}/prize/pool`
    const pool = facts.pools.get(prize.pool)
    if (pool === undefined) {
      return [{ pointer, detail: `there is no code pool "${prize.pool}"; upload its codes first` }]
    }
    const units = stock ?? pace?.units
    const own = units === undefined ? 1 : Math.max(0, units - (facts.given.get(id) ?? 0))
    const inAll = (needed.get(prize.pool) ?? 0) + own
    needed.set(prize.pool, inAll)
    if (pool.codesLeft >= inAll) return []
    return [{ pointer, detail: `has ${pool.codesLeft} codes left, and ${inAll} could be won` }]
  })
}

export const noMoment = 'must be a moment that exists, in the years 1970 to 9998'

export function isNoMoment(text: string | undefined): boolean {
  if (text === undefined) return false
  const moment = Date.parse(text)
  return Number.isNaN(moment) || moment < 0 || moment >= Date.UTC(9999, 0)
}

export function isNotBefore(start: string | undefined, end: string | undefined): boolean {
  return start !== undefined && end !== undefined && new Date(start) >= new Date(end)
}
