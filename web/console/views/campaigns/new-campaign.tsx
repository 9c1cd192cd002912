import { Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CampaignAnswer, CampaignsAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { type Api, useApi, useRead, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { newWheel } from '../editor/new-wheel.ts'
import { slugOf } from '../editor/slug.ts'

/** A wheel of its own, made with the campaign. */
const ownWheel = ''
/** Spins of its own. */
const ownPurse = ''

type Order = { name: string; wheel: string; purse: string }

export function NewCampaign({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels', { enabled: opened })
  const live = useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100')
  const [order, setOrder] = useState<Order>({ name: '', wheel: ownWheel, purse: ownPurse })
  const set = (change: Partial<Order>) => setOrder((now) => ({ ...now, ...change }))
  const create = useMutation({
    mutationFn: async () =>
      createCampaign(
        api,
        order,
        (wheels.data?.wheels ?? []).map(({ wheel }) => wheel),
      ),
    onSuccess: async ({ campaign }) => {
      await refresh('campaigns')
      go(`/m/${api.merchant}/campaigns/${campaign}`)
    },
    onError: tellProblem,
  })
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('campaigns.new')}</Text>}>
      <Form onSubmit={() => create.mutate()}>
        <TextInput
          label={t('field.name')}
          value={order.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          required
          maxLength={80}
          data-autofocus
        />
        <Select
          label={t('campaigns.wheel')}
          data={[
            { value: ownWheel, label: t('campaigns.newWheel') },
            ...(wheels.data?.wheels ?? []).map(({ wheel, name }) => ({ value: wheel, label: name })),
          ]}
          value={order.wheel}
          allowDeselect={false}
          onChange={(wheel) => set({ wheel: wheel ?? ownWheel })}
        />
        <Radio.Group
          label={t('campaigns.spins')}
          description={t('campaigns.spinsText')}
          value={order.purse === ownPurse ? 'own' : 'shared'}
          onChange={(kind) => set({ purse: kind === 'own' ? ownPurse : 'main' })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="own" label={t('campaigns.ownSpins')} />
            <Radio value="shared" label={t('campaigns.sharedWith')} />
          </Stack>
        </Radio.Group>
        {order.purse === ownPurse ? null : (
          <Select
            label={t('campaigns.sharedWith')}
            data={(live.data?.campaigns ?? []).map(({ campaign, name }) => ({
              value: campaign,
              label: name,
            }))}
            value={order.purse}
            allowDeselect={false}
            onChange={(purse) => set({ purse: purse ?? ownPurse })}
          />
        )}
        <Submit loading={create.isPending}>{t('campaigns.create')}</Submit>
      </Form>
    </Modal>
  )
}

async function createCampaign(api: Api, order: Order, taken: string[]): Promise<CampaignAnswer> {
  const name = order.name.trim()
  const campaign = slugOf(name, ['main'])
  const wheel = order.wheel === ownWheel ? slugOf(name, taken) : order.wheel
  if (order.wheel === ownWheel) await api.put(`/api/v1/wheels/${wheel}`, newWheel(name))
  const purse = order.purse === ownPurse ? {} : { purse: order.purse }
  return api.post<CampaignAnswer>('/api/v1/campaigns', { campaign, name, wheel, ...purse })
}
