/** One campaign: its state, its settings, and how players reach it. */
import { Alert, Anchor, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded, PageHead } from '../parts/states.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { mayLeaveTab } from '../parts/unsaved.ts'
import { useApi, useMay, useRead } from '../session.tsx'
import { t } from '../texts.ts'
import { CampaignState, purseText } from './campaigns.tsx'
import { CampaignSettings } from './campaigns/campaign-settings.tsx'
import { useCampaignChange } from './campaigns/change-campaign.ts'
import { DuplicateCampaign } from './campaigns/duplicate-campaign.tsx'
import { FreeSpins } from './campaigns/free-spins.tsx'
import { NextWheel } from './campaigns/next-wheel.tsx'
import { Promote } from './test-mode/promote.tsx'
import { Visitors } from './visitors/visitors.tsx'

export function CampaignView({ slug }: { slug: string }) {
  const campaign = useRead<CampaignAnswer>(['campaigns', 'one', slug], `/api/v1/campaigns/${slug}`)
  return (
    <Loaded query={campaign}>
      {(data) => (
        <>
          <PageHead title={data.name} text={slug}>
            <Actions campaign={data} />
          </PageHead>
          <Stack gap="lg">
            <CampaignState campaign={data} />
            <Explanation campaign={data} />
            <AddressTabs
              label={t('campaign.tabs')}
              mayLeave={mayLeaveTab}
              tabs={[
                {
                  value: 'campaign',
                  label: t('campaign.tabCampaign'),
                  content: <Settings campaign={data} />,
                },
                {
                  value: 'visitors',
                  label: t('campaign.tabVisitors'),
                  content: <Visitors campaign={data} />,
                },
              ]}
            />
          </Stack>
        </>
      )}
    </Loaded>
  )
}

function Settings({ campaign }: { campaign: CampaignAnswer }) {
  return (
    <Stack gap="lg">
      <CampaignSettings campaign={campaign} />
      <FreeSpins campaign={campaign} />
      <NextWheel campaign={campaign} />
      <Reach campaign={campaign} />
    </Stack>
  )
}

/** What stands between the campaign and its players. */
function Explanation({ campaign }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  if (campaign.state !== 'draft') return null
  return (
    <Alert color="blue" variant="light" icon={<Icon name="info" />}>
      {t('campaign.draftText')}{' '}
      <Anchor component={Link} inherit href={`/m/${merchant}/wheels/${campaign.wheel}`}>
        {campaign.wheelName}
      </Anchor>
      {campaign.pausedAt === null ? null : <Text size="sm">{t('campaign.pausedToo')}</Text>}
    </Alert>
  )
}

function Actions({ campaign }: { campaign: CampaignAnswer }) {
  const api = useApi()
  const may = useMay()
  const [, go] = useLocation()
  const [asked, setAsked] = useState<'archive' | 'copy' | null>(null)
  const path = `/api/v1/campaigns/${campaign.campaign}`
  const change = useCampaignChange<'pause' | 'resume' | 'archive' | 'restore'>({
    change: (order) => {
      if (order === 'archive') return api.put(`${path}/archive`)
      if (order === 'restore') return api.del(`${path}/archive`)
      return api.patch(path, { isPaused: order === 'pause' })
    },
    done: (order) => t(`campaign.done.${order}`),
    onDone: (order) => {
      setAsked(null)
      if (order === 'archive') go(`/m/${api.merchant}/campaigns`)
    },
  })
  if (!may.edit) return null
  const isArchived = campaign.archivedAt !== null
  const pause = campaign.pausedAt === null ? 'pause' : 'resume'
  return (
    <>
      {isArchived ? (
        <Button variant="default" onClick={() => change.mutate('restore')} loading={change.isPending}>
          {t('campaign.restore')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => change.mutate(pause)} loading={change.isPending}>
          {t(`campaign.${pause}`)}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('copy')}>
        {t('campaign.duplicate')}
      </Button>
      {isArchived || campaign.campaign === 'main' ? null : (
        <Button variant="default" onClick={() => setAsked('archive')}>
          {t('campaign.archive')}
        </Button>
      )}
      {isArchived ? null : <Promote kind="campaign" slug={campaign.campaign} />}
      <Confirm
        opened={asked === 'archive'}
        title={t('campaign.archiveTitle', { name: campaign.name })}
        text={t('campaign.archiveText')}
        action={t('campaign.archive')}
        isRunning={change.isPending}
        onConfirm={() => change.mutate('archive')}
        onClose={() => setAsked(null)}
      />
      <DuplicateCampaign opened={asked === 'copy'} campaign={campaign} onClose={() => setAsked(null)} />
    </>
  )
}

/** How players get spins and links for this campaign. */
function Reach({ campaign }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  const isMain = campaign.campaign === 'main'
  return (
    <Paper component="section" aria-labelledby="campaign-reach">
      <Title order={2} id="campaign-reach" mb="sm">
        {t('campaign.reach')}
      </Title>
      <Stack gap="xs">
        <Text size="sm">
          {t('campaigns.spins')}: {purseText(campaign)}
        </Text>
        <Text size="sm">{t(isMain ? 'campaign.reachMain' : 'campaign.reachBound')}</Text>
        {isMain ? null : (
          <Group gap="xs">
            <Code>
              wheelhouse token issue {merchant} --campaign {campaign.campaign}
            </Code>
            <Anchor
              component={Link}
              size="sm"
              href={`/m/${merchant}/developers?new=token&campaign=${campaign.campaign}`}
            >
              {t('campaign.issue')}
            </Anchor>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}
