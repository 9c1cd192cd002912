/** A prize gets another kind: asks what to do with its texts in other languages. */
import { Button, Group, Modal, Text } from '@mantine/core'
import { doubtTranslations, removeTranslations } from '../../../../../src/wheel-document/translated-from.ts'
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { t } from '../../../texts.ts'
import { languageNames } from '../texts/language-name.ts'

export function KindChange(props: {
  /** The wheel with the new kind; null while nothing is asked. */
  next: WheelDocument | null
  segment: WheelSegment
  onDone: (next: WheelDocument) => void
  onClose: () => void
}) {
  const { next, segment, onDone, onClose } = props
  const remove = (wheel: WheelDocument) =>
    onDone(removeTranslations(wheel, (place) => place.segment === segment.id))
  return (
    <Modal opened={next !== null} onClose={onClose} title={<Text fw={650}>{t('kind.title')}</Text>} size="lg">
      <Text size="sm">
        {t('kind.text', {
          label: segment.label,
          languages: languageNames(Object.keys(segment.translations ?? {})),
        })}{' '}
        {t('kind.removeHint')}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          variant="default"
          onClick={() => next !== null && onDone(doubtTranslations(next, segment.id))}
        >
          {t('kind.keep')}
        </Button>
        <Button onClick={() => next !== null && remove(next)} data-autofocus>
          {t('kind.remove')}
        </Button>
      </Group>
    </Modal>
  )
}
