/** Adding a webhook, and changing its address, description and types. */
import { Button, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { loggedEventTypes } from '../../../../src/events/event-types.ts'
import type { SecretAnswer, WebhookAnswer } from '../../../../src/http/answers/webhooks.ts'
import { Problem } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { onlyByButton, SecretOnce } from './webhook-secret.tsx'

type Settings = { url: string; description: string; types: string[] | null }

export function AddWebhook({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const add = useAction({
    mutationFn: (settings: Settings) => api.post<SecretAnswer>('/api/v1/webhooks', settings),
    onSuccess: () => refresh('webhooks'),
    onError: tellUnlessUrl,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      {...(add.data === undefined ? {} : onlyByButton)}
      title={<Text fw={650}>{t('webhooks.add')}</Text>}
    >
      {add.data === undefined ? (
        <Fields
          settings={{ url: '', description: '', types: null }}
          action={t('webhooks.add')}
          isRunning={add.isPending}
          error={add.error}
          onSubmit={(settings) => add.mutate(settings)}
        />
      ) : (
        <Stack>
          <SecretOnce secret={add.data.secret} />
          <Button onClick={onClose}>{t('action.done')}</Button>
        </Stack>
      )}
    </Modal>
  )
}

export function EditWebhook({ webhook, onClose }: { webhook: WebhookAnswer; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const change = useAction({
    mutationFn: (settings: Settings) => api.patch(`/api/v1/webhooks/${webhook.webhookId}`, settings),
    onSuccess: async () => {
      tellDone(t('webhooks.saved'))
      onClose()
      await refresh('webhooks')
    },
    onError: tellUnlessUrl,
  })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>{t('webhooks.edit')}</Text>}>
      <Fields
        settings={webhook}
        note={t('webhooks.editText')}
        action={t('action.save')}
        isRunning={change.isPending}
        error={change.error}
        onSubmit={(settings) => change.mutate(settings)}
      />
    </Modal>
  )
}

function Fields(props: {
  settings: Settings
  note?: string
  action: string
  isRunning: boolean
  error: Error | null
  onSubmit: (settings: Settings) => void
}) {
  const [url, setUrl] = useState(props.settings.url)
  const [description, setDescription] = useState(props.settings.description)
  const [types, setTypes] = useState<string[]>(props.settings.types ?? [])
  const submit = () =>
    props.onSubmit({
      url,
      description,
      types: types.length === 0 ? null : types,
    })
  return (
    <Form onSubmit={submit}>
      <TextField
        label={t('webhooks.url')}
        type="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
        error={urlProblem(props.error)}
        required
        lengthMax={2_000}
        data-autofocus
      />
      <TextField
        label={t('webhooks.description')}
        value={description}
        onChange={setDescription}
        lengthMax={200}
      />
      <MultiSelect
        label={t('webhooks.types')}
        placeholder={types.length === 0 ? t('webhooks.allTypes') : ''}
        data={loggedEventTypes}
        value={types}
        onChange={setTypes}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('events.clearTypes') }}
      />
      {props.note === undefined ? null : (
        <Text size="sm" c="dimmed">
          {props.note}
        </Text>
      )}
      <Submit loading={props.isRunning}>{props.action}</Submit>
    </Form>
  )
}

/** What is wrong with the address is shown beside it. */
function urlProblem(error: Error | null): string | null {
  if (!(error instanceof Problem)) return null
  const wrong = error.errors.find(({ pointer }) => pointer === '/url')
  return wrong === undefined ? null : t('webhooks.urlProblem', { detail: wrong.detail })
}

function tellUnlessUrl(error: Error): void {
  if (urlProblem(error) === null) tellProblem(error)
}
