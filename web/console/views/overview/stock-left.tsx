import { Paper, Stack, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { VersionsAnswer } from '../../../../src/http/answers/versions.ts'
import type { WheelAnswer, WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { Empty, Waiting } from '../../parts/states.tsx'
import { StockBar } from '../../parts/stock-bar.tsx'
import { useApi, useRead } from '../../session.tsx'
import { t } from '../../texts.ts'

type StockOfWheel = VersionsAnswer['stocks'][number] & { wheel: string; label: string }

/** The remaining stock of limited prizes on published wheels. Undefined while loading. */
export function useStocks(): StockOfWheel[] | undefined {
  const api = useApi()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const live = (wheels.data?.wheels ?? []).filter((wheel) => wheel.publishedVersion !== null)
  const found = useQueries({
    queries: live.map((wheel) => ({
      queryKey: [api.merchant, 'versions', wheel.wheel],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<VersionsAnswer>(`/api/v1/wheels/${wheel.wheel}/versions`, signal),
      refetchInterval: 30_000,
    })),
  })
  const drafts = useQueries({
    queries: live.map((wheel) => ({
      queryKey: [api.merchant, 'wheel-summary', wheel.wheel],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<WheelAnswer>(`/api/v1/wheels/${wheel.wheel}`, signal),
      staleTime: 60_000,
    })),
  })
  if (wheels.data === undefined || found.some((one) => one.data === undefined)) return undefined
  return found.flatMap((one, index) => {
    const segments = drafts[index]?.data?.draft.segments ?? []
    const labelOf = (id: string) => segments.find((segment) => segment.id === id)?.label ?? id
    return (one.data?.stocks ?? [])
      .filter((stock) => stock.stock !== null)
      .map((stock) => ({ ...stock, wheel: live[index]?.wheel ?? '', label: labelOf(stock.prize) }))
  })
}

export function StockLeft() {
  const stocks = useStocks()
  return (
    <Paper component="section" aria-labelledby="stock-title">
      <Title order={2} id="stock-title" mb="sm">
        {t('stock.title')}
      </Title>
      {stocks === undefined ? (
        <Waiting rows={3} />
      ) : stocks.length === 0 ? (
        <Empty icon="prizes" title={t('stock.none')} text={t('stock.noneText')} />
      ) : (
        <Stack gap="sm">
          {stocks.map(({ wheel, prize, label, stock, given }) => (
            <StockBar
              key={`${wheel} ${prize}`}
              label={label}
              left={(stock ?? 0) - given}
              total={stock ?? 0}
            />
          ))}
        </Stack>
      )}
    </Paper>
  )
}
