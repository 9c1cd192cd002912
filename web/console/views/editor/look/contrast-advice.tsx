/** Tells the merchant which of the chosen colours players would not see as chosen, since texts must be readable. */
import { Alert, List } from '@mantine/core'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { contrast, isColour } from '../../../../game/look/colour.ts'
import { Icon } from '../../../parts/icons.tsx'
import { t } from '../../../texts.ts'
import { alikeNeighbours } from './alike-neighbours.ts'

type Colours = { background: string; surface: string; accent: string; text: string }

/** WCAG 2.2: 4.5 for texts, 3 for what is not text. */
const pairs = [
  { one: 'text', other: 'background', min: 4.5, key: 'contrast.textOnBackground' },
  { one: 'text', other: 'surface', min: 4.5, key: 'contrast.textOnSurface' },
  { one: 'accent', other: 'surface', min: 3, key: 'contrast.accentOnSurface' },
  { one: 'accent', other: 'background', min: 1.5, key: 'contrast.accentOnBackground' },
] as const

export function ContrastAdvice(props: { colours: Colours; segments: readonly WheelSegment[] }) {
  const { colours, segments } = props
  if (!Object.values(colours).every(isColour)) return null
  const poor = pairs
    .map((pair) => ({ ...pair, found: contrast(colours[pair.one], colours[pair.other]) }))
    .filter(({ found, min }) => found < min)
  const alike = alikeNeighbours(segments)
  if (poor.length + alike.length === 0) return null
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} role="status">
      <List size="sm" spacing={4}>
        {poor.map(({ key, found, min }) => (
          <List.Item key={key}>{t(key, { found: Math.round(found * 10) / 10, min })}</List.Item>
        ))}
        {alike.map(([one, other]) => (
          <List.Item key={one.id}>
            {t('contrast.neighbours', { one: one.label, other: other.label })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
