import { Group, Paper, Text } from '@mantine/core'
import type { AuditAnswer, AuditPageAnswer } from '../../../src/http/answers/audit-log.ts'
import { Pages, usePages } from '../pages.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { rangeOf, useSearchFields } from '../parts/search-fields.ts'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { formatTime, hasText, t, textOf } from '../texts.ts'
import { ActivityFilters, filterNames } from './activity-filters.tsx'
import { isFiltered } from './play-filters.tsx'
import { visibleText } from '../../../src/visible-text.ts'

/** The audit log of changes. */
export function Activity() {
  const { fields, settled, set } = useSearchFields(filterNames)
  const { actor, action, subject } = settled
  const filters = { actor, action, subject, ...rangeOf(settled) }
  const changes = usePages<AuditPageAnswer>(['audit-log'], 'entries', '/api/v1/audit-log', filters)
  return (
    <Paper className="card-flush" p={0}>
      <ActivityFilters chosen={fields} onChange={set} />
      <Group px="md" pb="md" justify="flex-end">
        <ExportMenu list="audit-log" filters={filters} />
      </Group>
      <Pages
        query={changes}
        empty={
          isFiltered(filters) ? (
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
              { head: t('activity.who'), cell: (change) => <Actor actor={change.actor} /> },
              { head: t('activity.what'), cell: (change) => <Action change={change} /> },
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

function Actor({ actor }: Pick<AuditAnswer, 'actor'>) {
  return (
    <div>
      <Text size="sm" className="wrap-anywhere">
        {actor.name ?? actor.id}
      </Text>
      <Text size="xs" c="dimmed">
        {textOf(`actor.${actor.kind}`)}
      </Text>
    </div>
  )
}

function Action({ change: { action, subject } }: { change: AuditAnswer }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {hasText(`action.${action}`) ? textOf(`action.${action}`) : action}
      </Text>
      <Text size="xs" c="dimmed" className="wrap-anywhere">
        {subject === null ? null : visibleText(subject)}
      </Text>
    </div>
  )
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
