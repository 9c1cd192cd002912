import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { ClockAnswer } from '../../../../src/http/answers/test-mode.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { MomentField } from '../../parts/time-fields.tsx'
import { zonedMoment, zonedText } from '../../parts/zoned-time.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { formatZoned, t } from '../../texts.ts'

/** Sets the clock of the test merchant forward: by a day, by a week, or to a moment. */
export function ClockDialog(props: { opened: boolean; now: string; zone: string; onClose: () => void }) {
  const { now, zone } = props
  const api = useApi()
  const refresh = useRefresh()
  const [at, setAt] = useState<string>()
  const set = useAction({
    mutationFn: (to: string) => api.put<ClockAnswer>('/api/v1/test/clock', { now: to }),
    onSuccess: async ({ data }) => {
      setAt(undefined)
      props.onClose()
      tellDone(t('testClock.done', { time: formatZoned(data.now, zone) }))
      await refresh()
    },
    onError: tellProblem,
  })
  const isPast = at !== undefined && at < now
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={<Text fw={650}>{t('testClock.title')}</Text>}>
      <Form onSubmit={() => at !== undefined && set.mutate(at)}>
        <Text size="sm">{t('testClock.text')}</Text>
        <Text size="sm" fw={600}>
          {t('testClock.now', { time: formatZoned(now, zone), zone })}
        </Text>
        <Group gap="xs">
          {([1, 7] as const).map((days) => (
            <Button
              key={days}
              variant="default"
              loading={set.isPending}
              onClick={() => set.mutate(daysAfter(now, days, zone))}
            >
              {t(days === 1 ? 'testClock.day' : 'testClock.week')}
            </Button>
          ))}
        </Group>
        <MomentField
          label={t('testClock.moment')}
          zone={zone}
          value={at}
          error={isPast ? t('testClock.past') : null}
          onChange={setAt}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Submit loading={set.isPending} disabled={at === undefined || isPast}>
            {t('testClock.action')}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}

/** The same time of day in the zone, some days later. If clocks skip it then, `days` times 24 hours later. */
function daysAfter(now: string, days: number, zone: string): string {
  const dayMs = 86_400_000
  const [date = '', clock = ''] = zonedText(now, zone).split('T')
  const later = new Date(Date.parse(`${date}T00:00Z`) + days * dayMs).toISOString().slice(0, 10)
  return (zonedMoment(`${later}T${clock}`, zone) ?? new Date(Date.parse(now) + days * dayMs)).toISOString()
}
