import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Menu,
  Modal,
  MultiSelect,
  Paper,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  AttemptsAnswer,
  DeliveriesAnswer,
  SecretAnswer,
  TestAnswer,
  WebhookAnswer,
  WebhooksAnswer,
} from '../../../src/http/answers/webhooks.ts'
import { loggedEventTypes } from '../../../src/events/event-types.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatDistance, formatTime, t, textOf } from '../texts.ts'

const stateColours = { active: 'teal', paused: 'gray', disabled: 'red' }

export function Webhooks() {
  const webhooks = useRead<WebhooksAnswer>(['webhooks'], '/api/v1/webhooks', {
    refetchInterval: 10_000,
  })
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const add = may.edit ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('webhooks.add')}
    </Button>
  ) : null
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('developers.webhooks')}</Title>
          <Text size="sm" c="dimmed">
            {t('webhooks.text')}
          </Text>
        </div>
        {add}
      </Group>
      <Loaded query={webhooks}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <Paper>
              <Empty icon="webhook" title={t('webhooks.none')} text={t('webhooks.noneText')}>
                {add}
              </Empty>
            </Paper>
          ) : (
            data.webhooks.map((webhook) => <WebhookCard key={webhook.webhookId} webhook={webhook} />)
          )
        }
      </Loaded>
      {isAdding ? <Add onClose={() => setAdding(false)} /> : null}
    </Stack>
  )
}

function WebhookCard({ webhook }: { webhook: WebhookAnswer }) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [isDeleting, setDeleting] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const path = `/api/v1/webhooks/${webhook.webhookId}`
  const change = useMutation({
    mutationFn: async (what: 'pause' | 'resume' | 'delete' | 'rotate' | 'resend') => {
      if (what === 'pause') await api.put(`${path}/pause`)
      if (what === 'resume') await api.del(`${path}/pause`)
      if (what === 'delete') await api.del(path)
      if (what === 'rotate') setSecret((await api.post<SecretAnswer>(`${path}/secret`)).secret)
      if (what === 'resend') {
        await api.post(`${path}/resend`, { only: 'dead', fromSeq: 1 })
        tellDone(t('webhooks.resending'))
      }
    },
    onSuccess: async () => {
      setDeleting(false)
      await refresh('webhooks')
    },
    onError: tellProblem,
  })
  const test = useMutation({
    mutationFn: () => api.post<TestAnswer>(`${path}/test`),
    onSuccess: async (result) => {
      if (result.delivered)
        tellDone(t('webhooks.testTaken', { status: result.status ?? 0, ms: result.tookMs }))
      else tellProblem(new Error(t('webhooks.testFailed', { why: result.fault ?? String(result.status) })))
      await refresh('webhook', webhook.webhookId)
    },
    onError: tellProblem,
  })
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
          <Text size="sm" c="dimmed">
            {webhook.description === '' ? null : `${webhook.description} · `}
            {webhook.types === null ? t('webhooks.allTypes') : webhook.types.join(', ')}
          </Text>
        </div>
        {may.edit ? (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('webhooks.test')}
            </Button>
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <Button
                  size="xs"
                  variant="default"
                  px={8}
                  aria-label={t('webhooks.moreFor', { url: webhook.url })}
                >
                  <Icon name="chevron" size={14} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => change.mutate(webhook.state === 'active' ? 'pause' : 'resume')}>
                  {webhook.state === 'active' ? t('editor.pause') : t('editor.resume')}
                </Menu.Item>
                <Menu.Item onClick={() => change.mutate('resend')}>{t('webhooks.resend')}</Menu.Item>
                <Menu.Item onClick={() => change.mutate('rotate')}>{t('webhooks.rotate')}</Menu.Item>
                <Menu.Divider />
                <Menu.Item color="red" onClick={() => setDeleting(true)}>
                  {t('webhooks.delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        ) : null}
      </Group>
      {webhook.failures > 0 && webhook.failingSince !== null ? (
        <Alert color="orange" variant="light" mt="sm" p="xs" icon={<Icon name="warning" size={16} />}>
          {t('webhooks.failing', { count: webhook.failures, since: formatDistance(webhook.failingSince) })}
        </Alert>
      ) : null}
      <Group gap="md" mt="sm">
        <Text size="sm" c="dimmed">
          {t('webhooks.lag', { count: webhook.lag })}
        </Text>
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('webhooks.hideLog') : t('webhooks.showLog')}
        </Button>
      </Group>
      {isOpen ? <Log path={path} id={webhook.webhookId} /> : null}
      <Confirm
        opened={isDeleting}
        title={t('webhooks.delete')}
        text={t('webhooks.deleteText')}
        action={t('webhooks.delete')}
        isRunning={change.isPending}
        onConfirm={() => change.mutate('delete')}
        onClose={() => setDeleting(false)}
      />
      <Modal
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={<Text fw={650}>{t('webhooks.secret')}</Text>}
      >
        <SecretOnce secret={secret ?? ''} />
      </Modal>
    </Paper>
  )
}

