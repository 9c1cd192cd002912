import { Paper, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useSearchParams } from 'wouter'
import type { AuditAnswer, AuditPageAnswer } from '../../../src/http/answers/audit-log.ts'
import { Pages, usePages } from '../pages.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { formatTime, hasText, t, textOf } from '../texts.ts'
import { type ActivityFilter, ActivityFilters, filterNames } from './activity-filters.tsx'

/** The audit log of changes. */
export function Activity() {
  const [params, setParams] = useSearchParams()
  // As text, which is the same value in every render.
  const [settled] = useDebouncedValue(params.toString(), 300)
  const filter = filterIn(new URLSearchParams(settled))
  const set = (name: keyof ActivityFilter, value: string) =>
    setParams(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  const changes = usePages<AuditPageAnswer>(['audit-log'], 'entries', '/api/v1/audit-log', {
    actor: filter.actor,
    action: filter.action,
    subject: filter.subject,
    from: momentOf(filter.from, 0),
    to: momentOf(filter.to, 1),
  })
  const isFiltered = filterNames.some((name) => filter[name] !== '')
  return (
    <Paper className="card-flush" p={0}>
      <ActivityFilters chosen={filterIn(params)} onChange={set} />
      <Pages
        query={changes}
        empty={
          isFiltered ? (
            <Empty icon="search" title={t('activity.noneFound')} text={t('activity.noneFoundText')} />
          ) : (
            <Empty icon="history" title={t('activity.none')} text={t('activity.noneText')} />
          )
        }
      >
        {(items) => (
          <DataTable
            label={t('settings.activity')}
            items={items}
            keyOf={(change) => change.entry}
            columns={[
              {
                head: t('ledger.when'),
                cell: (change) => <span className="nowrap">{formatTime(change.at)}</span>,
              },
              {
                head: t('activity.who'),
                cell: (change) => (
                  <div>
                    <Text size="sm" className="wrap-anywhere">
                      {change.actor.name ?? change.actor.id}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {textOf(`actor.${change.actor.kind}`)}
                    </Text>
                  </div>
                ),
              },
              {
                head: t('activity.what'),
                cell: (change) => (
                  <div>
                    <Text size="sm" fw={600}>
                      {hasText(`action.${change.action}`) ? textOf(`action.${change.action}`) : change.action}
                    </Text>
                    <Text size="xs" c="dimmed" className="wrap-anywhere">
                      {change.subject}
                    </Text>
                  </div>
                ),
              },
              {
                head: t('activity.details'),
                cell: (change) => (
                  <Text size="xs" c="dimmed" className="wrap-anywhere" lineClamp={4} maw={420}>
                    {differenceOf(change)}
                  </Text>
                ),
              },
            ]}
          />
        )}
      </Pages>
    </Paper>
  )
}

/** The start of a day in the person's time zone, or of the day so many days later. */
function filterIn(params: URLSearchParams): ActivityFilter {
  return Object.fromEntries(filterNames.map((name) => [name, params.get(name) ?? ''])) as ActivityFilter
}

function momentOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The changed fields, or nothing if the entry has no details. */
function differenceOf({ before, after }: AuditAnswer): string {
  const was = new Map(Object.entries(before ?? {}))
  const is = new Map(Object.entries(after ?? {}))
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => {
      const [from, to] = [valueText(was.get(field)), valueText(is.get(field))]
      if (from === to || from === '') return pair(field, to)
      return pair(field, after === null ? from : `${from} → ${to === '' ? '–' : to}`)
    })
    .filter((text) => text !== '')
    .join(' · ')
}

function pair(field: string, value: string): string {
  return value === '' ? '' : `${field}: ${value}`
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
