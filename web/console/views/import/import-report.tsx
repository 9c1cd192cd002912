/** What a file would give, and what its import has given. */
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { visibleText } from '../../../../src/visible-text.ts'
import { saveFile } from '../../parts/download.ts'
import { Icon } from '../../parts/icons.tsx'
import { DataTable } from '../../parts/table.tsx'
import { formatNumber, t, textOf } from '../../texts.ts'
import { csvLine } from './csv-rows.ts'
import type { GrantFile } from './grant-file.ts'
import type { Result } from './grant-import.ts'

const wrongShownMax = 50
const repeatedShownMax = 10

export function Check({ name, file }: { name: string; file: GrantFile }) {
  const save = () => {
    const lines = [...(file.head === undefined ? [] : [file.head]), ...file.wrong.map(({ text }) => text)]
    saveCsv(lines, name.replace(/(\.csv|\.xlsx)?$/i, '-errors.csv'))
  }
  return (
    <Paper component="section" aria-labelledby="check-title">
      <Title order={2} id="check-title" mb="md">
        {t('import.check')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Count label={t('import.good')} value={file.grants.length} />
        <Count label={t('import.wrong')} value={file.wrong.length} />
        <Count label={t('import.spins')} value={file.spins} />
      </SimpleGrid>
      {file.repeated.length === 0 ? null : (
        <Alert color="blue" variant="light" icon={<Icon name="warning" />} mt="md">
          {t('import.repeatedPlayers', {
            count: file.repeated.length,
            players: file.repeated.slice(0, repeatedShownMax).map(describeRepeated).join('; '),
          })}
        </Alert>
      )}
      {file.wrong.length === 0 ? null : (
        <>
          <Alert color="orange" variant="light" icon={<Icon name="warning" />} mt="md" mb="sm">
            {t('import.wrongText', { count: file.wrong.length })}
          </Alert>
          <Button variant="default" size="xs" mb="sm" onClick={save}>
            {t('import.saveWrong')}
          </Button>
          <DataTable
            label={t('import.wrong')}
            items={file.wrong.slice(0, wrongShownMax)}
            keyOf={(wrong) => wrong.line}
            columns={[
              { head: t('import.line'), cell: (wrong) => formatNumber(wrong.line) },
              { head: t('import.problem'), cell: (wrong) => textOf(wrong.problem) },
              {
                head: t('import.content'),
                cell: (wrong) => <span className="mono wrap-anywhere">{wrong.text.slice(0, 120)}</span>,
              },
            ]}
          />
        </>
      )}
    </Paper>
  )
}

function describeRepeated({ playerId, lines }: GrantFile['repeated'][number]): string {
  return t('import.repeatedPlayer', { player: visibleText(playerId), lines: lines.slice(0, 5).join(', ') })
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="stat-value">{formatNumber(value)}</div>
    </div>
  )
}

export function Done({ name, file, results }: { name: string; file: GrantFile; results: Result[] }) {
  const refused = results.filter((result) => result.outcome === 'refused')
  const repeated = results.filter((result) => result.outcome === 'replayed').length
  const save = () => {
    const rows = [
      ...results.map((one) => [
        one.line,
        one.playerId,
        one.spinNumber,
        one.outcome,
        one.spinCount ?? '',
        one.detail ?? '',
      ]),
      ...file.wrong.map((one) => [one.line, '', '', 'wrong', '', `${textOf(one.problem)}: ${one.text}`]),
    ].toSorted((a, b) => Number(a[0]) - Number(b[0]))
    const head = ['line', 'playerId', 'spins', 'outcome', 'spinCount', 'problem']
    const lines = [head, ...rows].map(csvLine)
    saveCsv(lines, name.replace(/(\.csv|\.xlsx)?$/i, '-result.csv'))
  }
  return (
    <Paper component="section" aria-labelledby="result-title">
      <Group justify="space-between" mb="md">
        <Title order={2} id="result-title">
          {t('import.result')}
        </Title>
        <Button variant="default" leftSection={<Icon name="import" size={16} />} onClick={save}>
          {t('import.saveResult')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Count label={t('import.granted')} value={results.length - refused.length - repeated} />
        <Count label={t('import.repeated')} value={repeated} />
        <Count label={t('import.refused')} value={refused.length} />
      </SimpleGrid>
      {repeated === 0 ? null : (
        <Alert color="blue" variant="light" icon={<Icon name="check" />} mt="md">
          {t('import.addedNothing', { count: repeated })}
        </Alert>
      )}
      {refused.length === 0 ? null : (
        <Stack mt="md">
          <DataTable
            label={t('import.refused')}
            items={refused.slice(0, wrongShownMax)}
            keyOf={(result) => result.line}
            columns={[
              { head: t('import.line'), cell: (result) => formatNumber(result.line) },
              { head: t('players.id'), cell: (result) => visibleText(result.playerId) },
              { head: t('import.problem'), cell: (result) => result.detail ?? result.code },
            ]}
          />
        </Stack>
      )}
    </Paper>
  )
}

/** With a byte order mark, so that Excel reads it as UTF-8. */
function saveCsv(lines: readonly string[], name: string): void {
  saveFile(new Blob([`\uFEFF${lines.join('\r\n')}`], { type: 'text/csv;charset=utf-8' }), name)
}
