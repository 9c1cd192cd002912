import { Button, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WheelAnswer } from '../../../../src/http/answers/wheels.ts'
import { useApi, useSession } from '../../session.tsx'
import { t } from '../../texts.ts'

/** The draft was saved elsewhere: says by whom, and the person decides which draft stays. */
export function Conflict(props: { slug: string; opened: boolean; onMine: () => void; onTheirs: () => void }) {
  const { slug, opened, onMine, onTheirs } = props
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      withCloseButton={false}
      title={<Text fw={650}>{t('conflict.title')}</Text>}
    >
      <Text size="sm">
        {opened ? <SavedBy slug={slug} /> : null} {t('conflict.text')}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onMine}>
          {t('conflict.mine')}
        </Button>
        <Button onClick={onTheirs} data-autofocus>
          {t('conflict.theirs')}
        </Button>
      </Group>
    </Modal>
  )
}

function SavedBy({ slug }: { slug: string }) {
  const api = useApi()
  const { email } = useSession().staff
  const saved = useQuery({
    queryKey: [api.merchant, 'conflict', slug],
    queryFn: ({ signal }) => api.get<WheelAnswer>(`/api/v1/wheels/${slug}`, signal),
    gcTime: 0,
  }).data?.draftSavedBy
  if (saved === undefined || saved === null) return null
  return saved === `staff:${email}`
    ? t('conflict.you')
    : t('conflict.by', { who: saved.replace(/^\w+:/, '') })
}
