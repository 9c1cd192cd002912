import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { themeOf } from '../../../game/themes.ts'
import { ColourField } from '../../parts/colour-field.tsx'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import { ContrastAdvice } from './contrast-advice.tsx'
import type { EditorProps } from './editor-props.ts'
import { PictureField } from './picture-field.tsx'
import { ThemePicker } from './theme-picker.tsx'

const colours = ['background', 'surface', 'accent', 'text'] as const

export function LookPanel(props: EditorProps) {
  const { wheel, onChange, isReadOnly, errors } = props
  const look = wheel.look ?? {}
  const { background, surface, accent, text } = { ...themeOf(look.theme).colours, ...look }
  const shown = { background, surface, accent, text }
  const set = (changes: Parameters<typeof changed<typeof look>>[1]) => {
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
          <ContrastAdvice colours={shown} />
          <TextInput
            label={t('field.merchantName')}
            value={look.merchantName ?? ''}
            maxLength={60}
            error={errorAt(errors, '/look/merchantName')}
            onChange={(event) => set({ merchantName: event.currentTarget.value })}
          />
          {(['logo', 'picture'] as const).map((kind) => (
            <PictureField
              key={kind}
              kind={kind}
              value={look[kind]}
              isReadOnly={isReadOnly}
              size={kind === 'logo' ? 256 : 1280}
              onChange={(picture) => set({ [kind]: picture })}
            />
          ))}
          <Group gap="xl">
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('field.pointer')}
              </Text>
              <SegmentedControl
                aria-label={t('field.pointer')}
                disabled={isReadOnly}
                value={look.pointer ?? 'top'}
                onChange={(value) => set({ pointer: value })}
                data={(['top', 'right', 'bottom', 'left'] as const).map((value) => ({
                  value,
                  label: t(`look.${value}`),
                }))}
              />
            </div>
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('field.direction')}
              </Text>
              <SegmentedControl
                aria-label={t('field.direction')}
                disabled={isReadOnly}
                value={look.direction ?? 'clockwise'}
                onChange={(value) => set({ direction: value })}
                data={(['clockwise', 'counterclockwise'] as const).map((value) => ({
                  value,
                  label: t(`look.${value}`),
                }))}
              />
            </div>
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('field.widths')}
              </Text>
              <SegmentedControl
                aria-label={t('field.widths')}
                disabled={isReadOnly}
                value={look.widths ?? 'equal'}
                onChange={(value) => set({ widths: value })}
                data={(['equal', 'weight'] as const).map((value) => ({ value, label: t(`look.${value}`) }))}
              />
            </div>
          </Group>
        </Stack>
      </fieldset>
    </Paper>
  )
}
