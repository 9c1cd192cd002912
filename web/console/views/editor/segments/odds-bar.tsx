import { Group, Text } from '@mantine/core'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { t } from '../../../texts.ts'
import { chanceOf } from '../draft/change.ts'
import { shareText } from './shares.ts'

/** The chances side by side, because all segments of the wheel are equally wide whatever their weights. */
export function OddsBar({ wheel }: { wheel: WheelDocument }) {
  const winShare = shareText(
    wheel.segments.map((segment) => segment.weight),
    (index) => wheel.segments[index]?.prize.kind !== 'none',
  )
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={650}>
          {t('odds.title')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(hasLimits(wheel) ? 'odds.winByWeight' : 'odds.win', { share: winShare })}
        </Text>
      </Group>
      <div className="odds-bar" aria-hidden="true">
        {wheel.segments.map((segment) => (
          <span
            key={segment.id}
            style={{ width: `${chanceOf(wheel, segment) * 100}%`, background: segment.color }}
          />
        ))}
      </div>
    </>
  )
}

/** Whether a drawn prize may not be given, so that weights alone don't tell how many spins win. */
function hasLimits({ budget, segments }: WheelDocument): boolean {
  const limits = ['stock', 'stockPerDay', 'limitPerPlayer', 'winnableFrom', 'winnableUntil', 'pace'] as const
  return (
    budget !== undefined ||
    segments.some((one) => one.prize.kind === 'pool' || limits.some((limit) => one[limit] !== undefined))
  )
}
