import { Progress, Stack, Text } from '@mantine/core'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
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

function Prize({ prize }: { prize: Stock }) {
  const share = shareOf(prize)
  return (
    <div>
      <Text size="xs">{textOf(prize)}</Text>
      <Progress
        size="xs"
        value={share * 100}
        color={share < 0.1 ? 'red' : share < 0.25 ? 'orange' : 'teal'}
        aria-label={t('stock.of', { prize: prize.label })}
      />
    </div>
  )
}

function textOf({ label, left, total }: Stock): string {
  return `${label}: ${t('stock.left', { left: formatNumber(left), all: formatNumber(total) })}`
}

function shareOf({ left, total }: Stock): number {
  return total === 0 ? 0 : left / total
}
