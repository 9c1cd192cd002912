import { Badge, Group, Paper, Text } from '@mantine/core'
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
                  <Group gap="xs" wrap="nowrap">
                    <Badge color="gray">{textOf(`actor.${change.actor.kind}`)}</Badge>
                    <span className="wrap-anywhere">{change.actor.name ?? change.actor.id}</span>
                  </Group>
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
                  <Text size="xs" c="dimmed" className="mono wrap-anywhere" lineClamp={3} maw={420}>
                    {change.after === null ? '' : JSON.stringify(change.after)}
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
