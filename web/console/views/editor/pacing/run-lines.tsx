import { Text } from '@mantine/core'
import type { PaceAnswer } from '../../../../../src/http/answers/paces.ts'
import { t } from '../../../texts.ts'

const [width, height] = [600, 160]

/**
 * Lines in one drawing: no charting library is needed for that. The numbers above say the same. What was released is
 * known only after the end.
 */
export function RunLines({ pace: { points, units, released: total } }: { pace: PaceAnswer }) {
  if (points.length === 0) return null
  const line = (of: (point: PaceAnswer['points'][number]) => number) =>
    points
      .map((point, index) => {
        const x = (index / (points.length - 1)) * width
        return `${x.toFixed(1)},${(height - (of(point) / units) * height).toFixed(1)}`
      })
      .join(' ')
  const chart = total === null ? 'pace.chartGiven' : 'pace.chart'
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t(chart)} width="100%">
        {total === null ? null : (
          <polyline
            points={line(({ released }) => released ?? 0)}
            fill="none"
            stroke="#2563eb"
            strokeWidth="2"
          />
        )}
        <polyline
          points={line(({ given }) => given)}
          fill="none"
          stroke="#ea580c"
          strokeWidth="2"
          strokeDasharray="6 3"
        />
      </svg>
      <Text size="sm" c="dimmed">
        {t(total === null ? 'pace.legendGiven' : 'pace.legend')}
      </Text>
    </>
  )
}
