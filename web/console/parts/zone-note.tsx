import { Text } from '@mantine/core'
import { t, zoneOfView } from '../texts.ts'

/** Names the time zone of a page once, so that its times need not. */
export function ZoneNote() {
  return (
    <Text size="xs" c="dimmed" ta="end" mt={-12} mb={4}>
      {t('zone.page', { zone: zoneOfView() })}
    </Text>
  )
}
