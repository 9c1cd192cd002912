/** Links for the players of a file: the file, its column, the campaign, and how long the links work. */
import { Alert, Checkbox, FileInput, Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { LinkListAnswer } from '../../../../src/http/answers/link-lists.ts'
import { linkLifetimeSecondsMax, linkLifetimeSecondsMin } from '../../../../src/limits.ts'
import { useAction } from '../../parts/action.ts'
import { CampaignChoice, useCampaignFor } from '../../parts/campaign-choice.tsx'
import { DurationField } from '../../parts/duration-field.tsx'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useSearchParams } from '../../parts/search-params.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'
import { readFileRows, tableFiles } from '../import/file-rows.ts'
import { FirstLines } from '../import/first-lines.tsx'
import { guessPlayers, type PlayerFile, readPlayers } from './player-file.ts'

type Job = PlayerFile & { listId: string }

export function NewList({ lifetimeSeconds }: { lifetimeSeconds: number }) {
  const [job, setJob] = useState<Job | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [resetCount, setResetCount] = useState(0)
  const choose = async (file: File | null) => {
    setJob(null)
    setProblem(null)
    if (file === null) return
    const read = await readFileRows(file)
    if ('problem' in read) return setProblem(read.problem)
    const { rows } = read
    if (rows.length === 0) return setProblem(t('linkLists.empty'))
    setJob({ ...guessPlayers(rows), listId: crypto.randomUUID() })
  }
  return (
    <Paper component="section" aria-labelledby="new-list-title">
      <Title order={2} id="new-list-title" mb="md">
        {t('linkLists.new')}
      </Title>
      <Stack>
        <FileInput
          key={resetCount}
          label={t('linkLists.file')}
          description={t('linkLists.fileHint')}
          error={problem}
          placeholder={t('codes.choose')}
          accept={tableFiles}
          leftSection={<Icon name="import" size={16} />}
          onChange={(file) => void choose(file)}
          clearable
        />
        {job === null ? null : (
          <Details
            job={job}
            lifetimeSeconds={lifetimeSeconds}
            onChange={(change) => setJob({ ...job, ...change })}
            onDone={() => {
              setJob(null)
              setResetCount((count) => count + 1)
            }}
          />
        )}
      </Stack>
    </Paper>
  )
}

function Details(props: {
  job: Job
  lifetimeSeconds: number
  onChange: (change: Partial<PlayerFile>) => void
  onDone: () => void
}) {
  const { job, onChange, onDone } = props
  const [params] = useSearchParams()
  const [chosen, setChosen] = useState(params.get('campaign') ?? '')
  const campaign = useCampaignFor(chosen)
  const [expiresIn, setExpiresIn] = useState(props.lifetimeSeconds)
  const end = new Date(useMerchantNow() + expiresIn * 1_000).toISOString()
  const players = useMemo(() => readPlayers(job), [job])
  const count = job.column < 0 ? 0 : players.playerIds.length
  const make = useMake({ ...job, campaign, expiresIn, playerIds: players.playerIds }, onDone)
  return (
    <Form onSubmit={() => make.mutate()}>
      <Checkbox
        label={t('import.hasHead')}
        checked={job.hasHead}
        onChange={(event) => onChange({ hasHead: event.currentTarget.checked })}
      />
      <FirstLines
        {...job}
        isFixed={make.isPending}
        fields={[{ value: 'playerId', label: t('import.playerId') }]}
        fieldOf={(column) => (column === job.column ? 'playerId' : undefined)}
        onField={(column, field) => onChange({ column: field === '' ? -1 : column })}
      />
      <FileWarnings {...players} isChosen={job.column >= 0} />
      <CampaignChoice use="link" chosen={chosen} onChange={setChosen} />
      <DurationField
        label={t('linkLists.lifetime')}
        description={t('linkLists.end', { time: formatTime(end) })}
        value={expiresIn}
        minSeconds={linkLifetimeSecondsMin}
        maxSeconds={linkLifetimeSecondsMax}
        onChange={setExpiresIn}
      />
      <Text size="sm" c="dimmed">
        {t('linkLists.creates')}
      </Text>
      <Submit loading={make.isPending} disabled={count === 0 || players.isTooLong || campaign === ''}>
        {t('linkLists.make', { count })}
      </Submit>
    </Form>
  )
}

function FileWarnings(props: ReturnType<typeof readPlayers> & { isChosen: boolean }) {
  const { isChosen, repeated, wrongLines, isTooLong } = props
  const warnings = isChosen
    ? [
        ...(isTooLong ? [t('linkLists.tooLong')] : []),
        ...(wrongLines.length === 0
          ? []
          : [t('linkLists.wrong', { count: wrongLines.length, lines: wrongLines.slice(0, 5).join(', ') })]),
        ...(repeated === 0 ? [] : [t('linkLists.repeated', { count: repeated })]),
      ]
    : [t('linkLists.chooseColumn')]
  if (warnings.length === 0) return null
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} role="status">
      {warnings.map((warning) => (
        <Text key={warning} size="sm">
          {warning}
        </Text>
      ))}
    </Alert>
  )
}

/** The id of the list was chosen with the file, so that a second attempt makes no second list. */
function useMake(
  order: { listId: string; campaign: string; expiresIn: number; playerIds: string[] },
  onDone: () => void,
) {
  const api = useApi()
  const refresh = useRefresh()
  const { listId, campaign, expiresIn, playerIds } = order
  return useAction({
    mutationFn: () =>
      api.put<LinkListAnswer>(`/api/v1/link-lists/${listId}`, { campaign, expiresIn, playerIds }),
    onSuccess: async () => {
      tellDone(t('linkLists.started'))
      onDone()
      await refresh('link-lists')
    },
    onError: tellProblem,
  })
}
