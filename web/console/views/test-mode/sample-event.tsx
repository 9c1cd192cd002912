import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { loggedEventTypes } from '../../../../src/events/event-types.ts'
import { useAction } from '../../parts/action.ts'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useMay, useMerchant } from '../../session.tsx'
import { t } from '../../texts.ts'

/** Writes an event with example data into the log of a test merchant. */
export function SampleEvent() {
  const { live } = useMerchant()
  const may = useMay()
  const api = useApi()
  const [type, setType] = useState<string>('prize.won')
  const send = useAction({
    mutationFn: () => api.post('/api/v1/test/events', { type }),
    onSuccess: () => tellDone(t('sampleEvent.done', { type })),
    onError: tellProblem,
  })
  if (live || !may.edit) return null
  return (
    <Group gap="xs" align="flex-end" mb="md">
      <Select
        label={t('sampleEvent.type')}
        description={t('sampleEvent.text')}
        data={loggedEventTypes}
        value={type}
        allowDeselect={false}
        searchable
        onChange={(chosen) => chosen !== null && setType(chosen)}
        style={{ flex: '1 1 16rem', maxWidth: '26rem' }}
      />
      <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
        {t('sampleEvent.action')}
      </Button>
    </Group>
  )
}
