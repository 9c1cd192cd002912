/** Messages to players, of all campaigns: what they say, what became of them, and a way to stop them. */
import { Alert, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { MessageStopAnswer } from '../../../src/http/answers/messages.ts'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { PageHead } from '../parts/states.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { mayLeaveTab } from '../parts/unsaved.ts'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatTime, t } from '../texts.ts'
import { DeadAddresses } from './messages/dead-addresses.tsx'
import { MerchantTexts } from './messages/merchant-texts.tsx'
import { MessageLog } from './messages/message-log.tsx'

export function Messages() {
  const may = useMay()
  const tabs = [
    { value: 'texts', label: t('messages.texts'), content: <MerchantTexts /> },
    { value: 'log', label: t('messages.log'), content: <MessageLog /> },
    ...(may.serve ? [{ value: 'dead', label: t('messages.dead'), content: <DeadAddresses /> }] : []),
  ]
  return (
    <>
      <Stopping />
      <AddressTabs label={t('nav.messages')} mayLeave={mayLeaveTab} tabs={tabs} />
    </>
  )
}

/** The head of the view, with the button that stops everything. */
function Stopping() {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [isAsked, setAsked] = useState(false)
  const path = '/api/v1/messages/stop'
  const stop = useRead<MessageStopAnswer>(['message-stop'], path)
  const change = useAction<unknown, 'stop' | 'resume'>({
    mutationFn: (order) => (order === 'stop' ? api.put(path, {}) : api.del(path)),
    onSuccess: async (_, order) => {
      tellDone(t(`messages.done.${order}`))
      await refresh('message-stop')
      setAsked(false)
    },
    onError: tellProblem,
  })
  const stoppedAt = stop.data?.stoppedAt ?? null
  return (
    <>
      <PageHead title={t('nav.messages')} text={t('messages.text')}>
        {!may.edit || stop.data === undefined || stoppedAt !== null ? null : (
          <Button color="red" variant="light" onClick={() => setAsked(true)}>
            {t('messages.stop')}
          </Button>
        )}
      </PageHead>
      {stoppedAt === null ? null : (
        <Alert color="orange" icon={<Icon name="warning" />} title={t('messages.stopped')} mb="lg">
          <Text size="sm">{t('messages.stoppedText', { time: formatTime(stoppedAt) })}</Text>
          {may.edit ? (
            <Button mt="sm" size="xs" loading={change.isPending} onClick={() => change.mutate('resume')}>
              {t('messages.resume')}
            </Button>
          ) : null}
        </Alert>
      )}
      <Confirm
        opened={isAsked}
        title={t('messages.stopTitle')}
        text={t('messages.stopText')}
        action={t('messages.stop')}
        isRunning={change.isPending}
        onConfirm={() => change.mutate('stop')}
        onClose={() => setAsked(false)}
      />
    </>
  )
}
