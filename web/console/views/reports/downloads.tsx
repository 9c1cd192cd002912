import { FileMenu } from '../../parts/export-menu.tsx'
import { t } from '../../texts.ts'
import { addressOf, type ReportFilter, type ReportName } from './use-report-filter.ts'

const names: readonly ReportName[] = ['performance', 'days', 'funnel', 'prizes', 'cohorts']

export function Downloads({ filter }: { filter: ReportFilter }) {
  const { campaign, wheel, from, to } = filter
  const files = names.map((name) => ({
    path: addressOf(name, filter),
    name: [name, campaign, wheel, from, to].filter((part) => part !== '').join('-'),
    label: t(`reports.${name}`),
  }))
  return <FileMenu files={files} label="reports.download" />
}
