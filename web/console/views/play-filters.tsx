import { Select, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { WheelsAnswer } from '../../../src/http/answers/wheels.ts'
import { CampaignFilter } from '../parts/campaign-filter.tsx'
import { PlayerFilter } from '../parts/player-filter.tsx'
import { rangeOf } from '../parts/search-fields.ts'
import { DayRange } from '../parts/time-fields.tsx'
import { useRead } from '../session.tsx'
import { t } from '../texts.ts'

export const playFilterNames = ['player', 'campaign', 'wheel', 'from', 'to'] as const
type PlayFilterName = (typeof playFilterNames)[number]

/** The filters that the lists of plays and of prizes share. */
export function PlayFilters(props: {
  chosen: Record<PlayFilterName, string>
  onChange: (name: PlayFilterName, value: string) => void
  children?: ReactNode
}) {
  const { chosen, onChange } = props
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const known = wheels.data?.wheels.map(({ wheel, name }) => ({ value: wheel, label: name })) ?? []
  return (
    <SimpleGrid
      component="section"
      cols={{ base: 2, md: 3, xl: 5 }}
      spacing="sm"
      aria-label={t('filters.label')}
    >
      <PlayerFilter chosen={chosen.player} onChange={(player) => onChange('player', player)} />
      <CampaignFilter chosen={chosen.campaign} onChange={(campaign) => onChange('campaign', campaign)} />
      <Select
        label={t('filters.wheel')}
        placeholder={t('filters.anyWheel')}
        data={known}
        value={chosen.wheel === '' ? null : chosen.wheel}
        onChange={(wheel) => onChange('wheel', wheel ?? '')}
        clearable
        searchable={known.length > 8}
        selectFirstOptionOnChange
      />
      <DayRange from={chosen.from} to={chosen.to} onChange={onChange} />
      {props.children}
    </SimpleGrid>
  )
}

/** The filters as the API takes them. */
export function queryOf(chosen: Record<PlayFilterName, string>): Record<string, string | undefined> {
  const { player, campaign, wheel } = chosen
  return { playerId: player.trim(), campaign, wheel, ...rangeOf(chosen) }
}

export function isFiltered(filters: Record<string, string | undefined>): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== '')
}
