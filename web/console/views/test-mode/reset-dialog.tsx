import { List, Text } from '@mantine/core'
import { useLocation } from 'wouter'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'

/** Replaces the test merchant by a fresh one. */
export function ResetDialog(props: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const reset = useAction({
    mutationFn: () => api.post('/api/v1/test/reset'),
    onSuccess: async () => {
      props.onClose()
      tellDone(t('testReset.done'))
      go(`/m/${api.merchant}/campaigns`)
      await refresh()
    },
    onError: tellProblem,
  })
  return (
    <Confirm
      opened={props.opened}
      title={t('testReset.title')}
      text={
        <>
          <Text size="sm">{t('testReset.text')}</Text>
          <List size="sm" mt="xs" spacing={4}>
            <List.Item>{t('testReset.gone')}</List.Item>
            <List.Item>{t('testReset.clock')}</List.Item>
            <List.Item>{t('testReset.stays')}</List.Item>
          </List>
        </>
      }
      action={t('testReset.action')}
      isRunning={reset.isPending}
      onConfirm={() => reset.mutate()}
      onClose={props.onClose}
    />
  )
}
