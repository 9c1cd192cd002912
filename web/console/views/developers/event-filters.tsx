import { MultiSelect, SimpleGrid, TextInput } from '@mantine/core'
import { loggedEventTypes } from '../../../../src/events/event-types.ts'
import { CampaignFilter } from '../../parts/campaign-filter.tsx'
import { MomentField } from '../../parts/time-fields.tsx'
import { t } from '../../texts.ts'
import type { EventFilter } from './event-search.ts'

export function EventFilters(props: {
  chosen: EventFilter
  onChange: (name: keyof EventFilter, value: string) => void
}) {
  const { chosen, onChange } = props
  const types = chosen.types === '' ? [] : chosen.types.split(',')
  return (
    <SimpleGrid
      component="section"
      cols={{ base: 1, sm: 2, lg: 3, xl: 5 }}
      p="md"
      spacing="sm"
      aria-label={t('activity.filters')}
    >
      <MultiSelect
        label={t('events.types')}
        placeholder={types.length === 0 ? t('events.anyType') : ''}
        data={loggedEventTypes}
        value={types}
        onChange={(value) => onChange('types', value.join(','))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('events.clearTypes') }}
      />
      <TextInput
        label={t('events.player')}
        placeholder={t('activity.subjectHint')}
        value={chosen.player}
        onChange={(event) => onChange('player', event.currentTarget.value)}
        maxLength={128}
        type="search"
      />
      <CampaignFilter chosen={chosen.campaign} onChange={(campaign) => onChange('campaign', campaign)} />
      <MomentField
        label={t('activity.from')}
        error={null}
        value={chosen.from === '' ? undefined : chosen.from}
        onChange={(from) => onChange('from', from ?? '')}
      />
      <MomentField
        label={t('activity.to')}
        error={chosen.from !== '' && chosen.to !== '' && chosen.to <= chosen.from ? t('events.order') : null}
        value={chosen.to === '' ? undefined : chosen.to}
        onChange={(to) => onChange('to', to ?? '')}
      />
    </SimpleGrid>
  )
}
