import { Select } from '@mantine/core'
import { t } from '../texts.ts'
import { useKnownCampaigns } from './known-campaigns.ts'

/** Chooses a campaign to filter by. A merchant that has only `main` has nothing to choose. */
export function CampaignFilter(props: {
  chosen: string
  onChange: (campaign: string) => void
  size?: 'xs' | 'sm'
  /** In a line with buttons the label is only read aloud. */
  isCompact?: boolean
}) {
  const { chosen, onChange, size = 'sm', isCompact = false } = props
  const known = useKnownCampaigns()
  if (known.length < 2 && chosen === '') return null
  const label = t('filters.campaign')
  return (
    <Select
      {...(isCompact ? { 'aria-label': label } : { label })}
      size={size}
      placeholder={t('filters.anyCampaign')}
      data={known.map(({ campaign, name }) => ({ value: campaign, label: name }))}
      value={chosen === '' ? null : chosen}
      onChange={(campaign) => onChange(campaign ?? '')}
      clearable
      searchable={known.length > 8}
      selectFirstOptionOnChange
    />
  )
}
