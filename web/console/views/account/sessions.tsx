/** The person's sessions, each with a button to end it. */
import { Badge, Button, Paper, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { StaffSessionsAnswer } from '../../../../src/http/answers/account.ts'
import { call } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { tellDone } from '../../parts/notify.ts'
import { Failure, Loaded } from '../../parts/states.tsx'
import { formatDistance, t } from '../../texts.ts'

export function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => call<StaffSessionsAnswer>('/api/v1/account/sessions', { signal }),
  })
  const end = useAction({
    mutationFn: (sessionId: string) => call(`/api/v1/account/sessions/${sessionId}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['account', 'sessions'] })
      tellDone(t('account.sessionEnded'))
    },
  })
  return (
    <Paper component="section" aria-labelledby="account-sessions">
      <Title order={2} id="account-sessions" mb="xs">
        {t('account.sessions')}
      </Title>
      {end.error === null ? null : <Failure error={end.error} />}
      <Loaded query={sessions} rows={2}>
        {(data) => (
          <ul className="feed">
            {data.sessions.map((one) => (
              <li key={one.sessionId}>
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={600}>
                    {browserName(one.browser)}
                    {one.isThisOne ? (
                      <Badge ml="xs" color="teal">
                        {t('account.thisOne')}
                      </Badge>
                    ) : null}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t('account.sessionSeen', { address: one.address, when: formatDistance(one.lastSeenAt) })}
                  </Text>
                </div>
                {one.isThisOne ? null : (
                  <Button size="xs" variant="default" onClick={() => end.mutate(one.sessionId)}>
                    {t('account.endSession')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Paper>
  )
}

/** Only precise enough to tell one's own browsers apart. */
export function browserName(agent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'].find((name) =>
    agent.includes(name),
  )
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  if (browser === undefined) return agent.slice(0, 60)
  const known = names[browser] ?? browser
  return system === undefined ? known : t('account.browserOn', { browser: known, system })
}
