import { Text } from '@mantine/core'
import { useCampaignName } from './known-campaigns.ts'

/** The campaign of a row, unless it is `main`. */
export function CampaignOf({ campaign }: { campaign: string }) {
  const name = useCampaignName(campaign)
  return campaign === 'main' ? null : (
    <Text size="xs" c="dimmed">
      {name}
    </Text>
  )
}
