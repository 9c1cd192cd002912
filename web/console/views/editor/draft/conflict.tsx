import { Button, Group, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WheelAnswer } from '../../../../../src/http/answers/wheels.ts'
import { ChangedBy } from '../../../parts/last-change.tsx'
import { useApi } from '../../../session.tsx'
import { t } from '../../../texts.ts'

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
  const saved = useQuery({
    queryKey: [api.merchant, 'conflict', slug],
    queryFn: ({ signal }) => api.get<WheelAnswer>(`/api/v1/wheels/${slug}`, signal),
    gcTime: 0,
  }).data
  const who = saved?.draftSavedBy ?? null
  const at = saved?.draftSavedAt ?? null
  return who === null || at === null ? null : <ChangedBy who={who} at={at} />
}
