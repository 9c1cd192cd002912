import { Skeleton } from '@mantine/core'
import { lazyComponent } from './lazy-component.tsx'

/** Loaded with the first chart, since the library for charts is large. */
export const SeriesChart = lazyComponent(
  () => import('./series-chart.tsx').then((m) => m.SeriesChart),
  () => <Skeleton height={280} />,
)
