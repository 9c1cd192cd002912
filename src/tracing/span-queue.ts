import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { Context } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { spansPerExportMax, spansWaitingMax } from '../limits.ts'

/**
 * Exports spans in batches, in the background. The queue is bounded, so a receiver that is down costs spans and nothing
 * else. Lost spans are counted, and the log says when the receiver stops and starts to take them.
 */
export class SpanQueue implements SpanProcessor {
  readonly counts = { exported: 0, dropped: 0 }
  readonly #log: Logger
  readonly #batches: BatchSpanProcessor
  /** Spans in the queue and in exports in flight. */
  #waiting = 0
  #isFailing = false

  constructor(exporter: SpanExporter, log: Logger) {
    this.#log = log
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) =>
          exporter.export(spans, (result) => {
            this.#settle(spans.length, result)
            done(result)
          }),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: spansWaitingMax,
      maxExportBatchSize: spansPerExportMax,
    })
  }

  onStart(span: Span, context: Context): void {
    this.#batches.onStart(span, context)
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= spansWaitingMax) this.counts.dropped++
    else {
      this.#waiting++
      this.#batches.onEnd(span)
    }
  }

  /** Sends the spans that are left, unless the receiver did not take the last ones either. */
  async forceFlush(): Promise<void> {
    // The failure has been counted and logged.
    if (!this.#isFailing) await this.#batches.forceFlush().catch(() => undefined)
  }

  async shutdown(): Promise<void> {
    await this.forceFlush()
  }

  #settle(count: number, { code, error }: ExportResult): void {
    const isFailing = code !== ExportResultCode.SUCCESS
    this.#waiting -= count
    this.counts[isFailing ? 'dropped' : 'exported'] += count
    if (isFailing && !this.#isFailing) this.#log.warn({ error }, 'exporting traces failed; spans are dropped')
    if (!isFailing && this.#isFailing) this.#log.info('traces are exported again')
    this.#isFailing = isFailing
  }
}
