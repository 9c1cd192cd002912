import { Button, Paper, SegmentedControl, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useSearchFields } from '../parts/search-fields.ts'
import { PageHead } from '../parts/states.tsx'
import { useMay, useMerchant } from '../session.tsx'
import { t } from '../texts.ts'
import { PlayFilters, playFilterNames, queryOf } from './play-filters.tsx'
import { PrizeTable } from './prize-table.tsx'
import { Till } from './till/till.tsx'

const states = ['held', 'won', 'claimed', 'redeemed', 'cancelled', 'expired', 'refused'] as const

/** Redeem by code, typed or scanned, or from the list. */
export function Prizes() {
  const may = useMay()
  const { merchant } = useMerchant()
  const { fields, settled, set } = useSearchFields(['code', 'state', ...playFilterNames])
  const state = states.find((one) => one === fields.state)
  const filters = { ...queryOf(settled), state }
  return (
    <>
      <PageHead title={t('nav.prizes')} text={t('prizes.text')}>
        {may.serve ? (
          <Button component={Link} href={`/m/${merchant}/till`} variant="default">
            {t('till.open')}
          </Button>
        ) : null}
        <ExportMenu list="prizes" filters={filters} />
      </PageHead>
      <Stack gap="lg">
        {may.serve ? (
          <Paper>
            <Till code={fields.code} onSearch={(code) => set('code', code)} />
          </Paper>
        ) : null}
        <Paper className="card-flush" p={0}>
          <Stack p="md" gap="md">
            <PlayFilters chosen={fields} onChange={set} />
            <SegmentedControl
              className="scrolling-control"
              aria-label={t('prizes.filter')}
              size="sm"
              value={state ?? ''}
              onChange={(value) => set('state', value)}
              data={[
                { value: '', label: t('prizes.all') },
                ...states.map((value) => ({ value, label: t(`prizeState.${value}`) })),
              ]}
            />
          </Stack>
          <PrizeTable filters={filters} name={['prizes', 'list']} refetchInterval={15_000} />
        </Paper>
      </Stack>
    </>
  )
}
