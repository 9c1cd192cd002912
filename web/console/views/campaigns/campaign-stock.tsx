import { Stack, Text } from '@mantine/core'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { StockProgress } from '../../parts/stock-bar.tsx'
import { formatNumber, t } from '../../texts.ts'

type Stock = NonNullable<CampaignAnswer['figures']>['stock'][number]

const shownMax = 2

/** The limited prizes that run out first. */
export function CampaignStock({ campaign: { state, figures } }: { campaign: CampaignAnswer }) {
  const stock = (figures?.stock ?? []).toSorted((one, other) => shareOf(one) - shareOf(other))
  const hidden = stock.slice(shownMax)
  if (stock.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {state === 'draft' ? '–' : t('campaigns.unlimited')}
      </Text>
    )
  return (
    <Stack gap={4} miw={130}>
      {stock.slice(0, shownMax).map((prize) => (
        <Prize key={prize.prizeId} prize={prize} />
      ))}
      {hidden.length === 0 ? null : (
        <Text size="xs" c="dimmed" title={hidden.map(textOf).join('\n')}>
          {t('campaigns.moreStock', { count: hidden.length })}
        </Text>
      )}
    </Stack>
  )
}

function Prize({ prize: { label, left, total } }: { prize: Stock }) {
  return (
    <div>
      <Text size="xs">{textOf({ label, left, total })}</Text>
      <StockProgress size="xs" label={label} left={left} total={total} />
    </div>
  )
}

function textOf({ label, left, total }: Omit<Stock, 'prizeId'>): string {
  return `${label}: ${t('stock.left', { left: formatNumber(left), all: formatNumber(total) })}`
}

function shareOf({ left, total }: Stock): number {
  return total === 0 ? 0 : left / total
}
