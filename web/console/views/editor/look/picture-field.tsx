/** A picture to upload, change and remove. */
import { Button, FileButton, Group } from '@mantine/core'
import { tellProblem } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'
import { readPicture } from './picture.ts'

export function PictureField(props: {
  kind: 'logo' | 'picture'
  value: string | undefined
  isReadOnly: boolean
  /** The longer side at most, in pixels. */
  size: number
  onChange: (picture: string | undefined) => void
}) {
  const { kind, value, isReadOnly, size, onChange } = props
  return (
    <Group>
      <FileButton
        accept="image/png,image/jpeg,image/webp"
        onChange={(file) => file !== null && void readPicture(file, size).then(onChange, tellProblem)}
      >
        {(button) => (
          <Button {...button} variant="default" size="xs" disabled={isReadOnly}>
            {t(`look.${value === undefined ? 'add' : 'change'}.${kind}`)}
          </Button>
        )}
      </FileButton>
      {value === undefined ? null : (
        <>
          <img
            src={value}
            alt={t(`look.${kind}`)}
            height={36}
            style={{ maxWidth: 120, objectFit: 'contain' }}
          />
          <Button
            variant="subtle"
            color="red"
            size="xs"
            disabled={isReadOnly}
            onClick={() => onChange(undefined)}
          >
            {t('look.removeLogo')}
          </Button>
        </>
      )}
    </Group>
  )
}
