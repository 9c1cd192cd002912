import { Radio, SegmentedControl, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer, CampaignsAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import { useAction } from '../../parts/action.ts'
import { useKnownCampaigns } from '../../parts/known-campaigns.ts'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { Term } from '../../parts/term.tsx'
import { wheelOptions } from '../../parts/wheel-options.ts'
import { type Api, useApi, useRead, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { slugOf } from '../editor/draft/slug.ts'
import { firstChoice, TemplateChoice, useTemplateWheel } from '../templates/template-choice.tsx'

/** Spins of its own. */
const ownPurse = ''

type Order = { name: string; source: 'template' | 'wheel'; wheel: string; purse: string }

export function NewCampaign({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels', { enabled: opened }).data?.wheels ?? []
  const live = useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100')
  const campaigns = useKnownCampaigns()
  const [order, setOrder] = useState<Order>({ name: '', source: 'template', wheel: '', purse: ownPurse })
  const [choice, setChoice] = useState(firstChoice)
  const made = useTemplateWheel(choice, order.name)
  const set = (change: Partial<Order>) => setOrder((now) => ({ ...now, ...change }))
  const create = useAction({
    mutationFn: () =>
      createCampaign(api, order, {
        made,
        wheels: wheels.map(({ wheel }) => wheel),
        campaigns: (live.data?.campaigns ?? []).map(({ campaign }) => campaign),
      }),
    onSuccess: async ({ campaign }) => {
      await Promise.all([refresh('campaigns'), refresh('wheels')])
      go(`/m/${api.merchant}/campaigns/${campaign}`)
    },
    onError: tellProblem,
  })
  return (
    <NameDialog
      opened={opened}
      title={t('campaigns.new')}
      size="xl"
      name={order.name}
      lengthMax={80}
      action={t('campaigns.create')}
      isRunning={create.isPending}
      onName={(name) => set({ name })}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('campaigns.source')}
        data={[
          { value: 'template', label: t('campaigns.fromTemplate') },
          { value: 'wheel', label: t('campaigns.fromWheel') },
        ]}
        value={order.source}
        onChange={(source) => set({ source })}
      />
      {order.source === 'template' ? (
        <TemplateChoice choice={choice} onChoice={setChoice} />
      ) : (
        <Select
          label={t('campaigns.wheel')}
          data={wheelOptions(wheels, campaigns)}
          value={order.wheel === '' ? null : order.wheel}
          required
          allowDeselect={false}
          onChange={(wheel) => set({ wheel: wheel ?? '' })}
        />
      )}
      <Purse purse={order.purse} campaigns={live.data?.campaigns ?? []} onPurse={(purse) => set({ purse })} />
    </NameDialog>
  )
}

/** Whose spins are used. */
function Purse(props: { purse: string; campaigns: CampaignAnswer[]; onPurse: (purse: string) => void }) {
  const { purse, campaigns, onPurse } = props
  return (
    <>
      <Term name="purse">
        <Radio.Group
          label={t('campaigns.spins')}
          description={t('campaigns.spinsText')}
          value={purse === ownPurse ? 'own' : 'shared'}
          onChange={(kind) => onPurse(kind === 'own' ? ownPurse : 'main')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="own" label={t('campaigns.ownSpins')} />
            <Radio value="shared" label={t('campaigns.sharedWith')} />
          </Stack>
        </Radio.Group>
      </Term>
      {purse === ownPurse ? null : (
        <Select
          label={t('campaigns.sharedWith')}
          data={campaigns.map(({ campaign, name }) => ({ value: campaign, label: name }))}
          value={purse}
          allowDeselect={false}
          onChange={(chosen) => onPurse(chosen ?? ownPurse)}
        />
      )}
    </>
  )
}

async function createCampaign(
  api: Api,
  order: Order,
  { made, wheels, campaigns }: { made: WheelDocument | undefined; wheels: string[]; campaigns: string[] },
): Promise<CampaignAnswer> {
  const { name } = order
  const campaign = slugOf(name, campaigns)
  const isNew = order.source === 'template'
  const wheel = isNew ? slugOf(name, wheels) : order.wheel
  if (isNew) await api.put(`/api/v1/wheels/${wheel}`, made)
  const purse = order.purse === ownPurse ? {} : { purse: order.purse }
  return api.post<CampaignAnswer>('/api/v1/campaigns', { campaign, name, wheel, ...purse })
}
