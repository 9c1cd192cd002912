/** Dates and times in the browser's own fields, which know each country's notation. */
import type { TextInputProps } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { scheduleAheadMsMax, spinExpiryYearsMax } from '../../../src/limits.ts'
import { isExpiryInRange } from '../../../src/players/spin-lots.ts'
import { t, zoneOfView } from '../texts.ts'
import { TextInput } from './inputs.tsx'
import { type Reading, useTypedText } from './typed-text.ts'
import { zonedMoment, zonedText } from './zoned-time.ts'

type FieldProps = Pick<TextInputProps, 'label' | 'description'> & { error: string | null }

/** The value of a partly filled field, for which the browser reports no text. */
const incomplete = 'incomplete'
const yearMin = 2000

/** A moment in a time zone, which is named below the field. Empty for none. */
export function MomentField({
  zone = zoneOfView(),
  hint = '',
  ...props
}: Omit<FieldProps, 'description'> & {
  zone?: string
  /** What the moment means, after the zone. */
  hint?: string
  value: string | undefined
  onChange: (iso: string | undefined) => void
}) {
  return (
    <NativeField
      {...props}
      // A typed text stands for another moment once the zone changes.
      key={zone}
      description={[t('schedule.zone', { zone }), hint].filter((text) => text !== '').join('. ')}
      type="datetime-local"
      max="9999-12-31T23:59"
      show={(iso) => zonedText(iso, zone)}
      read={(text) => readMoment(text, zone)}
    />
  )
}

/** A time of day, such as `09:00`. */
export function ClockField(props: FieldProps & { value: string; onChange: (clock: string) => void }) {
  const { onChange } = props
  return (
    <NativeField
      {...props}
      type="time"
      show={(clock) => clock ?? ''}
      read={(text) =>
        text === '' || text === incomplete ? { problem: t('clock.incomplete') } : { value: text }
      }
      onChange={(clock) => clock !== undefined && onChange(clock)}
    />
  )
}

type Days = { from: string; to: string }

/** Two days for a filter, each empty for none. They are passed up only while the first is not after the second. */
export function DayRange({
  from,
  to,
  onChange,
}: Days & { onChange: (name: keyof Days, day: string) => void }) {
  const given = { from, to }
  const [{ chosen, known }, setChosen] = useState({ chosen: given, known: given })
  if (known.from !== from || known.to !== to) setChosen({ chosen: given, known: given })
  const choose = (name: keyof Days, day: string) => {
    const next = { ...chosen, [name]: day }
    // A filter with a default shows it instead of an empty day.
    setChosen({ chosen: day === '' ? { ...chosen, [name]: given[name] } : next, known: given })
    if (isBackwards(next)) return
    for (const one of ['from', 'to'] as const) if (next[one] !== given[one]) onChange(one, next[one])
  }
  return (
    <>
      <DayField
        label={t('activity.from')}
        value={chosen.from}
        error={isBackwards(chosen) ? t('activity.order') : null}
        onChange={(day) => choose('from', day)}
      />
      <DayField
        label={t('activity.to')}
        value={chosen.to}
        error={null}
        onChange={(day) => choose('to', day)}
      />
    </>
  )
}

function isBackwards({ from, to }: Days): boolean {
  return from !== '' && to !== '' && to < from
}

/** A day such as `2026-05-01`, or empty. */
function DayField(props: FieldProps & { value: string; onChange: (day: string) => void }) {
  return (
    <NativeField
      {...props}
      type="date"
      max="9999-12-31"
      show={(day) => day ?? ''}
      read={readDay}
      onChange={(day) => props.onChange(day ?? '')}
    />
  )
}

function NativeField({
  value,
  show,
  read,
  onChange,
  error,
  ...input
}: FieldProps & {
  type: 'datetime-local' | 'date' | 'time'
  max?: string
  value: string | undefined
  show: (value: string | undefined) => string
  read: (text: string) => Reading<string | undefined>
  onChange: (value: string | undefined) => void
}) {
  const [hasFocus, setFocus] = useState(false)
  const typed = useTypedText({ value, show, read, onChange })
  /** There is no change event between empty and partly filled, so key events are watched too. */
  const look = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const text = currentTarget.validity.badInput ? incomplete : currentTarget.value
    const isNew = text !== typed.text
    if (isNew) typed.type(text)
    return isNew
  }
  return (
    <TextInput
      {...input}
      value={typed.text === incomplete ? '' : typed.text}
      // While a year is typed, each digit but the last makes a wrong date.
      error={hasFocus ? error : (typed.problem ?? error)}
      onChange={look}
      onKeyUp={look}
      onFocus={() => setFocus(true)}
      onBlur={(event) => {
        if (!look(event)) typed.leave()
        setFocus(false)
      }}
    />
  )
}

function readMoment(text: string, zone: string): Reading<string | undefined> {
  if (text === '') return { value: undefined }
  if (text === incomplete) return { problem: t('moment.incomplete') }
  if (isEarly(text)) return { problem: earlyText() }
  const moment = zonedMoment(text, zone)
  return moment === undefined ? { problem: t('moment.skipped') } : { value: moment.toISOString() }
}

function readDay(text: string): Reading<string | undefined> {
  if (text === incomplete) return { problem: t('day.incomplete') }
  return text !== '' && isEarly(text) ? { problem: earlyText() } : { value: text }
}

/** As while the first digits of a year are typed. */
function isEarly(text: string): boolean {
  return Number(text.slice(0, 4)) < yearMin
}

function earlyText(): string {
  return t('moment.year', { year: String(yearMin) })
}

/** Why nothing can be scheduled for this moment, or null. */
export function scheduleProblem(at: string | undefined): string | null {
  if (at === undefined) return null
  const ahead = Date.parse(at) - Date.now()
  if (ahead <= 0) return t('publish.past')
  return ahead > scheduleAheadMsMax ? t('publish.tooLate') : null
}

/** Why spins can't end at this moment, or null. */
export function expiryProblem(at: string | undefined, now: number): string | null {
  if (at === undefined || isExpiryInRange(new Date(at), new Date(now))) return null
  return Date.parse(at) <= now ? t('publish.past') : t('moment.yearsAhead', { count: spinExpiryYearsMax })
}
