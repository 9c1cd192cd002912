/** The rule for free spins of a campaign and a calendar of what it gives. */
import { Alert, Anchor, Checkbox, Paper, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { freeSpinDefaults, type FreeSpinRule } from '../../../../src/free-spin-rule/free-spin-rule.ts'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { FreeSpinPreview } from '../../../../src/http/answers/free-spins.ts'
import { Problem } from '../../api.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { messageOf } from '../../parts/problem-words.ts'
import { expiryProblem } from '../../parts/time-fields.tsx'
import { CollectUnfinished, useUnfinished } from '../../parts/unfinished.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import { hereZone } from '../../parts/zoned-time.ts'
import { useApi, useMay } from '../../session.tsx'
import { t } from '../../texts.ts'
import { ClosingReason } from './closing-reason.tsx'
import { SavedElsewhere } from './saved-elsewhere.tsx'
import { useCampaignEdits } from './change-campaign.ts'
import { FreeSpinCalendar } from './free-spin-calendar.tsx'
import { FreeSpinFields } from './free-spin-fields.tsx'
import { hasOrderProblem } from './milestones.tsx'

const usual: FreeSpinRule = { ...freeSpinDefaults, every: 'day', streaks: [] }

export function FreeSpins({ campaign }: { campaign: CampaignAnswer }) {
  const may = useMay()
  const edits = useCampaignEdits(campaign, ['freeSpins'])
  const rule = edits.draft.freeSpins
  const set = (freeSpins: FreeSpinRule | null) => edits.set({ freeSpins })
  const [timeZone, setTimeZone] = useState(hereZone)
  const { hasUnfinished, report } = useUnfinished()
  const { endProblem, isWrong, preview, errors } = useRuleCheck(campaign, rule, timeZone)
  const hasError = isWrong || hasUnfinished || errors.length > 0
  const isReadOnly = !may.edit || campaign.archivedAt !== null
  return (
    <Paper component="section" aria-labelledby="campaign-free">
      <Title order={2} id="campaign-free" mb="sm">
        {t('free.title')}
      </Title>
      <fieldset disabled={isReadOnly} className="plain">
        <CollectUnfinished value={report}>
          <Form onSubmit={edits.save}>
            <Checkbox
              label={t('free.on')}
              description={t('free.onText')}
              checked={rule !== null}
              disabled={isReadOnly}
              onChange={(event) => set(event.currentTarget.checked ? (campaign.freeSpins ?? usual) : null)}
            />
            {rule === null ? null : (
              <FreeSpinFields
                rule={rule}
                timeZone={campaign.timeZone}
                errors={errors}
                endProblem={endProblem}
                isReadOnly={isReadOnly}
                onChange={set}
              />
            )}
            {rule === null || preview.error === null || errors.length > 0 ? null : (
              <Alert color="red" variant="light" icon={<Icon name="warning" />} role="status">
                {messageOf(preview.error)}
              </Alert>
            )}
            {campaign.freeSpins === null ? null : <ReportsLink campaign={campaign} />}
            <ClosingReason edits={edits} />
            <SavedElsewhere edits={edits} campaign={campaign} />
            {isReadOnly || !edits.hasChanges ? null : (
              <Submit
                disabled={rule !== null && hasError}
                loading={edits.isSaving}
                style={{ alignSelf: 'flex-start' }}
              >
                {t('free.save')}
              </Submit>
            )}
          </Form>
        </CollectUnfinished>
      </fieldset>
      {rule === null ? null : (
        <Calendar
          rule={rule}
          preview={preview.data}
          hasProblem={isWrong || preview.error !== null}
          timeZone={timeZone}
          onTimeZone={setTimeZone}
        />
      )}
    </Paper>
  )
}

/** Checks the rule here, and on the server by a preview. */
function useRuleCheck(campaign: CampaignAnswer, rule: FreeSpinRule | null, timeZone: string) {
  const endProblem = expiryProblem(rule?.endsAt ?? undefined, useMerchantNow())
  const isWrong = rule !== null && (endProblem !== null || hasOrderProblem(rule.streaks))
  const preview = usePreview(campaign, isWrong ? null : rule, timeZone)
  // An error of the preview's own zone is none of the rule.
  const errors = (preview.error instanceof Problem ? preview.error.errors : []).filter(({ pointer }) =>
    pointer.startsWith('/freeSpins'),
  )
  return { endProblem, isWrong, preview, errors }
}

/** Follows the form: the server checks the rule while it is typed. */
function usePreview({ campaign, revision }: CampaignAnswer, rule: FreeSpinRule | null, timeZone: string) {
  const api = useApi()
  return useQuery({
    queryKey: [api.merchant, 'free-spin-preview', campaign, revision, rule, timeZone],
    queryFn: () =>
      api.post<FreeSpinPreview>(`/api/v1/campaigns/${campaign}/free-spin-preview`, {
        freeSpins: rule,
        timeZone,
      }),
    enabled: rule !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function ReportsLink({ campaign }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  return (
    <Anchor
      component={Link}
      size="sm"
      href={`/m/${merchant}/reports?campaign=${campaign.campaign}`}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('free.reports')}
    </Anchor>
  )
}

/** What the rule gives to a player in a time zone. Not shown while the rule has a problem. */
function Calendar(props: {
  rule: FreeSpinRule
  preview: FreeSpinPreview | undefined
  hasProblem: boolean
  timeZone: string
  onTimeZone: (timeZone: string) => void
}) {
  const { rule, preview, hasProblem, timeZone, onTimeZone } = props
  return (
    <Stack mt="lg" gap="sm">
      <Title order={3} size="h4">
        {t('free.calendar')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('free.calendarText')}
      </Text>
      <ZoneField label={t('free.previewZone')} value={timeZone} maw={320} onChange={onTimeZone} />
      {hasProblem ? <Text size="sm">{t('free.calendarLater')}</Text> : null}
      {preview === undefined || hasProblem ? null : (
        <FreeSpinCalendar preview={preview} rule={rule} timeZone={timeZone} />
      )}
    </Stack>
  )
}
