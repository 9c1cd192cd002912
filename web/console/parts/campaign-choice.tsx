import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import { t } from '../texts.ts'
import { Select } from './inputs.tsx'
import { useLiveCampaigns } from './known-campaigns.ts'
import { useReportUnfinished } from './unfinished.tsx'

/** The campaigns that take part: no spins for one that is over, and no link to one that was never published. */
const excluded: Record<'spins' | 'link' | 'correction', readonly CampaignAnswer['state'][]> = {
  spins: ['ended'],
  link: ['ended', 'draft'],
  correction: [],
}

/** The chosen campaign, or the only one of a merchant who has nothing to choose. */
export function useCampaignFor(chosen: string): string {
  const live = useLiveCampaigns()
  return chosen === '' && live?.length === 1 ? (live[0]?.campaign ?? '') : chosen
}

/**
 * The campaign that spins or a link are for: none until somebody chooses one, unless the page is about one. A merchant
 * with one live campaign has nothing to choose.
 */
export function CampaignChoice(props: {
  use: keyof typeof excluded
  chosen: string
  onChange: (campaign: string) => void
  disabled?: boolean
}) {
  const { use, chosen, onChange, disabled = false } = props
  const live = useLiveCampaigns()
  useReportUnfinished(live === undefined)
  if (live === undefined || live.length < 2) return null
  const offered = live.filter(({ campaign, state }) => campaign === 'main' || !excluded[use].includes(state))
  const choices = [
    ...offered.map((one) => ({ value: one.campaign, label: one.name })),
    ...(use === 'link' ? [{ value: '*', label: t('campaignChoice.all') }] : []),
  ]
  const name = choices.find(({ value }) => value === chosen)?.label ?? chosen
  return (
    <Select
      label={t('filters.campaign')}
      description={
        chosen === '' ? '' : t(use === 'link' ? 'campaignChoice.link' : 'campaignChoice.spins', { name })
      }
      placeholder={t('campaignChoice.choose')}
      required
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={choices}
      value={chosen === '' ? null : chosen}
      allowDeselect={false}
      // The browser asks for a missing choice only where one can type.
      searchable
      disabled={disabled}
      onChange={(campaign) => campaign !== null && onChange(campaign)}
    />
  )
}
