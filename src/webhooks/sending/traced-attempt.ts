import type { Tracing } from '../../tracing/tracing.ts'
import { hostOf } from '../endpoint-url.ts'
import type { Webhook } from '../webhooks.ts'
import { type Answer, judgeAnswer } from './answers.ts'
import type { Job } from './jobs.ts'

type Send = (headers: Record<string, string>) => Promise<Answer>

/** One attempt. If it is sampled, it gets a span, and the receiver a header `traceparent`. */
export async function tracedAttempt(
  { tracing, now }: { tracing?: Tracing | undefined; now: () => Date },
  { job, webhook }: { job: Job; webhook: Webhook },
  send: Send,
): Promise<Answer> {
  const { eventId, eventType } = job
  const start = () => ({ merchant: webhook.merchant, host: hostOf(new URL(webhook.url)), eventId, eventType })
  const trace = tracing?.startAttempt(start)
  if (trace === undefined) return send({})
  const answer = await send({ traceparent: trace.traceparent })
  const isDelivered = judgeAnswer(answer, now()).outcome === 'delivered'
  const error = isDelivered ? undefined : (answer.fault ?? String(answer.status))
  trace.end({ 'http.response.status_code': answer.status }, error)
  return answer
}
