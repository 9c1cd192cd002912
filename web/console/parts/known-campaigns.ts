/** The campaigns of the merchant, for choices, filters and names. */
import type { CampaignAnswer, CampaignsAnswer } from '../../../src/http/answers/campaigns.ts'
import { useRead } from '../session.tsx'

/** All that are not archived; undefined until they are known. */
export function useLiveCampaigns(): CampaignAnswer[] | undefined {
  return useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100').data?.campaigns
}

/** With the archived ones, which come last. */
export function useKnownCampaigns(): CampaignAnswer[] {
  const live = useLiveCampaigns() ?? []
  const archived = useRead<CampaignsAnswer>(['campaigns', true], '/api/v1/campaigns?limit=100&archived=true')
  return [...live, ...(archived.data?.campaigns ?? [])]
}

/** The id until the name is known. */
export function useCampaignName(campaign: string): string {
  return useKnownCampaigns().find((one) => one.campaign === campaign)?.name ?? campaign
}
