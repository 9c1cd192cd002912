/** Promotes a wheel or a campaign from the test merchant to the live one, after showing what would change there. */
import { Alert, Button, Checkbox, Group, List, Modal, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PromotedAnswer, PromotionAnswer } from '../../../../src/http/answers/promotions.ts'
import { call } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { useMay, useMerchant } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'
import { Differences } from '../editor/publishing/differences.tsx'
import { otherMode, testNameOf } from './other-mode.ts'
import { differenceOf } from './promotion-differences.ts'

type Promoted = { kind: 'wheel' | 'campaign'; slug: string }

export function Promote(props: Promoted) {
  const { live } = useMerchant()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  if (live || !may.edit) return null
  return (
    <>
      <Button variant="default" leftSection={<Icon name="up" size={16} />} onClick={() => setOpen(true)}>
        {t('promote.open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        size="xl"
        title={<Text fw={650}>{t('promote.title', { name: props.slug })}</Text>}
      >
        <Promotion {...props} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

/** It is read and made with the person's role at the live merchant. */
function Promotion({ kind, slug, onClose }: Promoted & { onClose: () => void }) {
  const merchant = useMerchant()
  const live = otherMode(merchant)
  const client = useQueryClient()
  const [publish, setPublish] = useState(false)
  const test = testNameOf(merchant)
  const path = `/api/v1/test-merchant/${kind}s/${slug}/promotion?${test === undefined ? '' : `test=${test}&`}`
  const promotion = useQuery({
    queryKey: [merchant.merchant, 'promotion', kind, slug, publish],
    queryFn: ({ signal }) => call<PromotionAnswer>(`${path}publish=${publish}`, { merchant: live, signal }),
    gcTime: 0,
    retry: false,
  })
  const promote = useAction({
    mutationFn: ({ revision }: PromotionAnswer) =>
      call<PromotedAnswer>(path, {
        method: 'POST',
        merchant: live,
        body: { publish },
        headers: { 'If-Match': `"${revision}"` },
      }),
    onSuccess: async ({ version }) => {
      onClose()
      tellDone(version === null ? t('promote.done') : t('promote.published', { version }))
      await client.invalidateQueries({ queryKey: [live] })
    },
    onError: async (error) => {
      tellProblem(error)
      await promotion.refetch()
    },
  })
  const shown = promotion.data
  const isBlocked = shown === undefined || (publish && shown.problems.length > 0)
  return (
    <Form onSubmit={() => shown !== undefined && promote.mutate(shown)}>
      <Text size="sm">{t('promote.text', { live })}</Text>
      <Checkbox
        label={t('promote.publish')}
        description={t('promote.publishText')}
        checked={publish}
        onChange={(event) => setPublish(event.currentTarget.checked)}
      />
      <Loaded query={promotion}>{(data) => <Facts promotion={data} />}</Loaded>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Submit loading={promote.isPending} disabled={isBlocked || shown.changes.length === 0}>
          {t(publish ? 'promote.andPublish' : 'promote.action')}
        </Submit>
      </Group>
    </Form>
  )
}

function Facts({ promotion }: { promotion: PromotionAnswer }) {
  const { changes, problems, publishes } = promotion
  const facts = factsOf(promotion)
  return (
    <>
      <Differences found={changes.map(differenceOf)} />
      {facts.length === 0 ? null : (
        <List size="sm" spacing={4}>
          {facts.map((fact) => (
            <List.Item key={fact}>{fact}</List.Item>
          ))}
        </List>
      )}
      {problems.length === 0 ? null : (
        <Alert
          color={publishes ? 'red' : 'orange'}
          variant="light"
          icon={<Icon name="warning" />}
          title={t('promote.problems')}
        >
          <List size="sm">
            {problems.map(({ pointer, detail }) => (
              <List.Item key={`${pointer} ${detail}`}>
                {pointer} {detail}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

/** What happens to stock and codes, and what else one should know. */
function factsOf({ stock, pools, notes }: PromotionAnswer): string[] {
  return [
    ...stock.map(({ segment, stock: count, given, isKept }) =>
      isKept
        ? t('promote.stockKept', { segment, stock: count, given })
        : t('promote.stockNew', { segment, stock: count }),
    ),
    ...pools.map(({ pool, codesLeft }) =>
      codesLeft === null ? t('promote.noPool', { pool }) : t('promote.pool', { pool, left: codesLeft }),
    ),
    ...notes.map(({ code, about }) => t(`promote.note.${code}`, { about: aboutText(about) })),
  ]
}

function aboutText(about: string | null): string {
  return about !== null && /^\d{4}-\d\d-\d\dT/.test(about) ? formatTime(about) : (about ?? '')
}
