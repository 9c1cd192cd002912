import { Select } from '@mantine/core'
import type { CampaignsAnswer } from '../../../src/http/answers/campaigns.ts'
import { useRead } from '../session.tsx'
import { t } from '../texts.ts'

/** Chooses a campaign to filter by. A merchant that has only `main` has nothing to choose. */
export function CampaignFilter(props: {
  chosen: string
  onChange: (campaign: string) => void
  size?: 'xs' | 'sm'
  /** In a line with buttons the label is only read aloud. */
  isCompact?: boolean
}) {
  const { chosen, onChange, size = 'sm', isCompact = false } = props
  const live = useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100')
  const archived = useRead<CampaignsAnswer>(['campaigns', true], '/api/v1/campaigns?limit=100&archived=true')
  const known = [...(live.data?.campaigns ?? []), ...(archived.data?.campaigns ?? [])]
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
    />
  )
}
