/** Finds visitors by their address, by when they entered, and by whether they proved their address. */
import { Select, SimpleGrid } from '@mantine/core'
import { rangeOf } from '../../parts/search-fields.ts'
import { TextField } from '../../parts/text-field.tsx'
import { DayRange } from '../../parts/time-fields.tsx'
import { t } from '../../texts.ts'

export const entryFilterNames = ['address', 'verified', 'from', 'to'] as const
type Chosen = Record<(typeof entryFilterNames)[number], string>

const addressLengthMax = 254

export function EntryFilters(props: {
  chosen: Chosen
  onChange: (name: keyof Chosen, value: string) => void
}) {
  const { chosen, onChange } = props
  return (
    <SimpleGrid
      component="section"
      cols={{ base: 1, xs: 2, lg: 4 }}
      spacing="sm"
      px="md"
      pb="md"
      aria-label={t('filters.label')}
    >
      <TextField
        label={t('visitors.findAddress')}
        placeholder="ann@shop.example"
        type="search"
        inputMode="email"
        value={chosen.address}
        lengthMax={addressLengthMax}
        description={t('visitors.findWhole')}
        onChange={(text) => onChange('address', text.trim())}
      />
      <Select
        label={t('visitors.addressState')}
        data={[
          { value: '', label: t('visitors.anyState') },
          { value: 'true', label: t('visitors.proven') },
          { value: 'false', label: t('visitors.unproven') },
        ]}
        value={chosen.verified}
        allowDeselect={false}
        onChange={(verified) => onChange('verified', verified ?? '')}
      />
      <DayRange from={chosen.from} to={chosen.to} onChange={onChange} />
    </SimpleGrid>
  )
}

/** The filters as the API takes them. Addresses are found whole: only their hashes can be searched. */
export function entryQueryOf(chosen: Chosen): Record<string, string | undefined> {
  const { address, verified } = chosen
  return { address: isSearchable(address) ? address : '', verified, ...rangeOf(chosen) }
}

function isSearchable(address: string): boolean {
  return address === '' || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address)
}
