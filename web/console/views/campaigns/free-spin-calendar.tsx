/** The free spins of a player who never misses any, day by day. A grid of weeks; on a phone a list of days. */
import { Badge, Text, VisuallyHidden } from '@mantine/core'
import { type FreeSpinRule, minutesOf } from '../../../../src/free-spin-rule/free-spin-rule.ts'
import type { FreeSpinPreview } from '../../../../src/http/answers/free-spins.ts'
import { formatNumber, habits, t } from '../../texts.ts'
import './free-spin-calendar.css'

type Spins = FreeSpinPreview['spins'][number]
type Day = FreeSpinPreview['days'][number] & { spins: Spins[] }
type Shown = { rule: FreeSpinRule; timeZone: string }

export function FreeSpinCalendar({ preview, ...shown }: Shown & { preview: FreeSpinPreview }) {
  const days = daysOf(preview)
  const all = days.flatMap(({ spins }) => spins)
  const { rule, timeZone } = shown
  return (
    <div className="free-calendar">
      <Text size="sm" fw={600} role="status">
        {t('free.sum', { count: sumOf(all), days: days.length })} {extrasText(extrasIn(rule, all))}
      </Text>
      {preview.timeZone === timeZone || minutesOf(rule.every) !== undefined ? null : (
        <Text size="sm">{t('free.otherZone', { zone: preview.timeZone })}</Text>
      )}
      <div className="free-weekdays" aria-hidden="true">
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <span key={day}>{weekdayFormat.format(Date.UTC(2024, 0, day))}</span>
        ))}
      </div>
      <ol aria-label={t('free.calendarLabel', { zone: timeZone })}>
        {days.map((day, index) => (
          <DayCell
            key={day.date}
            day={day}
            column={index === 0 ? weekdayOf(day.date) : undefined}
            {...shown}
          />
        ))}
      </ol>
    </div>
  )
}

function DayCell({ day, column, rule, timeZone }: Shown & { day: Day; column: number | undefined }) {
  const extras = extrasIn(rule, day.spins)
  const hours = (Date.parse(day.endsAt) - Date.parse(day.startsAt)) / 3_600_000
  const endsAt = rule.endsAt !== null && isOn(day, rule.endsAt) ? rule.endsAt : undefined
  return (
    <li
      data-state={day.spins.length > 0 ? 'spins' : day.isOpen ? 'none' : 'closed'}
      style={column === undefined ? {} : { gridColumnStart: column }}
    >
      <span className="free-date" aria-hidden="true">
        <span className="free-long-date">{longDate.format(Date.parse(day.date))}</span>
        <span className="free-short-date">{shortDate.format(Date.parse(day.date))}</span>
      </span>
      <VisuallyHidden>{longDate.format(Date.parse(day.date))}</VisuallyHidden>
      <SpinsText day={day} timeZone={timeZone} />
      {extras.map(({ length, spins }) => (
        <Badge key={length} className="free-badge" color="orange" variant="light" tt="none">
          {t('free.extraAt', { count: spins, length })}
        </Badge>
      ))}
      {hours === 24 ? null : (
        <Badge className="free-badge" color="blue" variant="light" tt="none">
          {t('free.clocksChange', { hours: formatNumber(hours) })}
        </Badge>
      )}
      {endsAt === undefined ? null : (
        <Text size="xs">{t('free.ends', { time: clockAt(endsAt, timeZone) })}</Text>
      )}
    </li>
  )
}

/** How many come, from when to when. */
function SpinsText({ day: { spins, isOpen }, timeZone }: { day: Day; timeZone: string }) {
  const [first] = spins
  const last = spins.at(-1)
  if (first === undefined || last === undefined)
    return (
      <Text size="xs" c="dimmed">
        {t(isOpen ? 'free.nothing' : 'free.closed')}
      </Text>
    )
  const from = clockAt(first.at, timeZone)
  return (
    <>
      <Text size="sm" fw={650}>
        {t('free.spins', { count: sumOf(spins) })}
      </Text>
      <Text size="xs">
        {spins.length === 1
          ? t('free.fromUntil', { from, until: momentAt(first.expiresAt, first.at, timeZone) })
          : t('free.times', { count: spins.length, from, to: clockAt(last.at, timeZone) })}
      </Text>
    </>
  )
}

function daysOf({ days, spins }: FreeSpinPreview): Day[] {
  return days.map((day) => ({ ...day, spins: spins.filter(({ at }) => isOn(day, at)) }))
}

function isOn({ startsAt, endsAt }: FreeSpinPreview['days'][number], moment: string): boolean {
  const ms = Date.parse(moment)
  return ms >= Date.parse(startsAt) && ms < Date.parse(endsAt)
}

/** The milestones that are reached with these spins. */
function extrasIn({ streaks }: FreeSpinRule, spins: Spins[]): FreeSpinRule['streaks'] {
  return spins.flatMap(({ streak }) => streaks.filter(({ length }) => length === streak))
}

function extrasText(extras: FreeSpinRule['streaks']): string {
  const count = extras.reduce((sum, { spins }) => sum + spins, 0)
  return count === 0 ? '' : t('free.sumExtra', { count })
}

function sumOf(spins: Spins[]): number {
  return spins.reduce((sum, one) => sum + one.spins, 0)
}

const weekdayFormat = new Intl.DateTimeFormat(habits, { weekday: 'short', timeZone: 'UTC' })
const longDate = new Intl.DateTimeFormat(habits, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const shortDate = new Intl.DateTimeFormat(habits, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** 1 for Monday. */
function weekdayOf(date: string): number {
  return new Date(date).getUTCDay() || 7
}

function clockAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat(habits, { timeStyle: 'short', timeZone }).format(Date.parse(moment))
}

/** A time soon after another one: with its weekday, or with its date if that is a week away or more. */
function momentAt(moment: string, after: string, timeZone: string): string {
  const isNear = Date.parse(moment) - Date.parse(after) < 6 * 86_400_000
  const day = isNear ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const form = { ...day, hour: 'numeric', minute: '2-digit', timeZone } as const
  return new Intl.DateTimeFormat(habits, form).format(Date.parse(moment))
}
