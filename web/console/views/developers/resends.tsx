import { Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ResendAnswer, ResendsAnswer } from '../../../../src/http/answers/resends.ts'
import { useApi } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'

const recentMs = 60 * 60_000

/** The progress of the resends of the last hour. */
export function Resends({ webhookId }: { webhookId: string }) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: [api.merchant, 'webhook', webhookId, 'resends'],
    queryFn: ({ signal }) => api.get<ResendsAnswer>(`/api/v1/webhooks/${webhookId}/resends`, signal),
    refetchInterval: ({ state }) => (state.data?.resends.some(isRunning) === true ? 1_000 : false),
  })
  const recent = (data?.resends ?? []).filter(
    (resend) => isRunning(resend) || Date.parse(resend.createdAt) > Date.now() - recentMs,
  )
  if (recent.length === 0) return null
  return (
    <Stack gap={4} mt="sm" component="ul" className="plain-list" aria-label={t('resend.list')}>
      {recent.slice(0, 5).map((resend) => (
        <Group key={resend.resendId} component="li" gap="xs">
          {isRunning(resend) ? <Loader size="xs" aria-label={t('resend.running')} /> : null}
          <Text size="sm">
            {t(isRunning(resend) ? 'resend.progress' : 'resend.finished', {
              count: resend.queued,
              time: formatTime(resend.createdAt),
            })}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function isRunning({ state }: ResendAnswer): boolean {
  return state === 'running'
}
