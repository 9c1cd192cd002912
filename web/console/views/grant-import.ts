/** The import of a file of grants: it is read, then sent in batches. */
import { useState } from 'react'
import { toHex } from '../../../src/fairness/draw.ts'
import type { GrantBatchAnswer, GrantVerdictAnswer } from '../../../src/http/answers/batches.ts'
import { sha256 } from '../../game/proof/sha256.ts'
import { Problem } from '../api.ts'
import { textOfFile } from '../parts/text-file.ts'
import { type Api, useApi, useRefresh } from '../session.tsx'
import { t } from '../texts.ts'
import { type GrantFile, type GrantLine, readGrantFile } from './grant-file.ts'

export type Result = GrantLine & GrantVerdictAnswer
export type Job = { name: string; hash: string; file: GrantFile; reason: string; campaign: string }

/** Large enough to be quick, small enough to show progress. */
const grantsPerRequest = 2_000

export function useGrantImport(zone: string | undefined) {
  const api = useApi()
  const refresh = useRefresh()
  const [job, setJob] = useState<Job | null>(null)
  const [results, setResults] = useState<Result[]>([])
  const [state, setState] = useState<'choosing' | 'sending' | 'done'>('choosing')
  const [error, setError] = useState<unknown>(null)
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const choose = async (chosen: File | null) => {
    setResults([])
    setError(null)
    setState('choosing')
    setJob(null)
    setFileProblem(null)
    if (chosen === null) return
    const read = await readJob(chosen, zone)
    if ('problem' in read) setFileProblem(read.problem)
    else setJob(read)
  }
  const send = async ({ file, hash, reason, campaign }: Job) => {
    setState('sending')
    setError(null)
    try {
      for (let from = results.length; from < file.grants.length; from += grantsPerRequest) {
        const slice = file.grants.slice(from, from + grantsPerRequest)
        const verdicts = await sendBatch(api, slice, { hash, reason: reason.trim(), campaign })
        setResults((before) => [
          ...before,
          ...slice.map((grant, index) => ({ ...grant, ...(verdicts[index] as GrantVerdictAnswer) })),
        ])
      }
      setState('done')
      await refresh('players')
    } catch (problem) {
      setError(problem)
      setState('choosing')
    }
  }
  return { job, state, results, error, fileProblem, setJob, choose, send }
}

async function readJob(chosen: File, zone: string | undefined): Promise<Job | { problem: string }> {
  const bytes = new Uint8Array(await chosen.arrayBuffer())
  const text = textOfFile(bytes)
  if (text === undefined) return { problem: t('file.notText') }
  const file = readGrantFile(text, zone)
  if (file.grants.length + file.wrong.length === 0) return { problem: t('import.empty') }
  const hash = toHex(sha256(bytes)).slice(0, 32)
  return { name: chosen.name, hash, file, reason: '', campaign: 'main' }
}

/**
 * Retries while the server is busy or unreachable, which the idempotency key makes safe. Each press uses new keys for
 * its batches, so that refused lines are tried again; granted lines are recognised by their own keys.
 */
async function sendBatch(
  api: Api,
  grants: readonly GrantLine[],
  { hash, reason: common, campaign }: Pick<Job, 'hash' | 'reason' | 'campaign'>,
): Promise<GrantVerdictAnswer[]> {
  const key = `import-${crypto.randomUUID()}`
  const body = {
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
  for (let tries = 1; ; tries++) {
    try {
      return (await api.post<GrantBatchAnswer>('/api/v1/grant-batches', body, { 'Idempotency-Key': key }))
        .verdicts
    } catch (error) {
      const isPassing =
        error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (!isPassing || tries === 8) throw error
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max((error.retryAfterSeconds ?? 0) * 1000, 500 * tries)),
      )
    }
  }
}
