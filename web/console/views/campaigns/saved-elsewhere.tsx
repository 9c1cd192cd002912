import { Alert } from '@mantine/core'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { Icon } from '../../parts/icons.tsx'
import { LastChange } from '../../parts/last-change.tsx'
import { t } from '../../texts.ts'

/** Somebody else has saved the campaign meanwhile. Edits stay, and can be saved on top of it. */
export function SavedElsewhere(props: {
  edits: { isConflict: boolean; hasChanges: boolean }
  campaign: CampaignAnswer
}) {
  const { edits, campaign } = props
  if (!edits.isConflict || !edits.hasChanges) return null
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={t('campaign.conflict')}>
      <LastChange kind="campaign" subject={campaign.campaign} /> {t('campaign.conflictText')}
    </Alert>
  )
}
