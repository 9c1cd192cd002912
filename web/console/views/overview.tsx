import { Grid, Group, SegmentedControl, Stack } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { PageHead, Waiting } from '../parts/states.tsx'
import { useMerchant } from '../session.tsx'
import { t } from '../texts.ts'
import { Attention } from './overview/attention.tsx'
import { Checklist } from './overview/checklist.tsx'
import { Figures } from './overview/figures.tsx'
import { LiveFeed } from './overview/live-feed.tsx'
import { OddsCheck } from './overview/odds-check.tsx'
import { StockLeft } from './overview/stock-left.tsx'
import { useSearchParams } from '../parts/search-params.ts'

const ranges = ['7', '30', '90'] as const

export function Overview() {
  const { name } = useMerchant()
  const isReady = useFirstAnswers()
  const [params, setParams] = useSearchParams()
  const range = ranges.find((one) => one === params.get('days')) ?? '30'
  const choose = (days: string) =>
    setParams(
      (now) => {
        if (days === '30') now.delete('days')
        else now.set('days', days)
        return now
      },
      { replace: true },
    )
  return (
    <>
      <PageHead title={t('nav.overview')} text={name}>
        <Group>
          <SegmentedControl
            aria-label={t('overview.range')}
            value={range}
            onChange={choose}
            data={ranges.map((value) => ({ value, label: t('overview.days', { count: Number(value) }) }))}
          />
        </Group>
      </PageHead>
      {isReady ? null : <Waiting rows={8} />}
      <Stack gap="lg" style={isReady ? {} : { visibility: 'hidden' }}>
        <Checklist />
        <Attention />
        <Figures days={Number(range)} isShown={isReady} />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <OddsCheck days={Number(range)} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack gap="lg">
              <StockLeft />
              <LiveFeed />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  )
}

const waitMsMax = 800

/**
 * Whether all parts have their first answer. Parts that appear one by one would shift the layout, so they are laid out
 * hidden and shown together. A part that takes too long is not waited for.
 */
function useFirstAnswers(): boolean {
  const { merchant } = useMerchant()
  const [isReady, setReady] = useState(false)
  const waiting = useIsFetching({
    predicate: ({ queryKey, state }) => queryKey[0] === merchant && state.data === undefined,
  })
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), waitMsMax)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (waiting > 0) return undefined
    // An answer may trigger another request.
    const timer = setTimeout(() => setReady(true), 30)
    return () => clearTimeout(timer)
  }, [waiting])
  return isReady
}
