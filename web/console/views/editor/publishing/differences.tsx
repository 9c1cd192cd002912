import { Table, Text } from '@mantine/core'
import { t } from '../../../texts.ts'
import type { Difference } from '../draft/change.ts'
import { placeName } from '../draft/place-name.ts'

/** Changes as a table: the field, and its value before and after. */
export function Differences({ found }: { found: Difference[] }) {
  if (found.length === 0) return <Text size="sm">{t('publish.nothing')}</Text>
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('publish.changes')}>
      <Table className="table" aria-label={t('publish.changes')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('publish.what')}</Table.Th>
            <Table.Th>{t('publish.before')}</Table.Th>
            <Table.Th>{t('publish.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map((one) => (
            <Table.Tr key={`${one.where} ${one.before} ${one.after}`}>
              <Table.Td fw={600}>{placeName(one.where)}</Table.Td>
              <Table.Td c="dimmed">{one.before ?? '–'}</Table.Td>
              <Table.Td>{one.after ?? t('publish.gone')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
