/** One campaign: its state, its settings, and how players reach it. */
import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../src/http/answers/wheels.ts'
import { spinLifetimeDaysMax } from '../../../src/limits.ts'
import { Confirm } from '../parts/confirm.tsx'
import { DurationOrNever } from '../parts/duration-field.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { useMerchantNow } from '../parts/merchant-now.ts'
import { NumberField } from '../parts/number-field.tsx'
import { Loaded, PageHead } from '../parts/states.tsx'
import { MomentField } from '../parts/time-fields.tsx'
import { wheelLabel } from '../parts/wheel-options.ts'
import { TextField } from '../parts/text-field.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { t } from '../texts.ts'
import { CampaignState, purseText } from './campaigns.tsx'
import { useCampaignChange, useCampaignEdits } from './campaigns/change-campaign.ts'
import { CampaignTexts } from './campaigns/campaign-texts.tsx'
import { DuplicateCampaign } from './campaigns/duplicate-campaign.tsx'
import { FreeSpins } from './campaigns/free-spins.tsx'
import { NextWheel } from './campaigns/next-wheel.tsx'
import { SavedElsewhere } from './campaigns/saved-elsewhere.tsx'
import { Promote } from './test-mode/promote.tsx'

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
            <Settings key={data.campaign} campaign={data} />
            <FreeSpins key={`free ${data.campaign}`} campaign={data} />
            <NextWheel campaign={data} />
            <Reach campaign={data} />
          </Stack>
        </>
      )}
    </Loaded>
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

const settingNames = [
  'name',
  'wheel',
  'opensAt',
  'closesAt',
  'priority',
  'texts',
  'spinLifetimeDays',
] as const

function Settings({ campaign }: { campaign: CampaignAnswer }) {
  const may = useMay()
  const now = useMerchantNow()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const { timeZone } = campaign
  const edits = useCampaignEdits(campaign, settingNames)
  const { draft, set } = edits
  const isBackwards = draft.opensAt !== null && draft.closesAt !== null && draft.opensAt >= draft.closesAt
  const isOver = draft.closesAt !== null && Date.parse(draft.closesAt) <= now
  const isStopped = campaign.archivedAt !== null || campaign.pausedAt !== null
  const isOpenAlready = !isStopped && !isOver && draft.opensAt !== null && Date.parse(draft.opensAt) <= now
  const isWheelDraft =
    draft.wheel !== campaign.wheel &&
    wheels.data?.wheels.find((one) => one.wheel === draft.wheel)?.publishedVersion === null
  const isReadOnly = !may.edit || campaign.archivedAt !== null
  return (
    <Paper component="section" aria-labelledby="campaign-settings">
      <Title order={2} id="campaign-settings" mb="sm">
        {t('campaign.settings')}
      </Title>
      <fieldset disabled={isReadOnly} className="plain">
        <Form onSubmit={edits.save}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextField
              label={t('field.name')}
              value={draft.name}
              required
              lengthMax={80}
              onChange={(text) => set({ name: text })}
            />
            <Select
              label={t('campaigns.wheel')}
              description={campaign.campaign === 'main' ? t('campaign.mainWheel') : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={wheels.data?.wheels.map((one) => ({ value: one.wheel, label: wheelLabel(one) })) ?? []}
              value={draft.wheel}
              error={isWheelDraft ? t('campaign.wheelIsDraft') : null}
              allowDeselect={false}
              disabled={isReadOnly}
              onChange={(chosen) => chosen !== null && set({ wheel: chosen })}
            />
            <MomentField
              label={t('field.opensAt')}
              zone={timeZone}
              value={draft.opensAt ?? undefined}
              {...(isOpenAlready ? { hint: t('campaign.openAlready') } : {})}
              error={null}
              onChange={(moment) => set({ opensAt: moment ?? null })}
            />
            <MomentField
              label={t('field.closesAt')}
              zone={timeZone}
              value={draft.closesAt ?? undefined}
              error={isBackwards ? t('campaign.backwards') : isOver ? t('campaign.over') : null}
              onChange={(moment) => set({ closesAt: moment ?? null })}
            />
            <NumberField
              label={t('campaigns.priority')}
              description={t('campaign.priorityText')}
              value={draft.priority}
              min={-1000}
              max={1000}
              onChange={(chosen) => set({ priority: chosen })}
            />
            {campaign.campaign === 'main' ? null : (
              <DurationOrNever
                label={t('settings.spinLifetime')}
                description={t('campaign.lifetimeText')}
                placeholder={t('campaign.lifetimeNone')}
                unit="days"
                value={draft.spinLifetimeDays}
                max={spinLifetimeDaysMax}
                disabled={isReadOnly}
                onChange={(spinLifetimeDays) => set({ spinLifetimeDays })}
              />
            )}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('campaign.datesText')}
          </Text>
          <CampaignTexts
            name={draft.name}
            texts={draft.texts}
            isReadOnly={isReadOnly}
            onChange={(next) => set({ texts: next })}
          />
          <SavedElsewhere edits={edits} campaign={campaign} />
          {isReadOnly ? null : (
            <Submit disabled={isBackwards} loading={edits.isSaving} style={{ alignSelf: 'flex-start' }}>
              {t('action.save')}
            </Submit>
          )}
        </Form>
      </fieldset>
    </Paper>
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
