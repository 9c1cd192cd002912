/** Font and sounds of the game. The preview shows the font; a spin in it plays the sounds. */
import { Select, SimpleGrid } from '@mantine/core'
import { useEffect } from 'react'
import { fontNames, soundNames } from '../../../../../src/wheel-document/look-choices.ts'
import { loadFont } from '../../../../game/look/fonts.ts'
import { themeOf } from '../../../../game/look/themes.ts'
import { t } from '../../../texts.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { SoundField } from './sound-field.tsx'

type Look = NonNullable<EditorProps['wheel']['look']>
type Chosen = Partial<Record<'font' | 'sound' | 'tickSound' | 'winSound', string | undefined>>

export function FontAndSound(props: EditorProps & { look: Look; set: (changes: Chosen) => void }) {
  const { look, set, isReadOnly, errors } = props
  const theme = themeOf(look.theme)
  // Each name in the list is written in its own font.
  useEffect(() => fontNames.forEach((name) => void loadFont(name, t(`font.${name}`))), [])
  const ofTheme = (name: string) => t('look.ofTheme', { name })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('field.font')}
          placeholder={ofTheme(t(`font.${theme.font}`))}
          data={fontNames.map((value) => ({ value, label: t(`font.${value}`) }))}
          renderOption={({ option }) => <span style={{ fontFamily: option.value }}>{option.label}</span>}
          value={look.font ?? null}
          clearable
          disabled={isReadOnly}
          error={errorAt(errors, '/look/font')}
          onChange={(font) => set({ font: font ?? undefined })}
        />
        <Select
          label={t('field.sound')}
          placeholder={ofTheme(t(`sound.${theme.sound}`))}
          data={soundNames.map((value) => ({ value, label: t(`sound.${value}`) }))}
          value={look.sound ?? null}
          clearable
          disabled={isReadOnly}
          error={errorAt(errors, '/look/sound')}
          onChange={(sound) => set({ sound: sound ?? undefined })}
        />
      </SimpleGrid>
      {(['tickSound', 'winSound'] as const).map((kind) => (
        <SoundField
          key={kind}
          kind={kind}
          value={look[kind]}
          isReadOnly={isReadOnly}
          onChange={(sound) => set({ [kind]: sound })}
        />
      ))}
    </>
  )
}
