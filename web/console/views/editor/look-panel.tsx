import {
  Button,
  FileButton,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { defaultLook } from '../../../game/published.ts'
import { ColourField } from '../../parts/colour-field.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import { readPicture } from './picture.ts'
import type { EditorProps } from './editor-props.ts'

const colours = ['background', 'surface', 'accent', 'text'] as const

/** Sets of matching colours. */
const moods = [
  { name: 'Night', background: '#0f172a', surface: '#1e293b', accent: '#f59e0b', text: '#f8fafc' },
  { name: 'Berry', background: '#3b0764', surface: '#581c87', accent: '#f472b6', text: '#fdf4ff' },
  { name: 'Forest', background: '#052e2b', surface: '#0f4a43', accent: '#facc15', text: '#ecfdf5' },
  { name: 'Paper', background: '#fdf6e9', surface: '#ffffff', accent: '#c2410c', text: '#1c1917' },
  { name: 'Sky', background: '#e8f2ff', surface: '#ffffff', accent: '#2563eb', text: '#0f172a' },
]

export function LookPanel({ wheel, onChange, isReadOnly, errors }: EditorProps) {
  const look = wheel.look ?? {}
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
            <Group gap="xs">
              {moods.map(({ name, ...mood }) => (
                <Button
                  key={name}
                  variant="default"
                  size="xs"
                  onClick={() => set(mood)}
                  leftSection={
                    <span
                      className="swatch"
                      style={{
                        width: 16,
                        height: 16,
                        background: `linear-gradient(135deg, ${mood.background} 50%, ${mood.accent} 50%)`,
                      }}
                    />
                  }
                >
                  {name}
                </Button>
              ))}
            </Group>
          </div>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {colours.map((name) => (
              <ColourField
                key={name}
                label={t(`field.${name}`)}
                value={look[name] ?? defaultLook[name]}
                disabled={isReadOnly}
                error={errorAt(errors, `/look/${name}`)}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('look.contrast')}
          </Text>
          <TextInput
            label={t('field.merchantName')}
            value={look.merchantName ?? ''}
            maxLength={60}
            error={errorAt(errors, '/look/merchantName')}
            onChange={(event) => set({ merchantName: event.currentTarget.value })}
          />
          <Group>
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              onChange={(file) =>
                file !== null && void readPicture(file).then((logo) => set({ logo }), tellProblem)
              }
            >
              {(button) => (
                <Button {...button} variant="default" size="xs" disabled={isReadOnly}>
                  {look.logo === undefined ? t('look.addLogo') : t('look.changeLogo')}
                </Button>
              )}
            </FileButton>
            {look.logo === undefined ? null : (
              <>
                <img
                  src={look.logo}
                  alt={t('look.logo')}
                  height={36}
                  style={{ maxWidth: 120, objectFit: 'contain' }}
                />
                <Button variant="subtle" color="red" size="xs" onClick={() => set({ logo: undefined })}>
                  {t('look.removeLogo')}
                </Button>
              </>
            )}
          </Group>
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
          </Group>
        </Stack>
      </fieldset>
    </Paper>
  )
}
