import { Alert, Code, List, Text } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { useMerchant } from '../../session.tsx'
import { t } from '../../texts.ts'

const ids = [
  ['force-<segment id>-1', 'forced.segment'],
  ['force-out-of-stock-1', 'forced.outOfStock'],
  ['force-slow-1', 'forced.slow'],
  ['force-error-once-1', 'forced.errorOnce'],
] as const

/** The player ids that choose what happens at a test merchant. */
export function ForcedPlayers() {
  const { live } = useMerchant()
  if (live) return null
  return (
    <Alert variant="light" color="gray" icon={<Icon name="info" />} title={t('forced.title')} mb="md">
      <Text size="sm">{t('forced.text')}</Text>
      <List size="sm" mt="xs" spacing={4}>
        {ids.map(([id, text]) => (
          <List.Item key={id}>
            <Code>{id}</Code> {t(text)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
