/** Dates and times in the browser's own fields, which know each country's notation. */
import type { TextInputProps } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { scheduleAheadMsMax } from '../../../src/limits.ts'
import { t } from '../texts.ts'
import { TextInput } from './inputs.tsx'
import { type Reading, useTypedText } from './typed-text.ts'
import { hereZone, zonedMoment, zonedText } from './zoned-time.ts'

type FieldProps = Pick<TextInputProps, 'label' | 'description'> & { error: string | null }

/** The value of a partly filled field, for which the browser reports no text. */
const incomplete = 'incomplete'
const yearMin = 2000

/** A moment in a time zone, which is named below the field. Empty for none. */
export function MomentField({
  zone = hereZone,
  ...props
}: Omit<FieldProps, 'description'> & {
  zone?: string
  value: string | undefined
  onChange: (iso: string | undefined) => void
}) {
  return (
    <NativeField
      {...props}
      // A typed text stands for another moment once the zone changes.
      key={zone}
      description={t('schedule.zone', { zone })}
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

/** A day such as `2026-05-01`, for a filter. Empty for none; a partly filled day counts as none. */
export function DayField({
  onChange,
  ...input
}: Pick<TextInputProps, 'label' | 'min' | 'max' | 'error'> & {
  value: string
  onChange: (day: string) => void
}) {
  return <TextInput {...input} type="date" onChange={(event) => onChange(event.currentTarget.value)} />
}

/** Two days for a filter. The second must not be before the first. */
export function DayRange(props: {
  from: string
  to: string
  onChange: (name: 'from' | 'to', day: string) => void
}) {
  const { from, to, onChange } = props
  return (
    <>
      <DayField label={t('activity.from')} value={from} onChange={(day) => onChange('from', day)} />
      <DayField
        label={t('activity.to')}
        value={to}
        error={isWrongRange(props) ? t('activity.order') : null}
        onChange={(day) => onChange('to', day)}
      />
    </>
  )
}

function isWrongRange({ from, to }: { from: string; to: string }): boolean {
  return from !== '' && to !== '' && to < from
}

function NativeField({
  value,
  show,
  read,
  onChange,
  error,
  ...input
}: FieldProps & {
  type: 'datetime-local' | 'time'
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
    if (text !== typed.text) typed.type(text)
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
        look(event)
        setFocus(false)
      }}
    />
  )
}

function readMoment(text: string, zone: string): Reading<string | undefined> {
  if (text === '') return { value: undefined }
  if (text === incomplete) return { problem: t('moment.incomplete') }
  if (Number(text.slice(0, 4)) < yearMin) return { problem: t('moment.year', { year: String(yearMin) }) }
  const moment = zonedMoment(text, zone)
  return moment === undefined ? { problem: t('moment.skipped') } : { value: moment.toISOString() }
}

/** Why nothing can be scheduled for this moment, or null. */
export function scheduleProblem(at: string | undefined): string | null {
  if (at === undefined) return null
  const ahead = Date.parse(at) - Date.now()
  if (ahead <= 0) return t('publish.past')
  return ahead > scheduleAheadMsMax ? t('publish.tooLate') : null
}
