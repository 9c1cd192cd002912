import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { addresses } from '../../../../../src/wheel-document/look-choices.ts'
import { themeOf } from '../../../../game/look/themes.ts'
import { ColourField } from '../../../parts/colour-field.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import { Choice } from './choice.tsx'
import { ContrastAdvice } from './contrast-advice.tsx'
import type { EditorProps } from '../editor-props.ts'
import { FontAndSound } from './font-and-sound.tsx'
import { PictureField } from './picture-field.tsx'
import { ThemePicker } from './theme-picker.tsx'

type Look = NonNullable<EditorProps['wheel']['look']>

const colours = ['background', 'surface', 'accent', 'text'] as const

export function LookPanel(props: EditorProps) {
  const { wheel, onChange, isReadOnly, errors } = props
  const look: Look = wheel.look ?? {}
  const { background, surface, accent, text } = { ...themeOf(look.theme).colours, ...look }
  const shown = { background, surface, accent, text }
  const set = (changes: Parameters<typeof changed<Look>>[1]) => {
    const next = changed(look, changes)
    onChange(
      changed(wheel, { look: Object.keys(next).length === 0 ? undefined : next }),
      `look ${Object.keys(changes).join()}`,
    )
  }
  return (
    <Paper>
      <fieldset disabled={isReadOnly} className="plain">
        <Stack>
          <div>
            <Title order={2} mb="xs">
              {t('look.moods')}
            </Title>
            <ThemePicker {...props} />
          </div>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {colours.map((name) => (
              <ColourField
                key={name}
                label={t(`field.${name}`)}
                value={shown[name]}
                disabled={isReadOnly}
                error={errorAt(errors, `/look/${name}`)}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('look.contrast')}
          </Text>
          <ContrastAdvice colours={shown} segments={wheel.segments} />
          <TextField
            label={t('field.merchantName')}
            value={look.merchantName ?? ''}
            lengthMax={60}
            error={errorAt(errors, '/look/merchantName')}
            onChange={(merchantName) => set({ merchantName })}
          />
          {(['logo', 'picture'] as const).map((kind) => (
            <PictureField
              key={kind}
              kind={kind}
              value={look[kind]}
              isReadOnly={isReadOnly}
              size={kind === 'logo' ? 512 : 1280}
              onChange={(picture) => set({ [kind]: picture })}
            />
          ))}
          <FontAndSound {...props} look={look} set={set} />
          <Choices {...{ look, isReadOnly, set }} />
        </Stack>
      </fieldset>
    </Paper>
  )
}

function Choices({
  look,
  isReadOnly,
  set,
}: {
  look: Look
  isReadOnly: boolean
  set: (changes: Look) => void
}) {
  return (
    <Group gap="xl">
      <Choice
        field="pointer"
        values={['top', 'right', 'bottom', 'left']}
        value={look.pointer}
        isReadOnly={isReadOnly}
        onChange={(pointer) => set({ pointer })}
      />
      <Choice
        field="direction"
        values={['clockwise', 'counterclockwise']}
        value={look.direction}
        isReadOnly={isReadOnly}
        onChange={(direction) => set({ direction })}
      />
      <Choice
        field="widths"
        values={['equal', 'weight']}
        value={look.widths}
        isReadOnly={isReadOnly}
        onChange={(widths) => set({ widths })}
      />
      <Choice
        field="address"
        values={addresses}
        value={look.address}
        isReadOnly={isReadOnly}
        onChange={(address) => set({ address })}
      />
    </Group>
  )
}
