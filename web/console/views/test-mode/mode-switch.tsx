/** Switches between a merchant and its test merchant, for the same person with the same role. */
import { Box, Button, Group, Modal, SegmentedControl, Select, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TestMerchantAnswer } from '../../../../src/http/answers/test-mode.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { type MerchantRole, sessionKey, useApi, useMay, useSession } from '../../session.tsx'
import { t } from '../../texts.ts'
import { otherMode, sameView } from './other-mode.ts'

export function ModeSwitch({ merchant }: { merchant: MerchantRole }) {
  const { merchants } = useSession()
  const [path, go] = useLocation()
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const other = otherMode(merchant)
  const live = merchant.live ? merchant.merchant : other
  const tests = merchants.filter((one) => !one.live && otherMode(one) === live)
  const isThere = merchants.some((one) => one.merchant === other)
  if (!isThere && !may.edit) return null
  const mode = merchant.live ? 'live' : 'test'
  return (
    <Box px="sm" pb="xs">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('mode.label')}
        data={(['live', 'test'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
        value={mode}
        onChange={() => (isThere ? go(sameView(path, other)) : setCreating(true))}
      />
      {tests.length > 1 && mode === 'test' && (
        <Select
          mt="xs"
          size="xs"
          aria-label={t('mode.which')}
          allowDeselect={false}
          data={tests.map((one) => ({ value: one.merchant, label: one.merchant }))}
          value={merchant.merchant}
          onChange={(chosen) => chosen !== null && go(sameView(path, chosen))}
        />
      )}
      <CreateTestMerchant
        opened={isCreating}
        onClose={() => setCreating(false)}
        onCreated={() => go(sameView(path, other))}
      />
    </Box>
  )
}

function CreateTestMerchant(props: { opened: boolean; onClose: () => void; onCreated: () => void }) {
  const api = useApi()
  const client = useQueryClient()
  const create = useAction({
    mutationFn: () => api.put<TestMerchantAnswer>('/api/v1/test-merchant'),
    onSuccess: async () => {
      await client.refetchQueries({ queryKey: sessionKey })
      props.onClose()
      props.onCreated()
    },
    onError: tellProblem,
  })
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={<Text fw={650}>{t('testCreate.title')}</Text>}
    >
      <Form onSubmit={() => create.mutate()}>
        <Text size="sm">{t('testCreate.text')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Submit loading={create.isPending} data-autofocus>
            {t('testCreate.action')}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}
