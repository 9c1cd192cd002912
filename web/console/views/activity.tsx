import { Paper, Text } from '@mantine/core'
import { Pages, usePages } from '../pages.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { formatTime, hasText, t, textOf } from '../texts.ts'

type Change = {
  entry: number
  at: string
  actor: { kind: string; id: string; name: string | null }
  action: string
  subjectKind: string
  subject: string | null
  before: object | null
  after: object | null
  requestId: string | null
}

/** Who changed what. */
export function Activity() {
  const changes = usePages<Change, 'entries'>(['audit-log'], 'entries', '/api/v1/audit-log')
  return (
    <Paper className="card-flush" p={0}>
      <Pages
        query={changes}
        empty={<Empty icon="history" title={t('activity.none')} text={t('activity.noneText')} />}
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

/** What is different now, field by field; nothing where nothing says so. */
function differenceOf({ before, after }: Change): string {
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
