/** How far visitors came, from the opened page to a claimed prize, and why others were refused. */
import { Group, Paper, Select, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryFiguresAnswer } from '../../../../src/http/answers/entry-list.ts'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { daysAfter } from '../../parts/zoned-time.ts'
import { useApi } from '../../session.tsx'
import { formatNumber, formatShare, hasText, t } from '../../texts.ts'
import '../reports/reports.css'

type Figures = EntryFiguresAnswer['total']

const periods = ['7', '30', '90'] as const
const stages = ['opened', 'submitted', 'entered', 'verified', 'played', 'won', 'claimed'] as const

export function EntryFigures(props: { campaign: string; provesAddresses: boolean }) {
  const [days, setDays] = useState<string>('30')
  const figures = useEntryFigures(props.campaign, Number(days))
  return (
    <Paper component="section" aria-labelledby="visitors-figures">
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <div>
          <Title order={2} id="visitors-figures">
            {t('visitors.figures')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('visitors.figuresText')}
          </Text>
        </div>
        <Select
          label={t('visitors.period')}
          data={periods.map((value) => ({ value, label: t('visitors.lastDays', { count: Number(value) }) }))}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '30')}
        />
      </Group>
      <Loaded query={figures}>
        {({ total }) => (
          <>
            <Stages total={total} provesAddresses={props.provesAddresses} />
            <Refusals refusals={total.refusals} />
          </>
        )}
      </Loaded>
    </Paper>
  )
}

/** Days of the world's time (UTC), as the server counts them. */
function useEntryFigures(campaign: string, days: number) {
  const api = useApi()
  const to = new Date(useMerchantNow()).toISOString().slice(0, 10)
  const query = new URLSearchParams({ from: daysAfter(to, 1 - days), to })
  const address = `/api/v1/campaigns/${campaign}/entry/figures?${query}`
  return useQuery({
    queryKey: [api.merchant, 'campaigns', 'entry', campaign, 'figures', address],
    queryFn: ({ signal }) => api.get<EntryFiguresAnswer>(address, signal),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
}

function Stages({ total, provesAddresses }: { total: Figures; provesAddresses: boolean }) {
  const shown = stages.filter((stage) => stage !== 'verified' || provesAddresses || total.verified > 0)
  const most = Math.max(...shown.map((stage) => total[stage]))
  if (most === 0)
    return <Empty icon="players" title={t('visitors.noFigures')} text={t('visitors.noFiguresText')} />
  return (
    <ol className="funnel" aria-labelledby="visitors-figures">
      {shown.map((stage) => (
        <li key={stage}>
          <Text size="sm" fw={600}>
            {t(`visitors.stage.${stage}`)}
          </Text>
          <span className="funnel-track" aria-hidden="true">
            <span className="funnel-bar" style={{ width: `${(total[stage] / most) * 100}%` }} />
          </span>
          <Text size="sm" className="number funnel-count">
            {formatNumber(total[stage])} · {formatShare(total[stage] / most)}
          </Text>
        </li>
      ))}
    </ol>
  )
}

function Refusals({ refusals }: Pick<Figures, 'refusals'>) {
  const counted = Object.entries(refusals).toSorted(([, one], [, other]) => other - one)
  if (counted.length === 0) return null
  return (
    <>
      <Title order={3} size="h4" mt="lg" mb="xs">
        {t('visitors.refusals')}
      </Title>
      <DataTable
        label={t('visitors.refusals')}
        items={counted}
        keyOf={([code]) => code}
        columns={[
          { head: t('visitors.refusedBecause'), cell: ([code]) => refusalText(code) },
          { head: t('visitors.refusedOften'), cell: ([, count]) => formatNumber(count), right: true },
        ]}
      />
    </>
  )
}

/** A refusal that is new to this console is shown by its code. */
function refusalText(code: string): string {
  const key = `visitors.refusal.${code}`
  return hasText(key) ? t(key) : code
}
