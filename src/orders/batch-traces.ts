import type { Trace } from '../tracing/trace.ts'

type Traced = { since: number; trace: Trace | undefined }

/** Adds the wait for a batch to a request's trace. */
export function traceWait({ trace, since }: Traced, error?: string): void {
  trace?.addPart('batch wait', { from: since, to: performance.now(), attributes: {}, error })
}

/** A commit belongs to many requests; each traced one gets a span of it. */
export function traceCommit(batch: readonly Traced[], from: number, error?: string): void {
  const attributes = { 'db.system.name': 'postgresql', 'wheelhouse.batch.size': batch.length }
  for (const { trace } of batch) trace?.addPart('commit', { from, to: performance.now(), attributes, error })
}
