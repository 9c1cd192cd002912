import { Group, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import type { SimulationAnswer } from '../../../../src/http/answers/wheels.ts'
import { NumberField } from '../../parts/number-field.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { CollectUnfinished } from '../../parts/unfinished.tsx'
import { formatNumber, t } from '../../texts.ts'
import { shareTexts } from './shares.ts'

export function SimulationPanel(props: {
  simulation: SimulationAnswer['simulation'] | undefined
  error: unknown
  playsPerDay: number
  onPlaysPerDay: (plays: number) => void
}) {
  const { simulation } = props
  const shares = shareTexts(simulation?.prizes.map((prize) => prize.chance) ?? [])
  return (
    <Stack>
      <Paper>
        <Group align="flex-end" justify="space-between">
          <CollectUnfinished value={isNoPartOfTheWheel}>
            <NumberField
              label={t('simulation.plays')}
              value={props.playsPerDay}
              min={1}
              max={1_000_000_000}
              maw={220}
              onChange={props.onPlaysPerDay}
            />
          </CollectUnfinished>
          <Text size="sm" c="dimmed" maw={380}>
            {t('simulation.text')}
          </Text>
        </Group>
      </Paper>
      {simulation === undefined ? (
        props.error === null ? (
          <Waiting />
        ) : (
          <Failure error={props.error} />
        )
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Paper>
              <Text size="sm" c="dimmed">
                {t('simulation.costPerDay')}
              </Text>
              <div className="stat-value">{formatNumber(simulation.costPerDay)}</div>
            </Paper>
            <Paper>
              <Text size="sm" c="dimmed">
                {t('simulation.costPerPlay')}
              </Text>
              <div className="stat-value">{formatNumber(simulation.costPerPlay)}</div>
            </Paper>
          </SimpleGrid>
          <Paper className="card-flush" p={0}>
            <div className="scroll" tabIndex={0} role="group" aria-label={t('editor.simulation')}>
              <Table className="table">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th pl="lg">{t('simulation.prize')}</Table.Th>
                    <Table.Th ta="right">{t('simulation.chance')}</Table.Th>
                    <Table.Th ta="right">{t('simulation.wins')}</Table.Th>
                    <Table.Th ta="right">{t('simulation.cost')}</Table.Th>
                    <Table.Th ta="right" pr="lg">
                      {t('simulation.lasts')}
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody className="number">
                  {simulation.prizes.map((prize, index) => (
                    <Table.Tr key={prize.id}>
                      <Table.Td pl="lg">{prize.label}</Table.Td>
                      <Table.Td ta="right">{shares[index]}</Table.Td>
                      <Table.Td ta="right">{formatNumber(prize.winsPerDay)}</Table.Td>
                      <Table.Td ta="right">{formatNumber(prize.costPerDay)}</Table.Td>
                      <Table.Td ta="right" pr="lg">
                        {prize.stockLastsDays === null
                          ? '–'
                          : t('simulation.days', { count: Math.round(prize.stockLastsDays * 10) / 10 })}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          </Paper>
        </>
      )}
    </Stack>
  )
}

/** Text typed here is not part of the draft, so it must not count as unsaved. */
function isNoPartOfTheWheel(): void {}
