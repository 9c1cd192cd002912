import { Paper, Select, SimpleGrid } from '@mantine/core'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { CampaignFilter } from '../../parts/campaign-filter.tsx'
import { DayRange } from '../../parts/time-fields.tsx'
import { daysAfter } from '../../parts/zoned-time.ts'
import { useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { comparisons, type ReportFilter } from './use-report-filter.ts'

const periods = ['7', '30', '90', '365'] as const

export function Filters(props: { filter: ReportFilter; onChange: (changes: Partial<ReportFilter>) => void }) {
  const { filter, onChange } = props
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels').data?.wheels ?? []
  const length = String((Date.parse(filter.to) - Date.parse(filter.from)) / 86_400_000 + 1)
  return (
    <Paper component="section" aria-label={t('reports.filters')} p="md">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 6 }} spacing="sm">
        <CampaignFilter chosen={filter.campaign} onChange={(campaign) => onChange({ campaign })} />
        <Select
          label={t('reports.wheel')}
          placeholder={t('reports.allWheels')}
          data={wheels.map(({ wheel, name }) => ({ value: wheel, label: name }))}
          value={filter.wheel === '' ? null : filter.wheel}
          onChange={(wheel) => onChange({ wheel: wheel ?? '' })}
          clearable
          searchable={wheels.length > 8}
          selectFirstOptionOnChange
        />
        <Select
          label={t('reports.period')}
          placeholder={t('reports.custom')}
          data={periods.map((value) => ({ value, label: t('reports.lastDays', { count: Number(value) }) }))}
          value={periods.find((one) => one === length) ?? null}
          allowDeselect={false}
          onChange={(days) => days !== null && onChange({ from: daysAfter(filter.to, 1 - Number(days)) })}
        />
        <DayRange from={filter.from} to={filter.to} onChange={(name, day) => onChange({ [name]: day })} />
        <Select
          label={t('reports.compare')}
          data={comparisons.map((value) => ({ value, label: t(`reports.compare.${value}`) }))}
          value={filter.compare}
          allowDeselect={false}
          onChange={(compare) => compare !== null && onChange({ compare })}
        />
      </SimpleGrid>
    </Paper>
  )
}
