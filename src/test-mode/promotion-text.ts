import type { WheelChange } from '../wheel-document/compare-wheels.ts'
import { toldValue } from '../wheel-document/describe-change.ts'
import type { Promotion } from './promotion.ts'

/** One difference in words, such as `Segment "mug", weight: 3 → 5`. Codes are masked. */
export function changeText({ path, before, after }: WheelChange): string {
  const [part = '', first = '', second, ...rest] = path.split('/').slice(1)
  const show = (value: unknown) => valueText(toldValue(path, value))
  const change = `${show(before)} → ${show(after)}`
  if (part !== 'wheel' || first !== 'segments') {
    const names = [first, second, ...rest].filter((name) => name !== undefined)
    return `${part === 'wheel' ? 'Wheel' : 'Campaign'}, ${fieldText(names)}: ${change}`
  }
  if (second === undefined) return `Order of the segments: ${change}`
  if (rest.length > 0) return `Segment "${second}", ${fieldText(rest)}: ${change}`
  return `Segment "${second}" is ${before === undefined ? 'new' : 'removed'}.`
}

/** `claimWithinSeconds` in words. */
function fieldText(names: readonly string[]): string {
  return names.join(' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'not set'
  if (typeof value === 'string') return value.startsWith('data:') ? 'a file' : `"${value}"`
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return JSON.stringify(value)
}

const noteTexts = {
  draft_replaced: () => 'The live draft has changes that are not published. They are replaced.',
  test_draft_not_promoted: () =>
    'The draft of the test merchant has changes that are not published there. They are not promoted.',
  runs_end: (about: string) => `Running paces end, and begin anew: ${about}.`,
  publication_scheduled: (about: string) =>
    `A publication of the live wheel is scheduled for ${about}. It stays, and replaces this version then.`,
  wheel_shared: (about: string) => `Live campaigns that play this wheel: ${about}.`,
  purse_kept: () => 'The live campaign keeps its purse, which differs from that of the test merchant.',
  closed_already: (about: string) => `It will be over immediately: its closing time, ${about}, has passed.`,
}
export const noteCodes = Object.keys(noteTexts) as (keyof typeof noteTexts)[]

/** What one should know beside the differences. */
type Note = { code: keyof typeof noteTexts; about: string | null; text: string }

export function notesOf({ wheel, campaign }: Promotion, now: Date): Note[] {
  const others = wheel.campaigns.filter((slug) => slug !== campaign?.slug)
  const scheduled = wheel.live?.scheduled
  const closesAt = [campaign?.settings.closesAt?.toISOString(), wheel.document.closesAt].find(
    (time) => time !== undefined && new Date(time) <= now,
  )
  const note = (code: Note['code'], isTrue: boolean, about: string | null = null): Note[] =>
    isTrue ? [{ code, about, text: noteTexts[code](about ?? '') }] : []
  return [
    ...note('draft_replaced', wheel.replacesDraft),
    ...note('test_draft_not_promoted', wheel.isDraftOfTestNewer),
    ...note('runs_end', wheel.endedRuns.length > 0, wheel.endedRuns.join(', ')),
    ...note(
      'publication_scheduled',
      scheduled?.failedAt === null,
      scheduled && new Date(scheduled.at).toISOString(),
    ),
    ...note('wheel_shared', others.length > 0, others.join(', ')),
    ...note('purse_kept', campaign?.isPurseDifferent ?? false),
    ...note('closed_already', closesAt !== undefined, closesAt),
  ]
}
