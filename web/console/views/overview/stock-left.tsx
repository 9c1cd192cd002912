import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Empty, Waiting } from '../../parts/states.tsx'
import { useApi, useRead } from '../../session.tsx'
import { formatNumber, t } from '../../texts.ts'
import type { WheelAnswer } from '../editor/wheel-editor.tsx'
import type { WheelSummary } from '../wheels.tsx'

type Stock = { prize: string; stock: number | null; given: number }
type StockOfWheel = Stock & { wheel: string; label: string }

/** What limited prizes of published wheels have left. Undefined while it is being read. */
export function useStocks(): StockOfWheel[] | undefined {
  const api = useApi()
  const wheels = useRead<{ wheels: WheelSummary[] }>(['wheels'], '/api/v1/wheels')
  const live = (wheels.data?.wheels ?? []).filter((wheel) => wheel.publishedVersion !== null)
  const found = useQueries({
    queries: live.map((wheel) => ({
      queryKey: [api.merchant, 'versions', wheel.wheel],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<{ stocks: Stock[] }>(`/api/v1/wheels/${wheel.wheel}/versions`, signal),
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
          {stocks.map((one) => (
            <Row key={`${one.wheel} ${one.prize}`} stock={one} />
          ))}
        </Stack>
      )}
    </Paper>
  )
}

function Row({ stock }: { stock: StockOfWheel }) {
  const all = stock.stock ?? 0
  const left = all - stock.given
  const share = all === 0 ? 0 : left / all
  return (
    <div>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {stock.label}
        </Text>
        <Text size="sm" className="number nowrap">
          {t('stock.left', { left: formatNumber(left), all: formatNumber(all) })}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        color={share < 0.1 ? 'red' : share < 0.25 ? 'orange' : 'teal'}
        aria-label={t('stock.of', { prize: stock.label })}
      />
    </div>
  )
}
