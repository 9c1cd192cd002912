import { wrapLines } from '../wrap-lines.ts'
import { type Alert, alerts } from './alerts.ts'
import { type Metric, metricTable } from './metric-table.ts'

/** `docs/monitoring.md` with its two generated parts: the list of metrics and the runbook. */
export function withMonitoring(page: string): string {
  const metrics: Metric[] = Object.values(metricTable)
  return withPart(withPart(page, 'metrics', metrics.map(metricItem)), 'alerts', alerts.map(alertSection))
}

function withPart(page: string, name: string, items: readonly string[]): string {
  const [start, end] = [`<!-- ${name}: made by npm run docs -->\n`, `\n<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/monitoring.md has no part ${name}`)
  return `${page.slice(0, from + start.length)}\n${items.join('\n').trimEnd()}\n${page.slice(to)}`
}

function metricItem({ name, type, labels = [], help }: Metric): string {
  const by = labels.length === 0 ? '' : ` by ${labels.map((label) => `\`${label}\``).join(', ')}`
  return wrapLines(`- \`${name}\` (${type}${by}): ${help}`, 118).join('\n  ')
}

function alertSection({ name, severity, for: duration, summary, meaning, action }: Alert): string {
  const delay = duration === '0m' ? 'at once' : `after ${duration}`
  const paragraph = (text: string) => wrapLines(text, 118).join('\n')
  return [
    `### ${name}`,
    paragraph(`*${severity}, ${delay}: ${summary.replaceAll(/\{\{[^}]*\}\}/g, '…')}*`),
    paragraph(meaning),
    paragraph(`**Do:** ${action}`),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}
