import { Button, Menu } from '@mantine/core'
import { download } from '../../parts/download.ts'
import { Icon } from '../../parts/icons.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi } from '../../session.tsx'
import { t } from '../../texts.ts'
import { addressOf, type ReportFilter, type ReportName } from './use-report-filter.ts'

const names: readonly ReportName[] = ['performance', 'days', 'funnel', 'prizes', 'cohorts']

export function Downloads({ filter }: { filter: ReportFilter }) {
  const api = useApi()
  const save = async (name: ReportName) => {
    const file = [name, filter.campaign, filter.wheel, filter.from, filter.to]
      .filter((part) => part !== '')
      .join('-')
    await download(api, `${addressOf(name, filter)}&format=csv`, `${file}.csv`)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="import" size={16} />}>
          {t('reports.download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.Item key={name} onClick={() => void save(name).catch(tellProblem)}>
            {t(`reports.${name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
