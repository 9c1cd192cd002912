/** One campaign: its state and dates, how it is doing, and its settings. */
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Loaded, PageHead } from '../parts/states.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { mayLeaveTab } from '../parts/unsaved.ts'
import { useApi, useMay, useRead } from '../session.tsx'
import { t } from '../texts.ts'
import { CampaignAlerts } from './alert-settings.tsx'
import { CampaignDates, CampaignState } from './campaigns.tsx'
import { CampaignSettings } from './campaigns/campaign-settings.tsx'
import { useCampaignChange } from './campaigns/change-campaign.ts'
import { DuplicateCampaign } from './campaigns/duplicate-campaign.tsx'
import { FreeSpins } from './campaigns/free-spins.tsx'
import { CampaignHome } from './campaigns/home/campaign-home.tsx'
import { NextWheel } from './campaigns/next-wheel.tsx'
import { Promote } from './test-mode/promote.tsx'
import { CampaignMessages } from './messages/campaign-messages.tsx'
import { Visitors } from './visitors/visitors.tsx'

export function CampaignView({ slug }: { slug: string }) {
  const campaign = useRead<CampaignAnswer>(
    ['campaigns', 'one', slug],
    `/api/v1/campaigns/${slug}?figures=true`,
    { refetchInterval: 30_000 },
  )
  return (
    <Loaded query={campaign}>
      {(data) => (
        <>
          <PageHead title={data.name} text={data.wheelName}>
            <Actions campaign={data} />
          </PageHead>
          <Stack gap="lg">
            <Group gap="md">
              <CampaignState campaign={data} />
              <CampaignDates campaign={data} />
            </Group>
            <AddressTabs
              label={t('campaign.tabs')}
              mayLeave={mayLeaveTab}
              tabs={[
                {
                  value: 'home',
                  label: t('campaign.tabHome'),
                  content: <CampaignHome campaign={data} />,
                },
                {
                  value: 'settings',
                  label: t('campaign.settings'),
                  content: <Settings campaign={data} />,
                },
                {
                  value: 'free-spins',
                  label: t('free.title'),
                  content: <FreeSpins campaign={data} />,
                },
                {
                  value: 'visitors',
                  label: t('campaign.tabVisitors'),
                  content: <Visitors campaign={data} />,
                },
                {
                  value: 'messages',
                  label: t('nav.messages'),
                  content: <CampaignMessages campaign={data} />,
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
      <NextWheel campaign={campaign} />
      <CampaignAlerts campaign={campaign} />
    </Stack>
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
