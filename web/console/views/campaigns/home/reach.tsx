import { Anchor, List, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import { Term } from '../../../parts/term.tsx'
import { useApi, useMay } from '../../../session.tsx'
import { t } from '../../../texts.ts'
import { PurseText } from '../../campaigns.tsx'
import { OnYourPhone } from './on-your-phone.tsx'

/** How players get spins and links for this campaign. */
export function Reach({ campaign }: { campaign: CampaignAnswer }) {
  const may = useMay()
  const isMain = campaign.campaign === 'main'
  return (
    <Paper component="section" aria-labelledby="campaign-reach">
      <Title order={2} id="campaign-reach" mb="sm">
        {t('campaign.reach')}
      </Title>
      <Stack gap="md">
        <Term name="token">
          <List size="sm" spacing="xs" pr="xl">
            <Way path={`/campaigns/${campaign.campaign}?tab=visitors`} link={t('home.visitors')}>
              {t('home.visitorsText')}
            </Way>
            <Way path="/players" link={t('home.players')}>
              {t('home.playersText')}
            </Way>
            {may.edit ? (
              <Way path={`/link-lists?campaign=${campaign.campaign}`} link={t('home.linkLists')}>
                {t('home.linkListsText')}
              </Way>
            ) : null}
            <Way
              path={isMain ? '/developers' : `/developers?new=token&campaign=${campaign.campaign}`}
              link={t('home.shop')}
            >
              {t(isMain ? 'campaign.reachMain' : 'campaign.reachBound')}
            </Way>
          </List>
        </Term>
        <Term name="slug">
          <Text size="sm" c="dimmed" pr="xl">
            {t('campaigns.spins')}: <PurseText campaign={campaign} />.{' '}
            {t('home.id', { id: campaign.campaign })}
          </Text>
        </Term>
        {may.serve && !['draft', 'ended', 'archived'].includes(campaign.state) ? (
          <OnYourPhone campaign={campaign.campaign} />
        ) : null}
      </Stack>
    </Paper>
  )
}

function Way({ path, link, children }: { path: string; link: string; children: ReactNode }) {
  const { merchant } = useApi()
  return (
    <List.Item>
      <Anchor component={Link} inherit fw={600} underline="always" href={`/m/${merchant}${path}`}>
        {link}
      </Anchor>
      : {children}
    </List.Item>
  )
}
