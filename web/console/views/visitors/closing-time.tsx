import { Alert, Group } from '@mantine/core'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { MomentField } from '../../parts/time-fields.tsx'
import { t } from '../../texts.ts'
import { useCampaignEdits } from '../campaigns/change-campaign.ts'
import { ClosingReason } from '../campaigns/closing-reason.tsx'
import { SavedElsewhere } from '../campaigns/saved-elsewhere.tsx'

/** A promotion needs an end. Asked here while the campaign has none, so that nobody has to look for it. */
export function ClosingTime({ campaign, isReadOnly }: { campaign: CampaignAnswer; isReadOnly: boolean }) {
  const edits = useCampaignEdits(campaign, ['closesAt'])
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('visitors.endMissing')}>
      {isReadOnly ? null : (
        <Form onSubmit={edits.save}>
          <Group align="flex-end">
            <MomentField
              label={t('field.closesAt')}
              zone={campaign.timeZone}
              value={edits.draft.closesAt ?? undefined}
              error={null}
              onChange={(moment) => edits.set({ closesAt: moment ?? null })}
            />
            <Submit variant="default" disabled={!edits.hasChanges} loading={edits.isSaving}>
              {t('visitors.setEnd')}
            </Submit>
          </Group>
          <ClosingReason edits={edits} />
          <SavedElsewhere edits={edits} campaign={campaign} />
        </Form>
      )}
    </Alert>
  )
}
