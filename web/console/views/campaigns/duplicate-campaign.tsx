import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { useAction } from '../../parts/action.ts'
import { useKnownCampaigns } from '../../parts/known-campaigns.ts'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi, useRead, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { slugOf } from '../editor/draft/slug.ts'

export function DuplicateCampaign(props: { campaign: CampaignAnswer; opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [name, setName] = useState(t('campaign.copyName', { name: props.campaign.name }))
  const [sharesWheel, setSharing] = useState(false)
  const campaigns = useKnownCampaigns()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels').data?.wheels ?? []
  // The copy of the wheel gets the id of the campaign, so neither may be taken.
  const taken = [...campaigns.map(({ campaign }) => campaign), ...wheels.map(({ wheel }) => wheel)]
  const copy = useAction({
    mutationFn: () =>
      api.post<CampaignAnswer>(`/api/v1/campaigns/${props.campaign.campaign}/copies`, {
        campaign: slugOf(name, taken),
        name,
        sharesWheel,
      }),
    onSuccess: async ({ campaign }) => {
      props.onClose()
      await Promise.all([refresh('campaigns'), refresh('wheels')])
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