/** The log of delivery attempts, and the events that could not be delivered. */
function Log({ path, id }: { path: string; id: string }) {
  const attempts = useRead<AttemptsAnswer>(['webhook', id, 'attempts'], `${path}/attempts`, {
    refetchInterval: 5_000,
  })
  const dead = useRead<DeliveriesAnswer>(['webhook', id, 'dead'], `${path}/deliveries`, {
    refetchInterval: 10_000,
  })
  return (
    <Stack mt="sm" gap="sm">
      {dead.data === undefined || dead.data.deliveries.length === 0 ? null : (
        <Alert color="red" variant="light" p="xs">
          {t('webhooks.dead', { count: dead.data.deliveries.length })}
        </Alert>
      )}
      <Loaded query={attempts} rows={3}>
        {(data) =>
          data.attempts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('webhooks.noAttempts')}
            </Text>
          ) : (
            <div className="scroll" tabIndex={0} role="group" aria-label={t('webhooks.attempts')}>
              <Table className="table">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('ledger.when')}</Table.Th>
                    <Table.Th>{t('webhooks.event')}</Table.Th>
                    <Table.Th>{t('webhooks.answer')}</Table.Th>
                    <Table.Th>{t('webhooks.took')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.attempts.map((attempt, index) => (
                    <Table.Tr key={`${attempt.eventId} ${attempt.at} ${index}`}>
                      <Table.Td className="nowrap">{formatTime(attempt.at)}</Table.Td>
                      <Table.Td>
                        <Code>{attempt.type}</Code>
                      </Table.Td>
                      <Table.Td>
                        <Badge color={attempt.status !== null && attempt.status < 300 ? 'teal' : 'red'}>
                          {attempt.status ?? attempt.fault ?? '?'}
                        </Badge>
                      </Table.Td>
                      <Table.Td className="number nowrap">
                        {t('webhooks.ms', { count: attempt.tookMs })}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )
        }
      </Loaded>
    </Stack>
  )
}

function SecretOnce({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
        {t('webhooks.secretOnce')}
      </Alert>
      <CopyText text={secret} label={t('webhooks.secret')} />
    </Stack>
  )
}

function Add({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [types, setTypes] = useState<string[]>([])
  const add = useMutation({
    mutationFn: () =>
      api.post<SecretAnswer>('/api/v1/webhooks', {
        url: url.trim(),
        ...(description.trim() === '' ? {} : { description: description.trim() }),
        ...(types.length === 0 ? {} : { types }),
      }),
    onSuccess: () => refresh('webhooks'),
    onError: tellProblem,
  })
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>{t('webhooks.add')}</Text>}>
      {add.data === undefined ? (
        <Form onSubmit={() => add.mutate()}>
          <TextInput
            label={t('webhooks.url')}
            type="url"
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            required
            data-autofocus
          />
          <TextInput
            label={t('webhooks.description')}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={200}
          />
          <MultiSelect
            label={t('webhooks.types')}
            placeholder={types.length === 0 ? t('webhooks.allTypes') : ''}
            data={loggedEventTypes}
            value={types}
            onChange={setTypes}
            searchable
            clearable
          />
          <Submit loading={add.isPending}>{t('webhooks.add')}</Submit>
        </Form>
      ) : (
        <Stack>
          <SecretOnce secret={add.data.secret} />
          <Button onClick={onClose}>{t('action.done')}</Button>
        </Stack>
      )}
    </Modal>
  )
}
