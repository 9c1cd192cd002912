import { Text } from '@mantine/core'
import { useCampaignName } from './known-campaigns.ts'

export function CampaignName({ campaign }: { campaign: string }) {
  return useCampaignName(campaign)
}

/** The campaign of a row, unless it is `main`. */
export function CampaignOf({ campaign }: { campaign: string }) {
  return campaign === 'main' ? null : (
    <Text size="xs" c="dimmed">
      <CampaignName campaign={campaign} />
    </Text>
  )
}
