import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer, CampaignsAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { useAction } from '../../parts/action.ts'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { type Api, useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { slugOf } from '../editor/slug.ts'

export function DuplicateCampaign(props: { campaign: CampaignAnswer; opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [name, setName] = useState(t('campaign.copyName', { name: props.campaign.name }))
  const [sharesWheel, setSharing] = useState(false)
  const copy = useAction({
    mutationFn: async () =>
      api.post<CampaignAnswer>(`/api/v1/campaigns/${props.campaign.campaign}/copies`, {
        campaign: slugOf(name, await takenIds(api)),
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

/** The copy of the wheel gets the id of the campaign, so neither may be taken. */
async function takenIds(api: Api): Promise<string[]> {
  const [{ wheels }, ...lists] = await Promise.all([
    api.get<WheelsAnswer>('/api/v1/wheels'),
    ...[false, true].map((isArchived) =>
      api.get<CampaignsAnswer>(`/api/v1/campaigns?limit=500${isArchived ? '&archived=true' : ''}`),
    ),
  ])
  return [
    ...wheels.map(({ wheel }) => wheel),
    ...lists.flatMap(({ campaigns }) => campaigns.map(({ campaign }) => campaign)),
  ]
}
