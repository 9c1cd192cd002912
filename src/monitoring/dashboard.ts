import { dashboardRows, type Metric, metricTable } from './metric-table.ts'

type Query = { expr: string; legend: string }
type Chart = { title: string; description: string; unit: string; queries: Query[] }

const scope = 'job="wheelhouse",instance=~"$instance"'
const window = '[$__rate_interval]'
const [panelWidth, panelHeight, gridWidth] = [8, 8, 24]

/** `deploy/monitoring/wheelhouse-dashboard.json`, a dashboard for Grafana: a chart for each metric of the table. */
export function dashboard(): string {
  const panels: object[] = []
  let y = 0
  for (const row of dashboardRows) {
    const charts = [...chartsOf(row), ...(row === 'Server' ? processCharts : [])]
    panels.push({
      type: 'row',
      title: row,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: gridWidth, h: 1 },
    })
    for (const [index, chart] of charts.entries()) {
      const x = (index * panelWidth) % gridWidth
      panels.push(panelOf(chart, { x, y: y + Math.floor((index * panelWidth) / gridWidth) * panelHeight }))
    }
    y += Math.ceil((charts.length * panelWidth) / gridWidth) * panelHeight
  }
  return `${JSON.stringify({ ...frame, panels: panels.map((panel, index) => ({ id: index + 1, ...panel })) }, null, 2)}\n`
}

/** The queries of the dashboard, for a check against a real Prometheus. */
export function dashboardQueries(): { title: string; expr: string }[] {
  const { panels } = JSON.parse(dashboard()) as { panels: { title: string; targets?: { expr: string }[] }[] }
  return panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ title, expr })))
}

function chartsOf(row: Metric['row']): Chart[] {
  const metrics: Metric[] = Object.values(metricTable)
  return metrics
    .filter((metric) => metric.row === row)
    .map((metric) => ({
      title: metric.panel,
      description: metric.help,
      unit: metric.unit,
      queries: queriesOf(metric),
    }))
}

function queriesOf(metric: Metric): Query[] {
  const { name, type, combine = 'sum' } = metric
  // A line for each method would be too many.
  const labels = (metric.labels ?? []).filter((label) => label !== 'method')
  const legend = labels.map((label) => `{{${label}}}`).join(' ')
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`
  if (type === 'counter')
    return [{ expr: `sum${by} (rate(${name}{${scope}}${window}))`, legend: legend || 'all servers' }]
  if (type === 'gauge')
    return [
      {
        // The charts of this unit show how long ago something was, and Grafana counts in milliseconds.
        expr: `${combine} by (${[...labels, 'instance'].join(', ')}) (${name}{${scope}})${metric.unit === 'dateTimeFromNow' ? ' * 1000' : ''}`,
        legend: [legend, '{{instance}}'].join(' ').trim(),
      },
    ]
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${['le', ...labels].join(', ')}) (rate(${name}_bucket{${scope}}${window})))`,
    legend: `p${quantile * 100} ${legend}`.trim(),
  }))
}

/** From the metrics that the library has for every Node process. */
const processCharts: Chart[] = [
  {
    title: 'Processor',
    description: 'Cores in use by the server, without PostgreSQL.',
    unit: 'short',
    queries: [{ expr: `rate(process_cpu_seconds_total{${scope}}${window})`, legend: '{{instance}}' }],
  },
  {
    title: 'Memory',
    description: 'Resident memory of the server, without PostgreSQL.',
    unit: 'bytes',
    queries: [{ expr: `process_resident_memory_bytes{${scope}}`, legend: '{{instance}}' }],
  },
  {
    title: 'Event loop lag',
    description: 'How late the process gets to its work, at the 99th percentile.',
    unit: 's',
    queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${scope}}`, legend: '{{instance}}' }],
  },
]

const source = { type: 'prometheus', uid: '${datasource}' }

function panelOf({ title, description, unit, queries }: Chart, place: { x: number; y: number }): object {
  return {
    type: unit === 'dateTimeFromNow' ? 'stat' : 'timeseries',
    title,
    description,
    datasource: source,
    gridPos: { ...place, w: panelWidth, h: panelHeight },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options:
      unit === 'dateTimeFromNow'
        ? {}
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: source,
      expr,
      legendFormat: legend,
    })),
  }
}

const frame = {
  uid: 'wheelhouse',
  title: 'Wheelhouse',
  description: 'Made from src/monitoring/metric-table.ts by `npm run docs`.',
  tags: ['wheelhouse'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  timezone: 'browser',
  annotations: { list: [] },
  links: [],
  templating: {
    list: [
      {
        name: 'datasource',
        label: 'Prometheus',
        type: 'datasource',
        query: 'prometheus',
        refresh: 1,
        hide: 0,
      },
      {
        name: 'instance',
        label: 'Server',
        type: 'query',
        datasource: source,
        query: { query: 'label_values(up{job="wheelhouse"}, instance)', refId: 'instance' },
        refresh: 2,
        includeAll: true,
        allValue: '.*',
        multi: true,
        current: { text: 'All', value: '$__all' },
        hide: 0,
      },
    ],
  },
}
