import { Button, FileButton, Group, Text } from '@mantine/core'
import { tellProblem } from '../../../parts/notify.ts'
import { Term } from '../../../parts/term.tsx'
import { t } from '../../../texts.ts'
import { readPicture } from '../look/picture.ts'
import type { SegmentFields } from './segment-fields.ts'

/** The picture of a segment, beside the segment's id. */
export function SegmentPicture({ segment, isReadOnly, set }: SegmentFields) {
  return (
    <Group gap="sm">
      <FileButton
        accept="image/png,image/jpeg,image/webp"
        onChange={(file) =>
          file !== null && void readPicture(file).then((image) => set({ image }), tellProblem)
        }
      >
        {(button) => (
          <Button {...button} variant="default" size="xs" disabled={isReadOnly}>
            {segment.image === undefined ? t('segment.addPicture') : t('segment.changePicture')}
          </Button>
        )}
      </FileButton>
      {segment.image === undefined ? null : (
        <>
          <img
            src={segment.image}
            alt={t('segment.picture')}
            width={32}
            height={32}
            style={{ objectFit: 'contain' }}
          />
          <Button variant="subtle" color="red" size="xs" onClick={() => set({ image: undefined })}>
            {t('segment.removePicture')}
          </Button>
        </>
      )}
      <Term name="id">
        <Text size="xs" c="dimmed" ml="auto" pr="xl">
          {t('segment.id')} <span className="mono">{segment.id}</span>
        </Text>
      </Term>
    </Group>
  )
}
