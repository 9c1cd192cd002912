import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { WebhooksAnswer } from '../../../../src/http/answers/webhooks.ts'
import { Icon } from '../../parts/icons.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { useMay, useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { WebhookCard } from './webhook-card.tsx'
import { AddWebhook } from './webhook-form.tsx'

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
      {isAdding ? <AddWebhook onClose={() => setAdding(false)} /> : null}
    </Stack>
  )
}
