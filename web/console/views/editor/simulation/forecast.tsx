import { Alert, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import type { ForecastAnswer } from '../../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { DataTable } from '../../../parts/table.tsx'
import { formatDay, formatMoney, formatNumber, formatShare, t } from '../../../texts.ts'
import { forecastWarnings } from './forecast-warnings.ts'
import { StockChart } from './stock-chart.tsx'

type Prize = ForecastAnswer['prizes'][number]
type Range = ForecastAnswer['cost']

export function ForecastView({ forecast, wheel }: { forecast: ForecastAnswer; wheel: WheelDocument }) {
  const { plays, cost, runs } = forecast
  const limited = forecast.prizes.filter(({ stock }) => stock !== null)
  return (
    <>
      {forecastWarnings(forecast, wheel).map((warning) => (
        <Alert key={warning} color="yellow" icon={<Icon name="warning" />}>
          {warning}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Figure label={t('simulation.allPlays')} value={formatNumber(plays)} />
        <Figure label={t('simulation.wins')} value={formatShare(winShareOf(forecast, wheel))} />
        <Figure
          label={t('simulation.cost')}
          value={roundedMoney(cost.expected)}
          {...(cost.low === cost.high ? {} : { hint: rangeOf(cost, roundedMoney) })}
        />
        <Figure
          label={t('simulation.costPerPlay')}
          value={formatMoney(plays === 0 ? 0 : cost.expected / plays)}
        />
      </SimpleGrid>
      {limited.length === 0 ? null : <StockChart forecast={forecast} limited={limited} />}
      <Paper className="card-flush" p={0} component="section" aria-labelledby="forecast-title">
        <Title order={2} id="forecast-title" p="lg" pb="xs">
          {t('simulation.byPrize')}
        </Title>
        <DataTable
          label={t('simulation.byPrize')}
          items={forecast.prizes}
          keyOf={({ id }) => id}
          columns={[
            { head: t('simulation.prize'), cell: ({ label }) => label },
            { head: t('simulation.given'), right: true, cell: ({ given }) => <Ranged range={given} /> },
            { head: t('simulation.fallbacks'), right: true, cell: (prize) => <Fallbacks prize={prize} /> },
            {
              head: t('simulation.cost'),
              right: true,
              cell: (prize) => <Ranged range={prize.cost} show={roundedMoney} />,
            },
            {
              head: t('simulation.left'),
              right: true,
              cell: ({ stock }) => (stock === null ? '–' : <Ranged range={stock.left} />),
            },
            { head: t('simulation.runsOut'), right: true, cell: ({ stock }) => <RunsOut stock={stock} /> },
          ]}
        />
        <Text size="xs" c="dimmed" p="lg" pt="xs">
          {t('simulation.runs', { count: runs })}
        </Text>
      </Paper>
    </>
  )
}

function winShareOf({ prizes, plays }: ForecastAnswer, { segments }: WheelDocument): number {
  const isPrize = ({ id }: Prize) => segments.find((one) => one.id === id)?.prize.kind !== 'none'
  const wins = prizes.filter(isPrize).reduce((sum, { given }) => sum + given.expected, 0)
  return plays === 0 ? 0 : Math.round((1000 * wins) / plays) / 1000
}

function Figure({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <Paper p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="stat-value">{value}</div>
      {hint === undefined ? null : <Hint text={hint} />}
    </Paper>
  )
}

/** One element: on a phone, a cell spreads its parts over the line. */
function Ranged({ range, show = rounded }: { range: Range; show?: (value: number) => string }) {
  return (
    <div>
      {show(range.expected)}
      {range.low === range.high ? null : <Hint text={rangeOf(range, show)} />}
    </div>
  )
}

/** How often a prize is drawn and not given, with the reasons. */
function Fallbacks({ prize: { fallbacks, reasons } }: { prize: Prize }) {
  return (
    <div>
      {rounded(fallbacks)}
      {reasons.map(({ reason, count }) => (
        <Hint key={reason} text={`${t(`fallback.${reason}`)}: ${rounded(count)}`} />
      ))}
    </div>
  )
}

function RunsOut({ stock }: { stock: Prize['stock'] }) {
  if (stock === null || stock.runsOut.expected === null) return '–'
  const { share, expected, earliest, latest } = stock.runsOut
  const hasRange = earliest !== null && latest !== null && earliest !== latest
  return (
    <div>
      {formatDay(expected)}
      {hasRange ? (
        <Hint text={t('simulation.range', { low: formatDay(earliest), high: formatDay(latest) })} />
      ) : null}
      {share === 1 ? null : (
        <Hint text={t('simulation.share', { share: formatShare(Math.round(share * 100) / 100) })} />
      )}
    </div>
  )
}

function Hint({ text }: { text: string }) {
  return (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  )
}

function rangeOf({ low, high }: Range, show: (value: number) => string): string {
  return t('simulation.range', { low: show(low), high: show(high) })
}

/** Thousands need no decimals. */
function rounded(value: number): string {
  return formatNumber(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10)
}

function roundedMoney(value: number): string {
  return formatMoney(Math.abs(value) >= 100 ? Math.round(value) : value)
}
