/** A sound to upload, listen to and remove. */
import { Button, FileButton, Group } from '@mantine/core'
import { tellProblem } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'
import { playSound, readSound } from './sound.ts'

export function SoundField(props: {
  kind: 'tickSound' | 'winSound'
  value: string | undefined
  isReadOnly: boolean
  onChange: (sound: string | undefined) => void
}) {
  const { kind, value, isReadOnly, onChange } = props
  return (
    <Group>
      <FileButton
        accept="audio/mpeg,audio/wav,.mp3,.wav"
        onChange={(file) => file !== null && void readSound(file, kind).then(onChange, tellProblem)}
      >
        {(button) => (
          <Button {...button} variant="default" size="xs" disabled={isReadOnly}>
            {t(`look.${value === undefined ? 'add' : 'change'}.${kind}`)}
          </Button>
        )}
      </FileButton>
      {value === undefined ? null : (
        <>
          <Button variant="subtle" size="xs" onClick={() => void playSound(value).catch(tellProblem)}>
            {t('look.listen')}
          </Button>
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
