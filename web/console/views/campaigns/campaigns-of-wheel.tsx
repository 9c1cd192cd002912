/** The campaigns that use a wheel. */
import { Anchor, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { useLiveCampaigns } from '../../parts/known-campaigns.ts'
import { useApi } from '../../session.tsx'
import { t } from '../../texts.ts'
import { periodOf } from './campaign-calendar.tsx'

/** In one line, each with a link. */
export function CampaignsOfWheel({ slug }: { slug: string }) {
  const campaigns = useCampaignsOf(slug)
  if (campaigns.length === 0) return null
  return (
    <Text size="sm" c="dimmed" component="span">
      {t('wheels.usedBy')}{' '}
      {campaigns.map((campaign, index) => (
        <Fragment key={campaign.campaign}>
          {index === 0 ? '' : ', '}
          <CampaignLink campaign={campaign} />
        </Fragment>
      ))}
    </Text>
  )
}

/** A line for each, with its state and dates. */
export function CampaignDates({ slug }: { slug: string }) {
  return useCampaignsOf(slug).map((campaign) => (
    <Text key={campaign.campaign} size="sm">
      {t('wheels.usedBy')} <CampaignLink campaign={campaign} />. {periodOf(campaign)}
    </Text>
  ))
}

function useCampaignsOf(slug: string): CampaignAnswer[] {
  return (useLiveCampaigns() ?? []).filter(({ wheel }) => wheel === slug)
}

function CampaignLink({ campaign: { campaign, name } }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  return (
    <Anchor component={Link} inherit underline="always" href={`/m/${merchant}/campaigns/${campaign}`}>
      {name}
    </Anchor>
  )
}
