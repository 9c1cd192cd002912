/** What a day will cost, beside what it costs with the published version, by the forecasts of both. */
import { Group, Loader, Text } from '@mantine/core'
import type { ForecastAnswer } from '../../../../../src/http/answers/wheels.ts'
import { formatMoney, formatNumber, t } from '../../../texts.ts'
import type { Facts } from './effects.ts'
import { useForecast } from './facts.ts'

const assumedPlays = 1_000

export function ExpectedCost(props: {
  slug: string
  of: 'draft' | 'scheduled'
  facts: Facts
  at: string | undefined
  isFirst: boolean
}) {
  const { slug, of, facts, at, isFirst } = props
  const playsPerDay = facts.playsPerDay ?? assumedPlays
  const shared = { slug, at, playsPerDay }
  const now = useForecast({ ...shared, of: 'published', enabled: !isFirst })
  const then = useForecast({ ...shared, of, enabled: true })
  if (then.isPending || (!isFirst && now.isPending))
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden="true" />
        <Text size="sm">{t('effect.calculating')}</Text>
      </Group>
    )
  const [before, after] = [now.data, then.data].map((forecast) => costPerDay(forecast, playsPerDay))
  if (after === undefined) return null
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {before === undefined
          ? t('effect.cost', { after: formatMoney(after) })
          : t('effect.costs', { before: formatMoney(before), after: formatMoney(after) })}
      </Text>
      <Text size="xs" c="dimmed">
        {t(facts.playsPerDay === undefined ? 'effect.assumed' : 'effect.usual', {
          plays: formatNumber(playsPerDay),
        })}
      </Text>
    </div>
  )
}

/** Of a whole day: the first and the last simulated day can be shorter. */
function costPerDay(forecast: ForecastAnswer | null | undefined, playsPerDay: number): number | undefined {
  if (forecast === null || forecast === undefined || forecast.plays === 0) return undefined
  return Math.round((100 * forecast.cost.expected * playsPerDay) / forecast.plays) / 100
}
