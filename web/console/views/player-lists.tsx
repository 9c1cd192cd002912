/** The line above the lists of a player: a filter by campaign, and the export of what is shown. */
import { Group } from '@mantine/core'
import { CampaignFilter } from '../parts/campaign-filter.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useSearchFields } from '../parts/search-fields.ts'

/** The campaign that all lists of the player are filtered by; undefined for all. */
export function useChosenCampaign(): string | undefined {
  const { campaign } = useSearchFields(['campaign']).fields
  return campaign === '' ? undefined : campaign
}

export function ListBar({ playerId, list }: { playerId: string; list?: 'ledger' | 'plays' | 'prizes' }) {
  const { fields, set } = useSearchFields(['campaign'])
  return (
    <Group justify="flex-end" px="sm" pt="sm" gap="xs">
      <CampaignFilter
        chosen={fields.campaign}
        onChange={(campaign) => set('campaign', campaign)}
        size="xs"
        isCompact
      />
      {list === undefined ? null : (
        <ExportMenu list={list} filters={{ playerId, campaign: fields.campaign }} size="xs" />
      )}
    </Group>
  )
}
