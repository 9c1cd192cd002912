import { Anchor, Badge, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RecentRequestAnswer, RecentRequestsAnswer } from '../../../src/http/answers/requests.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useRead } from '../session.tsx'
import { formatNumber, formatTime, t } from '../texts.ts'

/** The latest requests of the merchant's own systems, with their responses. */
export function Requests() {
  const [only, setOnly] = useState('all')
  const path = only === 'all' ? '/api/v1/requests' : '/api/v1/requests?only=refused'
  const recent = useRead<RecentRequestsAnswer>(['requests', only], path, {
    refetchInterval: 5_000,
  })
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={520}>
          {t('requests.text')}
        </Text>
        <SegmentedControl
          aria-label={t('requests.which')}
          value={only}
          onChange={setOnly}
          data={[
            { value: 'all', label: t('requests.all') },
            { value: 'refused', label: t('requests.refused') },
          ]}
        />
      </Group>
      <Paper className="card-flush" p={0}>
        <Loaded query={recent}>
          {({ requests }) =>
            requests.length === 0 ? (
              <Empty
                icon="developers"
                title={only === 'all' ? t('requests.none') : t('requests.noneRefused')}
                text={t('requests.noneText')}
              />
            ) : (
              <RequestTable requests={requests} />
            )
          }
        </Loaded>
      </Paper>
    </Stack>
  )
}

function RequestTable({ requests }: { requests: RecentRequestAnswer[] }) {
  return (
    <DataTable
      label={t('developers.requests')}
      items={requests}
      keyOf={(request) => request.requestId}
      columns={[
        {
          head: t('requests.whenAndId'),
          cell: (request) => (
            <div>
              <Text size="sm" className="nowrap">
                {formatTime(request.at)}
              </Text>
              <Text size="xs" c="dimmed" className="mono nowrap">
                {request.requestId}
              </Text>
            </div>
          ),
        },
        {
          head: t('requests.request'),
          cell: (request) => (
            <div className="wide-cell">
              <Text size="sm" className="mono wrap-anywhere">
                {request.method} {request.path}
              </Text>
              <Text size="xs" c="dimmed" className="wrap-anywhere">
                {request.tokenName}
              </Text>
            </div>
          ),
        },
        {
          head: t('requests.answer'),
          cell: (request) => (
            <div>
              <Group gap="xs" wrap="nowrap">
                <Badge color={colorOf(request.status)}>{request.status}</Badge>
                {request.code === null ? null : (
                  <Anchor href={`/docs/errors#${request.code}`} size="sm" className="mono">
                    {request.code}
                  </Anchor>
                )}
              </Group>
              {request.detail === null ? null : (
                <Text size="xs" c="dimmed" maw={380} className="wrap-anywhere">
                  {request.detail}
                </Text>
              )}
            </div>
          ),
        },
        {
          head: t('requests.took'),
          right: true,
          cell: (request) => (
            <span className="nowrap">{t('requests.ms', { ms: formatNumber(request.ms) })}</span>
          ),
        },
      ]}
    />
  )
}

function colorOf(status: number): string {
  if (status >= 500) return 'red'
  return status >= 400 ? 'orange' : 'teal'
}
