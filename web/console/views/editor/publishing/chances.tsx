import { Table, Text } from '@mantine/core'
import { t } from '../../../texts.ts'
import type { Effects } from './effects.ts'

/** The chances of the prizes before and after a publication. */
export function Chances({ effects, isFirst }: { effects: Effects; isFirst: boolean }) {
  if (!effects.hasOtherChances) return <Text size="sm">{t('effect.sameChances')}</Text>
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('effect.chances')}>
      <Table className="table" aria-label={t('effect.chances')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('effect.chances')}</Table.Th>
            {isFirst ? null : <Table.Th ta="right">{t('publish.before')}</Table.Th>}
            <Table.Th ta="right">{t('publish.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {effects.chances.map(({ id, label, before, after, isJump }) => (
            <Table.Tr key={id}>
              <Table.Td fw={600}>{label}</Table.Td>
              {isFirst ? null : (
                <Table.Td ta="right" c="dimmed">
                  {before ?? '–'}
                </Table.Td>
              )}
              <Table.Td ta="right" className={isJump ? 'outdated' : ''} fw={isJump ? 650 : 400}>
                {after ?? t('publish.gone')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
