/** The import of a file of grants: it is read, its columns are chosen, and it is sent in batches. */
import { useMemo, useRef, useState } from 'react'
import { toHex } from '../../../../src/fairness/draw.ts'
import type { GrantBatchAnswer, GrantVerdictAnswer } from '../../../../src/http/answers/batches.ts'
import { sha256 } from '../../../game/proof/sha256.ts'
import { Problem } from '../../api.ts'
import { type Api, useApi, useRefresh } from '../../session.tsx'
import { habits, t } from '../../texts.ts'
import type { CsvRow } from './csv-rows.ts'
import { readFileRows } from './file-rows.ts'
import {
  type GrantFile,
  type GrantLine,
  guessLayout,
  isComplete,
  type Layout,
  readGrants,
} from './grant-file.ts'
import { dayOrderOf } from './written-days.ts'

export type Result = GrantLine & GrantVerdictAnswer
/** `expiresAt`: when the spins of lines without a time of their own expire. */
export type Job = {
  name: string
  hash: string
  rows: readonly CsvRow[]
  layout: Layout
  reason: string
  campaign: string
  expiresAt: string | undefined
}
type Batch = { body: object; key: string; wasSent: boolean }

/** Large enough to be quick, small enough to show progress. */
const grantsPerRequest = 2_000

export function useGrantImport(zone: string) {
  const api = useApi()
  const refresh = useRefresh()
  const [job, setJob] = useState<Job | null>(null)
  const [results, setResults] = useState<Result[]>([])
  const [state, setState] = useState<'choosing' | 'sending' | 'done'>('choosing')
  const [error, setError] = useState<unknown>(null)
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const unanswered = useRef<Batch>(undefined)
  const file = useGrantFile(job, zone)
  const choose = async (chosen: File | null) => {
    setResults([])
    setError(null)
    setState('choosing')
    setJob(null)
    setFileProblem(null)
    if (chosen === null) return
    const read = await readJob(chosen)
    if ('problem' in read) setFileProblem(read.problem)
    else setJob(read)
  }
  const send = async ({ hash, reason, campaign }: Job, { grants }: GrantFile) => {
    setState('sending')
    setError(null)
    const done = [...results]
    try {
      while (done.length < grants.length) {
        const slice = grants.slice(done.length, done.length + grantsPerRequest)
        const body = bodyOf(slice, { hash, reason: reason.trim(), campaign })
        unanswered.current = batchFor(body, unanswered.current)
        const verdicts = await sendBatch(api, unanswered.current)
        const isCut = unanswered.current.wasSent && done.every(({ outcome }) => outcome !== 'replayed')
        unanswered.current = undefined
        done.push(...slice.map((grant, index) => resultOf(grant, verdicts[index], isCut)))
        setResults([...done])
      }
      setState('done')
      await refresh('players')
    } catch (problem) {
      setError(problem)
      setState('choosing')
    }
  }
  return { job, file, state, results, error, fileProblem, setJob, choose, send }
}

/** The grants of the file; null until the columns of players and spins are known. */
function useGrantFile(job: Job | null, zone: string): GrantFile | null {
  const { rows, layout, expiresAt } = job ?? {}
  return useMemo(
    () =>
      rows === undefined || layout === undefined || !isComplete(layout)
        ? null
        : readGrants(rows, layout, { zone, expiresAt }),
    [rows, layout, expiresAt, zone],
  )
}

async function readJob(chosen: File): Promise<Job | { problem: string }> {
  const read = await readFileRows(chosen)
  if ('problem' in read) return read
  const { rows, bytes } = read
  if (rows.length === 0) return { problem: t('import.empty') }
  const hash = toHex(sha256(bytes)).slice(0, 32)
  const layout = guessLayout(rows, dayOrderOf(habits))
  return { name: chosen.name, hash, rows, layout, reason: '', campaign: '', expiresAt: undefined }
}

function bodyOf(
  grants: readonly GrantLine[],
  { hash, reason: common, campaign }: Pick<Job, 'hash' | 'reason' | 'campaign'>,
) {
  return {
    ...(common === '' ? {} : { reason: common }),
    grants: grants.map(({ line, playerId, spinNumber, key: own, reason, expiresAt }) => ({
      playerId,
      spinNumber,
      key: own ?? `import-${hash}${campaign === 'main' ? '' : `-${campaign}`}-line-${line}`,
      campaign,
      ...(reason === undefined ? {} : { reason }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })),
  }
}

/**
 * The batch that was sent without an answer, if it is the same one: then it gets the verdicts of the first time.
 * Otherwise a new key, so that refused lines are tried again. Granted lines are recognised by their own keys.
 */
function batchFor(body: object, before: Batch | undefined): Batch {
  if (before !== undefined && JSON.stringify(before.body) === JSON.stringify(body)) return before
  return { body, key: `import-${crypto.randomUUID()}`, wasSent: false }
}

/** Retries while the server is busy or unreachable, which the idempotency key makes safe. */
async function sendBatch(api: Api, batch: Batch): Promise<GrantVerdictAnswer[]> {
  for (let tries = 1; ; tries++) {
    try {
      return (
        await api.post<GrantBatchAnswer>('/api/v1/grant-batches', batch.body, {
          'Idempotency-Key': batch.key,
        })
      ).verdicts
    } catch (error) {
      const isPassing =
        error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (isPassing && error.status !== 429) batch.wasSent = true
      if (!isPassing || tries === 8) throw error
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max((error.retryAfterSeconds ?? 0) * 1000, 500 * tries)),
      )
    }
  }
}

/** `isCut`: the batch was interrupted before. What the first try gave is no repeat of an earlier import. */
function resultOf(grant: GrantLine, verdict: GrantVerdictAnswer | undefined, isCut: boolean): Result {
  const result = { ...grant, ...(verdict as GrantVerdictAnswer) }
  return isCut && result.outcome === 'replayed' ? { ...result, outcome: 'granted' } : result
}
