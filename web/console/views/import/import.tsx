import { FileInput, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { CampaignChoice, useCampaignFor } from '../../parts/campaign-choice.tsx'
import { Form, ReasonInput, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { Empty, Failure, PageHead } from '../../parts/states.tsx'
import { expiryProblem, MomentField } from '../../parts/time-fields.tsx'
import { useMay, useMerchant } from '../../session.tsx'
import { t } from '../../texts.ts'
import { ChooseColumns } from './choose-columns.tsx'
import { tableFiles } from './file-rows.ts'
import type { GrantFile } from './grant-file.ts'
import { type Job, useGrantImport } from './grant-import.ts'
import { Check, Done } from './import-report.tsx'

/** Checks the file, then sends it with keys derived from it, so that sending a file again gives nothing twice. */
export function ImportGrants() {
  const may = useMay()
  const zone = useMerchant().timeZone
  const { job, file, state, results, error, fileProblem, setJob, choose, send } = useGrantImport(zone)
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
            description={`${t('import.fileHint')} ${t('import.dayHint', { zone })}`}
            error={fileProblem}
            placeholder={t('codes.choose')}
            accept={tableFiles}
            leftSection={<Icon name="import" size={16} />}
            disabled={state === 'sending'}
            onChange={(chosen) => void choose(chosen)}
            clearable
          />
          <pre className="code-block" style={{ marginTop: '0.75rem' }}>
            {'playerId,spins,key,reason,expiresAt\nalice,5,order-4711,Birthday,2026-12-31\nbob,3,,,'}
          </pre>
        </Paper>
        {job === null ? null : (
          <ChooseColumns
            job={job}
            isFixed={state !== 'choosing' || results.length > 0}
            onChange={(layout) => setJob({ ...job, layout })}
          />
        )}
        {job === null || file === null ? null : <Check name={job.name} file={file} />}
        {job === null || file === null || file.grants.length === 0 || state === 'done' ? null : (
          <Paper>
            {error === null ? null : <Failure error={error} />}
            <SendForm
              job={job}
              file={file}
              doneCount={results.length}
              isSending={state === 'sending'}
              onChange={setJob}
              onSend={(campaign) => void send({ ...job, campaign }, file)}
            />
          </Paper>
        )}
        {job === null || file === null || state !== 'done' ? null : (
          <Done name={job.name} file={file} results={results} />
        )}
      </Stack>
    </>
  )
}

/** The common fields of all grants, and the progress. The fields can't be changed once grants were sent. */
function SendForm(props: {
  job: Job
  file: GrantFile
  doneCount: number
  isSending: boolean
  onChange: (job: Job) => void
  onSend: (campaign: string) => void
}) {
  const { job, file, doneCount, isSending, onChange } = props
  const now = useMerchantNow()
  const campaign = useCampaignFor(job.campaign)
  const count = file.grants.length
  const hasStarted = isSending || doneCount > 0
  return (
    <>
      <Form onSubmit={() => props.onSend(campaign)}>
        <CampaignChoice
          use="spins"
          chosen={job.campaign}
          onChange={(chosen) => onChange({ ...job, campaign: chosen })}
          disabled={hasStarted}
        />
        {hasStarted ? null : (
          <MomentField
            label={t('import.expiresAt')}
            hint={t('import.expiresAtHint')}
            value={job.expiresAt}
            error={expiryProblem(job.expiresAt, now)}
            onChange={(expiresAt) => onChange({ ...job, expiresAt })}
          />
        )}
        {needsReason(file) ? (
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
