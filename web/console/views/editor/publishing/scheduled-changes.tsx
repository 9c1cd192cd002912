import { Modal, Text } from '@mantine/core'
import { Waiting } from '../../../parts/states.tsx'
import { t } from '../../../texts.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Warnings } from '../checks.tsx'
import { Changes, effectsBy } from './changes.tsx'
import { useFacts } from './facts.ts'
import type { Published } from './published.ts'

/** What a scheduled publication will change. */
export function ScheduledChanges(props: {
  slug: string
  published: Published
  /** What is published later. */
  frozen: WheelDocument | undefined
  at: string
  opened: boolean
  onClose: () => void
}) {
  const { slug, published, frozen, at, opened, onClose } = props
  const before = published.live.data?.document
  const facts = useFacts(slug, { enabled: opened, at: Date.parse(at) })
  const effects = effectsBy(facts, before, frozen)
  const warnings = [...(effects?.serious ?? []), ...(effects?.outdated ?? []), ...(effects?.known ?? [])]
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{t('scheduled.changes')}</Text>}
      styles={{ body: { display: 'grid', gap: 'var(--mantine-spacing-md)' } }}
    >
      {facts === undefined || effects === undefined || frozen === undefined ? (
        <Waiting rows={3} />
      ) : (
        <>
          {warnings.length === 0 ? null : <Warnings warnings={warnings} title={t('scheduled.warnings')} />}
          <Changes
            {...{ slug, before, facts, effects, at }}
            of="scheduled"
            after={frozen}
            hasProblems={false}
          />
        </>
      )}
    </Modal>
  )
}
