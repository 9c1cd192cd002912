import { Badge, Group, Paper, Text, Title, Tooltip } from '@mantine/core'
import { Empty, Loaded } from '../../parts/states.tsx'
import { formatNumber, t } from '../../texts.ts'
import { type ReportPrize, usePrizeReport } from './reports.ts'

/** Actual draws beside the expected range: a fair wheel falls within the band 95 times out of 100. */
export function OddsCheck({ days }: { days: number }) {
  const report = usePrizeReport(days)
  return (
    <Paper component="section" aria-labelledby="odds-title">
      <Title order={2} id="odds-title">
        {t('oddsCheck.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('oddsCheck.text')}
      </Text>
      <Loaded query={report}>
        {(data) => {
          const prizes = data.prizes.filter((prize) => prize.expected > 0)
          if (prizes.length === 0)
            return <Empty icon="wheel" title={t('player.noPlays')} text={t('oddsCheck.none')} />
          const max = Math.max(
            ...prizes.map((prize) => Math.max(prize.drawn, Math.ceil(prize.expected + 2 * prize.deviation))),
          )
          return (
            <div>
              {prizes.map((prize) => (
                <Row key={`${prize.wheel} ${prize.prizeId} ${prize.label}`} prize={prize} max={max} />
              ))}
            </div>
          )
        }}
      </Loaded>
    </Paper>
  )
}

function Row({ prize, max }: { prize: ReportPrize; max: number }) {
  const low = Math.floor(Math.max(0, prize.expected - 2 * prize.deviation))
  const high = Math.ceil(prize.expected + 2 * prize.deviation)
  const isInside = prize.drawn >= low && prize.drawn <= high
  const at = (value: number) => `${(value / max) * 100}%`
  const range = t('oddsCheck.range', { low: formatNumber(low), high: formatNumber(high) })
  return (
    <div className="odds-row">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {prize.label}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {isInside ? null : <Badge color="orange">{t('oddsCheck.outside')}</Badge>}
          <Text size="sm" className="number nowrap">
            {t('oddsCheck.drawn', { count: prize.drawn })}
          </Text>
        </Group>
      </Group>
      <Tooltip
        label={`${range} · ${t('oddsCheck.expected', { count: Math.round(prize.expected * 10) / 10 })}`}
      >
        <div className="odds-track">
          <span className="odds-band" style={{ left: at(low), width: at(high - low) }} />
          <span className="odds-expected" style={{ left: at(prize.expected) }} />
          <span className="odds-dot" data-inside={isInside} style={{ left: at(prize.drawn) }} />
        </div>
      </Tooltip>
      <Text size="xs" c="dimmed">
        {range}
      </Text>
    </div>
  )
}
