/** The empty, loading and failed states of a view. */
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../api.ts'
import { t } from '../texts.ts'
import { Icon, type IconName } from './icons.tsx'
import { messageOf } from './problem-words.ts'

export function Empty(props: { icon: IconName; title: string; text: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <span className="tile">
        <Icon name={props.icon} size={22} />
      </span>
      <Text fw={650}>{props.title}</Text>
      <Text size="sm" c="dimmed" maw={420}>
        {props.text}
      </Text>
      {props.children === undefined ? null : <Group mt="xs">{props.children}</Group>}
    </Stack>
  )
}

export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <Stack gap="sm" p="md" aria-busy="true" aria-label={t('state.loading')} role="status">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={18} width={`${90 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  // A refusal is a rule that worked: its own sentence says it all.
  const isRefusal = error instanceof Problem && error.isRefusal
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={isRefusal ? undefined : t('state.failed')}
      role="alert"
      m="md"
    >
      <Text size="sm">{messageOf(error)}</Text>
      {error instanceof Problem && !isRefusal && error.requestId ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t('state.requestId', { id: error.requestId })}
        </Text>
      ) : null}
      {onRetry === undefined ? null : (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  )
}

/** Shows a query as loading, failed or loaded. All lists and cards use it. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>
  rows?: number
  children: (data: T) => ReactNode
}) {
  const { query } = props
  if (query.data !== undefined) return <>{props.children(query.data)}</>
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Waiting {...(props.rows === undefined ? {} : { rows: props.rows })} />
}

export function PageHead(props: { title: string; text?: string | undefined; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <div className="wrap-anywhere">
        <Title order={1}>{props.title}</Title>
        {props.text === undefined ? null : (
          <Text c="dimmed" mt={2}>
            {props.text}
          </Text>
        )}
      </div>
      {props.children === undefined ? null : <Group gap="xs">{props.children}</Group>}
    </Group>
  )
}
