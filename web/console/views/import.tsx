import {
  Alert,
  Button,
  FileInput,
  Group,
  Paper,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import type { MerchantAnswer } from '../../../src/http/answers/settings.ts'
import { CampaignChoice } from '../parts/campaign-choice.tsx'
import { saveFile } from '../parts/download.ts'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Failure, PageHead } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useMay, useRead } from '../session.tsx'
import { formatNumber, t, textOf } from '../texts.ts'
import type { GrantFile } from './grant-file.ts'
import { type Job, type Result, useGrantImport } from './grant-import.ts'
import { visibleText } from '../../../src/visible-text.ts'

const wrongShownMax = 50

/** Checks the file, then sends it with keys derived from it, so that sending a file again gives nothing twice. */
export function ImportGrants() {
  const may = useMay()
  const zone = useRead<MerchantAnswer>(['merchant', 'time zone'], '/api/v1/merchant').data?.timeZone
  const { job, state, results, error, fileProblem, setJob, choose, send } = useGrantImport(zone)
  if (!may.serve)
    return (
      <Paper>
        <Empty icon="import" title={t('import.notYou')} text={t('import.notYouText')} />
      </Paper>
    )
  return (
    <>
      <PageHead title={t('nav.import')} text={t('import.text')} />
      <Stack gap="lg" maw={900}>
        <Paper>
          <FileInput
            label={t('import.file')}
            description={
              zone === undefined
                ? t('import.fileHint')
                : `${t('import.fileHint')} ${t('import.dayHint', { zone })}`
            }
            error={fileProblem}
            placeholder={t('codes.choose')}
            accept=".csv,text/csv,text/plain"
            leftSection={<Icon name="import" size={16} />}
            disabled={state === 'sending' || zone === undefined}
            onChange={(chosen) => void choose(chosen)}
            clearable
          />
          <pre className="code-block" style={{ marginTop: '0.75rem' }}>
            {'playerId,spins,key,reason,expiresAt\nalice,5,order-4711,Birthday,2026-12-31\nbob,3,,,'}
          </pre>
        </Paper>
        {job === null ? null : <Check job={job} />}
        {job === null || job.file.grants.length === 0 || state === 'done' ? null : (
          <Paper>
            {error === null ? null : <Failure error={error} />}
            <SendForm
              job={job}
              doneCount={results.length}
              isSending={state === 'sending'}
              onChange={setJob}
              onSend={() => void send(job)}
            />
          </Paper>
        )}
        {job === null || state !== 'done' ? null : <Done job={job} results={results} />}
      </Stack>
    </>
  )
}

/** The common fields of all grants, and the progress. The fields can't be changed once grants were sent. */
function SendForm(props: {
  job: Job
  doneCount: number
  isSending: boolean
  onChange: (job: Job) => void
  onSend: () => void
}) {
  const { job, doneCount, isSending, onChange } = props
  const count = job.file.grants.length
  const hasStarted = isSending || doneCount > 0
  return (
    <>
      <Form onSubmit={props.onSend}>
        <CampaignChoice
          use="spins"
          chosen={job.campaign}
          onChange={(campaign) => onChange({ ...job, campaign })}
          disabled={hasStarted}
        />
        {needsReason(job.file) ? (
          <ReasonInput
            value={job.reason}
            onChange={(reason) => onChange({ ...job, reason })}
            description={t('import.reasonHint')}
            disabled={hasStarted}
          />
        ) : null}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {hasStarted ? t('import.progress', { done: doneCount, all: count }) : t('import.safe')}
          </Text>
          <Submit loading={isSending}>
            {doneCount > 0 ? t('import.goOn') : t('import.send', { count })}
          </Submit>
        </Group>
      </Form>
      {hasStarted ? (
        <Progress mt="md" value={(doneCount / count) * 100} animated aria-label={t('nav.import')} />
      ) : null}
    </>
  )
}

/** Whether a line has no reason of its own. */
function needsReason({ grants }: GrantFile): boolean {
  return grants.some((grant) => grant.reason === undefined)
}

function Check({ job: { name, file } }: { job: Job }) {
  const save = () => {
    const lines = [...(file.head === undefined ? [] : [file.head]), ...file.wrong.map(({ text }) => text)]
    saveCsv(lines, name.replace(/(\.csv)?$/i, '-errors.csv'))
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

function Done({ job, results }: { job: Job; results: Result[] }) {
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
      ...job.file.wrong.map((one) => [one.line, '', '', 'wrong', '', `${textOf(one.problem)}: ${one.text}`]),
    ].toSorted((a, b) => Number(a[0]) - Number(b[0]))
    const head = ['line', 'playerId', 'spins', 'outcome', 'spinCount', 'problem']
    const lines = [head, ...rows].map((row) => row.map(csvCell).join(','))
    saveCsv(lines, job.name.replace(/(\.csv)?$/i, '-result.csv'))
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

/** Keeps a spreadsheet from reading a cell as a formula. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
