import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client'
import { type Metric, metricTable } from './metric-table.ts'

type Table = typeof metricTable
type KeyOf<Type extends Metric['type']> = {
  [Key in keyof Table]: Table[Key]['type'] extends Type ? Key : never
}[keyof Table]
type LabelsOf<Key extends keyof Table> = Table[Key] extends {
  labels: readonly (infer Label extends string)[]
}
  ? Label
  : never

/** Makes metrics of the table. `collect` sets their values when Prometheus asks. */
export function instruments(registry: Registry) {
  const optionsOf = <Label extends string>(metric: Metric) => ({
    name: metric.name,
    help: metric.help,
    labelNames: (metric.labels ?? []) as readonly Label[],
    aggregator: metric.combine ?? ('sum' as const),
    registers: [registry],
  })
  return {
    counter<Key extends KeyOf<'counter'>>(key: Key, collect?: (own: Counter<LabelsOf<Key>>) => void) {
      return new Counter<LabelsOf<Key>>({
        ...optionsOf<LabelsOf<Key>>(metricTable[key]),
        ...(collect === undefined ? {} : { collect: collecting(collect) }),
      })
    },
    gauge<Key extends KeyOf<'gauge'>>(
      key: Key,
      collect?: (own: Gauge<LabelsOf<Key>>) => void | Promise<void>,
    ) {
      return new Gauge<LabelsOf<Key>>({
        ...optionsOf<LabelsOf<Key>>(metricTable[key]),
        ...(collect === undefined ? {} : { collect: collecting(collect) }),
      })
    },
    histogram<Key extends KeyOf<'histogram'>>(key: Key) {
      const metric = metricTable[key]
      return new Histogram<LabelsOf<Key>>({
        ...optionsOf<LabelsOf<Key>>(metric),
        buckets: [...metric.buckets],
      })
    },
  }
}

/** The library passes the metric as `this`. */
function collecting<Own>(collect: (own: Own) => void | Promise<void>): (this: Own) => void | Promise<void> {
  return function (this: Own) {
    return collect(this)
  }
}
