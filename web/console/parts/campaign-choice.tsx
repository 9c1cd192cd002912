import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import { t } from '../texts.ts'
import { Select } from './inputs.tsx'
import { useLiveCampaigns } from './known-campaigns.ts'

/** The campaigns that take part: no spins for one that is over, and no link to one that was never published. */
const excluded: Record<'spins' | 'link' | 'correction', readonly CampaignAnswer['state'][]> = {
  spins: ['ended'],
  link: ['ended', 'draft'],
  correction: [],
}

/** The campaign that spins or a link are for. A merchant with one live campaign has nothing to choose. */
export function CampaignChoice(props: {
  use: keyof typeof excluded
  chosen: string
  onChange: (campaign: string) => void
  disabled?: boolean
}) {
  const { use, chosen, onChange, disabled = false } = props
  const live = useLiveCampaigns()
  if (live.length < 2) return null
  const offered = live.filter(({ campaign, state }) => campaign === 'main' || !excluded[use].includes(state))
  const choices = [
    ...offered.map((one) => ({ value: one.campaign, label: one.name })),
    ...(use === 'link' ? [{ value: '*', label: t('campaignChoice.all') }] : []),
  ]
  const name = choices.find(({ value }) => value === chosen)?.label ?? chosen
  return (
    <Select
      label={t('filters.campaign')}
      description={t(use === 'link' ? 'campaignChoice.link' : 'campaignChoice.spins', { name })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={choices}
      value={chosen}
      allowDeselect={false}
      searchable={offered.length > 8}
      disabled={disabled}
      onChange={(campaign) => campaign !== null && onChange(campaign)}
    />
  )
}
