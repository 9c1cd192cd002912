import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace as spans,
  type Tracer,
} from '@opentelemetry/api'

/** A sampled request or webhook attempt: its span, and the spans of its parts. */
export class Trace {
  readonly #tracer: Tracer
  readonly #span: Span

  constructor(tracer: Tracer, span: Span) {
    this.#tracer = tracer
    this.#span = span
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  /** The header that makes the receiver's spans children of this one. */
  get traceparent(): string {
    const { traceId, spanId } = this.#span.spanContext()
    return `00-${traceId}-${spanId}-01`
  }

  /** Adds the span of a part that has ended. Its times are times of `performance.now()`. */
  addPart(
    name: string,
    part: { from: number; to: number; attributes: Attributes; error?: string | undefined },
  ): void {
    const options = { startTime: wallTime(part.from), attributes: part.attributes }
    const span = this.#tracer.startSpan(name, options, spans.setSpan(ROOT_CONTEXT, this.#span))
    if (part.error !== undefined) markFailed(span, part.error)
    span.end(wallTime(part.to))
  }

  /** `error` is a fixed word, such as the code of a refusal. */
  end(attributes: Record<string, string | number | null | undefined>, error?: string): void {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== null) this.#span.setAttribute(name, value)
    if (error !== undefined) markFailed(this.#span, error)
    this.#span.end()
  }
}

function markFailed(span: Span, error: string): void {
  span.setAttribute('error.type', error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The time of day for a time of `performance.now()`. */
export function wallTime(time: number): number {
  return Date.now() - (performance.now() - time)
}
