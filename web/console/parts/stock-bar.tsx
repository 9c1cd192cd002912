import { Group, Progress, Text } from '@mantine/core'
import { formatNumber, t } from '../texts.ts'

/** How much of a limited prize is left. */
export function StockBar({ label, left, total }: { label: string; left: number; total: number }) {
  return (
    <div>
      <BarHead label={label} text={t('stock.left', { left: formatNumber(left), all: formatNumber(total) })} />
      <StockProgress label={label} left={left} total={total} />
    </div>
  )
}

export function BarHead({ label, text }: { label: string; text: string }) {
  return (
    <Group justify="space-between" mb={4} wrap="nowrap">
      <Text size="sm" fw={600} truncate>
        {label}
      </Text>
      <Text size="sm" className="number nowrap">
        {text}
      </Text>
    </Group>
  )
}

export function StockProgress(props: { label: string; left: number; total: number; size?: 'xs' }) {
  const { label, left, total, size } = props
  const share = total === 0 ? 0 : left / total
  return (
    <Progress
      {...(size && { size })}
      value={share * 100}
      color={share < 0.1 ? 'red' : share < 0.25 ? 'orange' : 'teal'}
      aria-label={t('stock.of', { prize: label })}
    />
  )
}
