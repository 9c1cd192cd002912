import type { Logger } from 'pino'
import type { TraceSettings } from '../config.ts'
import type { Tracing } from './tracing.ts'

/** Starts to trace, if an endpoint is set. Otherwise OpenTelemetry is not even loaded. */
export async function startTracing(
  settings: TraceSettings | undefined,
  log: Logger,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  const tracing = await import('./tracing.ts')
  return new tracing.Tracing(settings, log)
}
