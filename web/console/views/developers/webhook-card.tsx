import { Alert, Badge, Button, Group, Menu, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import type { TestAnswer, WebhookAnswer } from '../../../../src/http/answers/webhooks.ts'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icons.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useMay, useRefresh } from '../../session.tsx'
import { formatDistance, formatTime, t, textOf } from '../../texts.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { Resends } from './resends.tsx'
import { EditWebhook } from './webhook-form.tsx'
import { WebhookLog } from './webhook-log.tsx'
import { RotateSecret } from './webhook-secret.tsx'

const stateColours = { active: 'teal', paused: 'gray', disabled: 'red' }

type Dialog = 'edit' | 'rotate' | 'resend' | 'delete'

export function WebhookCard({ webhook }: { webhook: WebhookAnswer }) {
  const may = useMay()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setDialog(null)
  return (
    <Paper component="section" aria-label={webhook.url}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={650} className="wrap-anywhere">
              {webhook.url}
            </Text>
            <Badge color={stateColours[webhook.state]}>{textOf(`webhooks.state.${webhook.state}`)}</Badge>
          </Group>
          <Text size="sm" c="dimmed" className="wrap-anywhere">
            {webhook.description === '' ? null : `${webhook.description} · `}
            {webhook.types === null ? t('webhooks.allTypes') : webhook.types.join(', ')}
          </Text>
        </div>
        {may.edit ? <Actions webhook={webhook} onChoose={setDialog} /> : null}
      </Group>
      <Troubles webhook={webhook} />
      <Group gap="md" mt="sm">
        <Text size="sm" c="dimmed">
          {t('webhooks.lag', { count: webhook.lag })}
        </Text>
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('webhooks.hideLog') : t('webhooks.showLog')}
        </Button>
      </Group>
      <Resends webhookId={webhook.webhookId} />
      {isOpen ? <WebhookLog webhookId={webhook.webhookId} onResend={() => setDialog('resend')} /> : null}
      {dialog === 'edit' ? <EditWebhook webhook={webhook} onClose={close} /> : null}
      {dialog === 'rotate' ? <RotateSecret webhook={webhook} onClose={close} /> : null}
      {dialog === 'resend' ? <ResendDialog webhook={webhook} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteWebhook webhook={webhook} onClose={close} /> : null}
    </Paper>
  )
}

function Troubles({ webhook }: { webhook: WebhookAnswer }) {
  const { failures, failingSince, lastFault, oldSecretUntil } = webhook
  const hasOldSecret = oldSecretUntil !== null && new Date(oldSecretUntil) > new Date()
  return (
    <>
      {failures > 0 && failingSince !== null ? (
        <Alert color="orange" variant="light" mt="sm" p="xs" icon={<Icon name="warning" size={16} />}>
          {t('webhooks.failing', { count: failures, since: formatDistance(failingSince) })}
        </Alert>
      ) : null}
      {lastFault === null ? null : (
        <Text size="sm" c="dimmed" mt="sm" title={formatTime(lastFault.at)}>
          {t('webhooks.lastFault', { why: whyFailed(lastFault), when: formatDistance(lastFault.at) })}
        </Text>
      )}
      {hasOldSecret ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t('webhooks.oldSecret', { time: formatTime(oldSecretUntil) })}
        </Text>
      ) : null}
    </>
  )
}

function Actions(props: { webhook: WebhookAnswer; onChoose: (dialog: Dialog) => void }) {
  const { webhook, onChoose } = props
  const api = useApi()
  const refresh = useRefresh()
  const path = `/api/v1/webhooks/${webhook.webhookId}`
  const isActive = webhook.state === 'active'
  const pause = useAction({
    mutationFn: async () => {
      await (isActive ? api.put(`${path}/pause`) : api.del(`${path}/pause`))
    },
    onSuccess: () => refresh('webhooks'),
    onError: tellProblem,
  })
  const test = useAction({
    mutationFn: () => api.post<TestAnswer>(`${path}/test`),
    onSuccess: async (result) => {
      if (result.delivered)
        tellDone(t('webhooks.testTaken', { status: result.status ?? 0, ms: result.tookMs }))
      else tellProblem(new Error(t('webhooks.testFailed', { why: whyFailed(result) })))
      await refresh('webhook', webhook.webhookId)
    },
    onError: tellProblem,
  })
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t('webhooks.test')}
      </Button>
      <Button size="xs" variant="default" onClick={() => onChoose('edit')}>
        {t('webhooks.editShort')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" px={8} aria-label={t('webhooks.moreFor', { url: webhook.url })}>
            <Icon name="chevron" size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => pause.mutate()}>
            {isActive ? t('editor.pause') : t('editor.resume')}
          </Menu.Item>
          <Menu.Item onClick={() => onChoose('resend')}>{t('resend.open')}</Menu.Item>
          <Menu.Item onClick={() => onChoose('rotate')}>{t('webhooks.rotateOpen')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onChoose('delete')}>
            {t('webhooks.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function DeleteWebhook({ webhook, onClose }: { webhook: WebhookAnswer; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const remove = useAction({
    mutationFn: () => api.del(`/api/v1/webhooks/${webhook.webhookId}`),
    onSuccess: async () => {
      onClose()
      await refresh('webhooks')
    },
    onError: tellProblem,
  })
  return (
    <Confirm
      opened
      title={t('webhooks.delete')}
      text={t('webhooks.deleteText')}
      action={t('webhooks.delete')}
      isRunning={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

/** Why a test failed, as a part of a sentence. */
function whyFailed({ fault, status }: Pick<TestAnswer, 'fault' | 'status'>): string {
  if (fault === null) return t('webhooks.testStatus', { status: String(status) })
  const words = textOf(`fault.${fault}`)
  return words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, '')
}
