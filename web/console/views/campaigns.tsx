import { Anchor, Badge, Button, Group, Paper, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer, CampaignsAnswer } from '../../../src/http/answers/campaigns.ts'
import { Icon } from '../parts/icons.tsx'
import { useCampaignName } from '../parts/known-campaigns.ts'
import { Empty, Loaded, PageHead } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { formatMoney, formatNumber, formatTime, formatInZone, formatZoned, otherZone, t } from '../texts.ts'
import { CampaignCalendar } from './campaigns/campaign-calendar.tsx'
import { CampaignStock } from './campaigns/campaign-stock.tsx'
import { NewCampaign } from './campaigns/new-campaign.tsx'
import { Checklist } from './overview/checklist.tsx'

export function Campaigns() {
  const may = useMay()
  const [isArchive, setArchive] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const campaigns = useRead<CampaignsAnswer>(
    ['campaigns', isArchive, 'figures'],
    `/api/v1/campaigns?limit=100&figures=true${isArchive ? '&archived=true' : ''}`,
    { refetchInterval: 60_000 },
  )
  return (
    <>
      <PageHead title={t('nav.campaigns')} text={t('campaigns.text')}>
        <Switch
          label={t('campaigns.archived')}
          checked={isArchive}
          onChange={(event) => setArchive(event.currentTarget.checked)}
        />
        {may.edit ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            {t('campaigns.new')}
          </Button>
        ) : null}
      </PageHead>
      <Loaded query={campaigns}>
        {({ campaigns: all }) =>
          all.length === 0 ? (
            <Paper>
              <Empty icon="calendar" title={t('campaigns.none')} text={t('campaigns.noneText')} />
            </Paper>
          ) : (
            <Stack gap="lg">
              <LinksOpen campaigns={all} />
              <AddressTabs
                label={t('nav.campaigns')}
                tabs={[
                  { value: 'list', label: t('campaigns.list'), content: <CampaignTable campaigns={all} /> },
                  {
                    value: 'calendar',
                    label: t('campaigns.calendar'),
                    content: <CampaignCalendar campaigns={all} />,
                  },
                ]}
              />
              <Checklist />
            </Stack>
          )
        }
      </Loaded>
      <NewCampaign opened={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}

/** Which wheel a plain game link opens. */
function LinksOpen({ campaigns }: { campaigns: CampaignAnswer[] }) {
  const { merchant } = useApi()
  const main = campaigns.find(({ campaign }) => campaign === 'main')
  return main === undefined ? null : (
    <Group gap="xs" align="center">
      <Icon name="link" size={16} />
      <Text size="sm">{t('campaigns.linksOpenWheel')}</Text>
      <Anchor component={Link} size="sm" fw={600} href={`/m/${merchant}/wheels/${main.wheel}`}>
        {main.wheelName}
      </Anchor>
      <CampaignState campaign={main} />
    </Group>
  )
}

function CampaignTable({ campaigns }: { campaigns: CampaignAnswer[] }) {
  const { merchant } = useApi()
  const countedUntil = campaigns[0]?.figures?.countedUntil
  return (
    <>
      <Paper className="card-flush" p={0}>
        <DataTable
          label={t('nav.campaigns')}
          items={campaigns.toSorted(byStateAndPriority)}
          keyOf={({ campaign }) => campaign}
          columns={[
            { head: t('field.name'), cell: (campaign) => <CampaignName campaign={campaign} /> },
            { head: t('campaigns.state'), cell: (campaign) => <CampaignState campaign={campaign} /> },
            { head: t('campaigns.dates'), cell: (campaign) => <CampaignDates campaign={campaign} /> },
            {
              head: t('campaigns.wheel'),
              cell: ({ campaign, wheel, wheelName }) => (
                <div>
                  <Anchor component={Link} size="sm" href={`/m/${merchant}/wheels/${wheel}`}>
                    {wheelName}
                  </Anchor>
                  {campaign === 'main' ? (
                    <Text size="xs" c="dimmed">
                      {t('campaigns.linksOpen')}
                    </Text>
                  ) : null}
                </div>
              ),
            },
            {
              head: t('campaigns.plays'),
              right: true,
              cell: ({ campaign, figures }) => (
                <Anchor component={Link} size="sm" href={`/m/${merchant}/reports?campaign=${campaign}`}>
                  {formatNumber(figures?.plays ?? 0)}
                </Anchor>
              ),
            },
            {
              head: t('campaigns.cost'),
              right: true,
              cell: ({ figures }) => formatMoney(figures?.cost ?? 0),
            },
            { head: t('campaigns.stock'), cell: (campaign) => <CampaignStock campaign={campaign} /> },
          ]}
        />
      </Paper>
      {countedUntil ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t('campaigns.countedUntil', { time: formatTime(countedUntil) })}
        </Text>
      ) : null}
    </>
  )
}

function CampaignName({ campaign }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  return (
    <div>
      <Link className="row-link" href={`/m/${merchant}/campaigns/${campaign.campaign}`}>
        {campaign.name}
      </Link>
      {campaign.campaign === campaign.purse ? null : (
        <Text size="xs" c="dimmed">
          <PurseText campaign={campaign} />
        </Text>
      )}
    </div>
  )
}

const stateColors = {
  open: 'teal',
  scheduled: 'blue',
  closed: 'gray',
  paused: 'orange',
  draft: 'gray',
  ended: 'gray',
  archived: 'gray',
} as const satisfies Record<CampaignAnswer['state'], string>

/** The state of a campaign, and when it changes. */
export function CampaignState({ campaign }: { campaign: CampaignAnswer }) {
  const { state, pausedAt, nextOpensAt, timeZone } = campaign
  return (
    <Group gap={6}>
      <Badge color={stateColors[state]}>{t(`campaign.${state}`)}</Badge>
      {state === 'draft' && pausedAt !== null ? (
        <Badge color={stateColors.paused}>{t('campaign.paused')}</Badge>
      ) : null}
      {nextOpensAt === null || state === 'paused' ? null : (
        <Text size="xs" c="dimmed">
          {t('campaigns.opens', { time: formatInZone(nextOpensAt, timeZone) })}
        </Text>
      )}
    </Group>
  )
}

export function CampaignDates({ campaign }: { campaign: CampaignAnswer }) {
  const { opensAt, endsAt, timeZone } = campaign
  if (opensAt === null && endsAt === null) return <Text size="sm">{t('campaigns.noDates')}</Text>
  return (
    <Text size="sm">
      {opensAt === null ? '' : formatZoned(opensAt, timeZone)} –{' '}
      {endsAt === null ? t('campaigns.noEnd') : formatZoned(endsAt, timeZone)}{' '}
      <Text span size="xs" c="dimmed">
        {otherZone(timeZone)}
      </Text>
    </Text>
  )
}

export function PurseText({ campaign: { campaign, purse } }: { campaign: CampaignAnswer }) {
  const name = useCampaignName(purse)
  return campaign === purse ? t('campaigns.ownSpins') : t('campaigns.sharedSpins', { campaign: name })
}

const stateOrder: readonly CampaignAnswer['state'][] = [
  'open',
  'paused',
  'closed',
  'scheduled',
  'draft',
  'ended',
  'archived',
]

function byStateAndPriority(one: CampaignAnswer, other: CampaignAnswer): number {
  return (
    stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state) ||
    other.priority - one.priority ||
    one.name.localeCompare(other.name)
  )
}
