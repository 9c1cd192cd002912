import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { useAction } from '../../parts/action.ts'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { slugOf } from '../editor/slug.ts'

export function DuplicateCampaign(props: { campaign: CampaignAnswer; opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [name, setName] = useState(t('campaign.copyName', { name: props.campaign.name }))
  const [sharesWheel, setSharing] = useState(false)
  const copy = useAction({
    mutationFn: () =>
      api.post<CampaignAnswer>(`/api/v1/campaigns/${props.campaign.campaign}/copies`, {
        campaign: slugOf(name, ['main']),
        name: name.trim(),
        sharesWheel,
      }),
    onSuccess: async ({ campaign }) => {
      props.onClose()
      await refresh('campaigns')
      go(`/m/${api.merchant}/campaigns/${campaign}`)
    },
    onError: tellProblem,
  })
  return (
    <NameDialog
      opened={props.opened}
      title={t('campaign.duplicate')}
      text={t('campaign.duplicateText')}
      name={name}
      lengthMax={80}
      action={t('campaign.duplicate')}
      isRunning={copy.isPending}
      onName={setName}
      onSubmit={() => copy.mutate()}
      onClose={props.onClose}
    >
      <Checkbox
        label={t('campaign.sharesWheel')}
        description={t('campaign.sharesWheelText')}
        checked={sharesWheel}
        onChange={(event) => setSharing(event.currentTarget.checked)}
      />
    </NameDialog>
  )
}
