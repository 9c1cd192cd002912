import { SegmentedControl } from '@mantine/core'
import { t } from '../../texts.ts'

export type Shape = 'chart' | 'table'

/** Shows the same figures as a chart or as a table. */
export function ShapeChoice({ shape, onShape }: { shape: Shape; onShape: (shape: Shape) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('reports.shape')}
      value={shape}
      onChange={onShape}
      data={(['chart', 'table'] as const).map((value) => ({ value, label: t(`reports.shape.${value}`) }))}
    />
  )
}
