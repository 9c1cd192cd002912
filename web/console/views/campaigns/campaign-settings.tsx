import { Paper, Select, SimpleGrid, Text, Title } from '@mantine/core'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { spinLifetimeDaysMax } from '../../../../src/limits.ts'
import { DurationOrNever } from '../../parts/duration-field.tsx'
import { Form, Submit } from '../../parts/form.tsx'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { NumberField } from '../../parts/number-field.tsx'
import { Term } from '../../parts/term.tsx'
import { MomentField } from '../../parts/time-fields.tsx'
import { wheelLabel } from '../../parts/wheel-options.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useMay, useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { CampaignTexts } from './campaign-texts.tsx'
import { useCampaignEdits } from './change-campaign.ts'
import { ClosingReason } from './closing-reason.tsx'
import { SavedElsewhere } from './saved-elsewhere.tsx'

const settingNames = [
  'name',
  'wheel',
  'opensAt',
  'closesAt',
  'priority',
  'texts',
  'spinLifetimeDays',
] as const

type Draft = Pick<CampaignAnswer, (typeof settingNames)[number]>
type Fields = {
  campaign: CampaignAnswer
  draft: Draft
  set: (change: Partial<Draft>) => void
  isReadOnly: boolean
}

export function CampaignSettings({ campaign }: { campaign: CampaignAnswer }) {
  const may = useMay()
  const edits = useCampaignEdits(campaign, settingNames)
  const { draft, set } = edits
  const isReadOnly = !may.edit || campaign.archivedAt !== null
  const fields: Fields = { campaign, draft, set, isReadOnly }
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
            <WheelField {...fields} />
            <DateFields {...fields} />
            <Term name="priority">
              <NumberField
                label={t('campaigns.priority')}
                description={t('campaign.priorityText')}
                value={draft.priority}
                min={-1000}
                max={1000}
                onChange={(chosen) => set({ priority: chosen })}
              />
            </Term>
            {campaign.campaign === 'main' ? null : <LifetimeField {...fields} />}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('campaign.datesText')}
          </Text>
          <CampaignTexts
            texts={draft.texts}
            isReadOnly={isReadOnly}
            onChange={(next) => set({ texts: next })}
          />
          <ClosingReason edits={edits} />
          <SavedElsewhere edits={edits} campaign={campaign} />
          {isReadOnly ? null : (
            <Submit
              disabled={isBackwards(draft)}
              loading={edits.isSaving}
              style={{ alignSelf: 'flex-start' }}
            >
              {t('action.save')}
            </Submit>
          )}
        </Form>
      </fieldset>
    </Paper>
  )
}

function WheelField({ campaign, draft, set, isReadOnly }: Fields) {
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const isWheelDraft =
    draft.wheel !== campaign.wheel &&
    wheels.data?.wheels.find((one) => one.wheel === draft.wheel)?.publishedVersion === null
  return (
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
  )
}

function DateFields({ campaign, draft, set }: Fields) {
  const { timeZone } = campaign
  const now = useMerchantNow()
  const isOver = draft.closesAt !== null && Date.parse(draft.closesAt) <= now
  const isStopped = campaign.archivedAt !== null || campaign.pausedAt !== null
  const isOpenAlready = !isStopped && !isOver && draft.opensAt !== null && Date.parse(draft.opensAt) <= now
  return (
    <>
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
        error={isBackwards(draft) ? t('campaign.backwards') : isOver ? t('campaign.over') : null}
        onChange={(moment) => set({ closesAt: moment ?? null })}
      />
    </>
  )
}

/** Whether the campaign would close before it opens. */
function isBackwards({ opensAt, closesAt }: Draft): boolean {
  return opensAt !== null && closesAt !== null && opensAt >= closesAt
}

function LifetimeField({ draft, set, isReadOnly }: Fields) {
  return (
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
  )
}
