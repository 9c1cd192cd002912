import { Paper, SegmentedControl, Stack } from '@mantine/core'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useSearchFields } from '../parts/search-fields.ts'
import { PageHead } from '../parts/states.tsx'
import { t } from '../texts.ts'
import { PlayFilters, playFilterNames, queryOf } from './play-filters.tsx'
import { PlayTable } from './play-table.tsx'

/** Every play of every player. */
export function Plays() {
  const { fields, settled, set } = useSearchFields(['won', ...playFilterNames])
  const filters = { ...queryOf(settled), won: fields.won }
  return (
    <>
      <PageHead title={t('nav.plays')} text={t('plays.text')}>
        <ExportMenu list="plays" filters={filters} />
      </PageHead>
      <Paper className="card-flush" p={0}>
        <Stack p="md" gap="md">
          <PlayFilters chosen={fields} onChange={set} />
          <SegmentedControl
            className="scrolling-control"
            aria-label={t('plays.outcome')}
            size="sm"
            value={fields.won}
            onChange={(value) => set('won', value)}
            data={[
              { value: '', label: t('prizes.all') },
              { value: 'true', label: t('plays.won') },
              { value: 'false', label: t('plays.lost') },
            ]}
          />
        </Stack>
        <PlayTable filters={filters} name={['plays', 'list']} refetchInterval={15_000} />
      </Paper>
    </>
  )
}
