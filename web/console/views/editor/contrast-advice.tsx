/** Tells the merchant which of the chosen colours players would not see as chosen, since texts must be readable. */
import { Alert, List } from '@mantine/core'
import { contrast, isColour } from '../../../game/colour.ts'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../texts.ts'

type Colours = { background: string; surface: string; accent: string; text: string }

/** WCAG 2.2: 4.5 for texts, 3 for what is not text. */
const pairs = [
  { one: 'text', other: 'background', min: 4.5, key: 'contrast.textOnBackground' },
  { one: 'text', other: 'surface', min: 4.5, key: 'contrast.textOnSurface' },
  { one: 'accent', other: 'surface', min: 3, key: 'contrast.accentOnSurface' },
] as const

export function ContrastAdvice({ colours }: { colours: Colours }) {
  if (!Object.values(colours).every(isColour)) return null
  const poor = pairs
    .map((pair) => ({ ...pair, found: contrast(colours[pair.one], colours[pair.other]) }))
    .filter(({ found, min }) => found < min)
  if (poor.length === 0) return null
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} role="status">
      <List size="sm" spacing={4}>
        {poor.map(({ key, found, min }) => (
          <List.Item key={key}>{t(key, { found: Math.round(found * 10) / 10, min })}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
