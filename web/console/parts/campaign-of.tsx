import { Text } from '@mantine/core'

/** The campaign of a row, unless it is `main`. */
export function CampaignOf({ campaign }: { campaign: string }) {
  return campaign === 'main' ? null : (
    <Text size="xs" c="dimmed" className="mono">
      {campaign}
    </Text>
  )
}
