/** How a campaign is doing, what players see, and how they get there. */
import { Grid, Stack } from '@mantine/core'
import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import type { WheelAnswer } from '../../../../../src/http/answers/wheels.ts'
import { useRead } from '../../../session.tsx'
import { useVersion } from '../../editor/publishing/published.ts'
import { CampaignFunnel } from './campaign-funnel.tsx'
import { CampaignAttention } from './campaign-attention.tsx'
import { Reach } from './reach.tsx'
import { StockAndPace, stockWithoutRuns } from './stock-and-pace.tsx'
import { Today } from './today.tsx'
import { WheelNow } from './wheel-now.tsx'

export function CampaignHome({ campaign }: { campaign: CampaignAnswer }) {
  const { wheel: slug, wheelVersion } = campaign
  const wheel = useRead<WheelAnswer>(['wheels', 'one', slug], `/api/v1/wheels/${slug}`)
  const live = useVersion(slug, wheelVersion)
  const shown = wheelVersion === null ? wheel.data?.draft : live.data?.document
  const stock = stockWithoutRuns(campaign, shown)
  return (
    <Stack gap="lg">
      <CampaignAttention campaign={campaign} wheel={wheel.data} stock={stock} />
      {wheelVersion === null ? null : <Today campaign={campaign} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            {wheelVersion === null ? null : <CampaignFunnel campaign={campaign} />}
            <StockAndPace slug={slug} wheel={shown} stock={stock} />
            <Reach campaign={campaign} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <WheelNow campaign={campaign} wheel={shown} />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}
