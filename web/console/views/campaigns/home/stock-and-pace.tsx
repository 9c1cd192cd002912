import { Anchor, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import type { PaceAnswer, PacesAnswer } from '../../../../../src/http/answers/paces.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { BarHead, StockBar } from '../../../parts/stock-bar.tsx'
import { useApi, useRead } from '../../../session.tsx'
import { formatInZone, t } from '../../../texts.ts'
import { amountOf, nameOfRun, runsOf } from '../../editor/pacing/paces-panel.tsx'
import type { Stock } from './campaign-attention.tsx'

/**
 * The limited prizes that are not released over time. Of the others a run counts whole past days only: what is released
 * and not given is worth a prize to players.
 */
export function stockWithoutRuns({ figures }: CampaignAnswer, wheel: WheelDocument | undefined): Stock[] {
  const paced = new Set(wheel?.segments.filter(({ pace }) => pace !== undefined).map(({ id }) => id))
  return wheel === undefined ? [] : (figures?.stock ?? []).filter(({ prizeId }) => !paced.has(prizeId))
}

/** Limited prizes, and the runs that have not ended. */
export function StockAndPace(props: {
  slug: string
  wheel: WheelDocument | undefined
  stock: readonly Stock[]
}) {
  const { slug, wheel, stock } = props
  const paces = useRead<PacesAnswer>(['paces', slug], `/api/v1/wheels/${slug}/paces`, {
    enabled: wheel !== undefined && runsOf(wheel).length > 0,
  })
  const runs = (paces.data?.paces ?? []).filter(({ countedUntil }) => countedUntil !== null)
  if (wheel === undefined || stock.length + runs.length === 0) return null
  return (
    <Paper component="section" aria-labelledby="stock-title">
      <Title order={2} id="stock-title" mb="sm">
        {t('stock.title')}
      </Title>
      <Stack gap="sm">
        {stock.map(({ prizeId, ...one }) => (
          <StockBar key={prizeId} {...one} />
        ))}
        {runs.map((pace) => (
          <PaceBar key={pace.commitment} pace={pace} wheel={wheel} slug={slug} />
        ))}
      </Stack>
    </Paper>
  )
}

function PaceBar({ pace, wheel, slug }: { pace: PaceAnswer; wheel: WheelDocument; slug: string }) {
  const { merchant } = useApi()
  const { left, units: all } = pace
  const show = amountOf(pace)
  const label = nameOfRun(pace.prizeId, wheel)
  return (
    <div>
      <BarHead label={label} text={t('stock.left', { left: show(left), all: show(all) })} />
      <Progress
        value={all === 0 ? 0 : (left / all) * 100}
        color="blue"
        aria-label={t('stock.of', { prize: label })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t('home.pace', {
          until: formatInZone(pace.endsAt, wheel.timeZone),
          counted: formatInZone(pace.countedUntil ?? '', wheel.timeZone),
        })}{' '}
        <Anchor component={Link} inherit underline="always" href={`/m/${merchant}/wheels/${slug}?tab=paces`}>
          {t('home.paceMore')}
        </Anchor>
      </Text>
    </div>
  )
}
