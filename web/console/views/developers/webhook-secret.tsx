import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import type { SecretAnswer, WebhookAnswer } from '../../../../src/http/answers/webhooks.ts'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'

/** For a dialog that shows a secret once: a key or a click beside it must not close it. */
export const onlyByButton = {
  closeOnEscape: false,
  closeOnClickOutside: false,
  withCloseButton: false,
} as const

export function SecretOnce({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
        {t('webhooks.secretOnce')}
      </Alert>
      <CopyText text={secret} label={t('webhooks.secret')} />
    </Stack>
  )
}

/** Asks first, then shows the new secret once. */
export function RotateSecret({ webhook, onClose }: { webhook: WebhookAnswer; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const rotate = useAction({
    mutationFn: () => api.post<SecretAnswer>(`/api/v1/webhooks/${webhook.webhookId}/secret`),
    onSuccess: () => refresh('webhooks'),
    onError: tellProblem,
  })
  const { oldSecretUntil } = webhook
  if (rotate.data !== undefined)
    return (
      <Modal opened onClose={onClose} {...onlyByButton} title={<Text fw={650}>{t('webhooks.secret')}</Text>}>
        <Stack>
          <SecretOnce secret={rotate.data.secret} />
          <Button onClick={onClose}>{t('action.done')}</Button>
        </Stack>
      </Modal>
    )
  return (
    <Confirm
      opened
      title={t('webhooks.rotate')}
      text={
        <Stack gap="xs">
          <span>{t('webhooks.rotateText')}</span>
          {oldSecretUntil !== null && new Date(oldSecretUntil) > new Date() ? (
            <strong>{t('webhooks.rotateTwice', { time: formatTime(oldSecretUntil) })}</strong>
          ) : null}
        </Stack>
      }
      action={t('webhooks.rotateAction')}
      isRunning={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    />
  )
}
