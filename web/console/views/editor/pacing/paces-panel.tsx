/** The runs of a wheel's paced prizes: what was given, by whole days, and after the end what was released. */
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { PaceAnswer, PacesAnswer } from '../../../../../src/http/answers/paces.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { toPathPart } from '../../../parts/path-part.ts'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { Term } from '../../../parts/term.tsx'
import { useApi, useRead } from '../../../session.tsx'
import { formatInZone, formatMoney, formatNumber, t } from '../../../texts.ts'
import { RunLines } from './run-lines.tsx'

export function PacesPanel({ slug, wheel }: { slug: string; wheel: WheelDocument }) {
  const paces = useRead<PacesAnswer>(['paces', slug], `/api/v1/wheels/${slug}/paces`)
  return (
    <Loaded query={paces}>
      {(data) =>
        data.paces.length === 0 ? (
          <Paper>
            <Empty icon="history" title={t('pace.none')} text={t('pace.noneText')} />
          </Paper>
        ) : (
          <Stack>
            <Term name="run">
              <Text size="sm" c="dimmed" pr="xl">
                {t('pace.runText')}
              </Text>
            </Term>
            {data.paces.map((pace) => (
              <Run
                key={pace.commitment}
                slug={slug}
                pace={pace}
                name={nameOfRun(pace.prizeId, wheel)}
                zone={wheel.timeZone}
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** The name of a paced prize, or of the budget. */
export function nameOfRun(prizeId: string, { segments }: WheelDocument): string {
  if (prizeId === '*') return t('field.budget')
  return segments.find(({ id }) => id === prizeId)?.label ?? prizeId
}

/** How to show the units of a run: of a budget, they are hundredths of its currency. */
export function amountOf({ prizeId }: Pick<PaceAnswer, 'prizeId'>): (units: number) => string {
  return prizeId === '*' ? (units) => formatMoney(units / 100) : formatNumber
}

/** The paced prizes and the budget of a wheel, as runs are named. */
export function runsOf({ segments, budget }: WheelDocument): string[] {
  const prizes = segments.filter(({ pace }) => pace !== undefined).map(({ id }) => id)
  return budget === undefined ? prizes : [...prizes, '*']
}

function Run(props: { slug: string; pace: PaceAnswer; name: string; zone: string }) {
  const { slug, pace, name, zone } = props
  const { merchant } = useApi()
  const statement = `/m/${merchant}/wheels/${slug}/statements/${toPathPart(pace.prizeId)}?run=${pace.run}`
  const show = amountOf(pace)
  const facts = [
    [t(pace.prizeId === '*' ? 'budget.amount' : 'pace.units'), pace.units],
    ...(pace.released === null ? [] : [[t('pace.released'), pace.released] as const]),
    [t('pace.given'), pace.awards],
    [t('pace.returned'), pace.returned],
    [t('pace.left'), pace.left],
  ] as const
  return (
    <Paper component="section" aria-label={name}>
      <Group justify="space-between">
        <Title order={2}>{t('pace.run', { name, run: pace.run })}</Title>
        <Anchor component={Link} href={statement}>
          {t('pace.statement')}
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed">
        {t(pace.endedAt === null ? 'pace.times' : 'pace.endedEarly', {
          from: formatInZone(pace.startsAt, zone),
          until: formatInZone(pace.endedAt ?? pace.endsAt, zone),
        })}
        {pace.spanEndsAt === null
          ? ''
          : ` ${t('pace.stretch', { time: formatInZone(pace.spanEndsAt, zone) })}`}
      </Text>
      <Group gap="lg" my="sm">
        {facts.map(([label, count]) => (
          <div key={label}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <div className="stat-value">{show(count)}</div>
          </div>
        ))}
      </Group>
      {pace.countedUntil === null ? null : (
        <Text size="sm" c="dimmed">
          {t('pace.countedUntil', { time: formatInZone(pace.countedUntil, zone) })}
        </Text>
      )}
      <RunLines pace={pace} />
    </Paper>
  )
}
