import type { Refusal } from '../../refusals.ts'
import { makeProblem, problemContentType } from './problems.ts'

/** Makes the answers of one refusal. All but the request id is made once: under a flood, most answers are refusals. */
export type PreparedProblem = (requestId: string) => { status: number; headers: string[]; text: string }

export function prepareProblem(refusal: Refusal, publicUrl: string): PreparedProblem {
  const problem = makeProblem(refusal, { publicUrl, requestId: placeholder })
  const [before, after] = JSON.stringify(problem).split(placeholder) as [string, string]
  const length = Buffer.byteLength(before + after)
  const fixed = ['content-type', problemContentType, ...Object.entries(refusal.headers).flat()]
  return (requestId) => {
    const own = ['x-request-id', requestId, 'content-length', String(length + requestId.length)]
    return { status: problem.status, headers: [...own, ...fixed], text: before + requestId + after }
  }
}

const placeholder = '{request id}'
