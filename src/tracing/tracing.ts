import { setTimeout as sleep } from 'node:timers/promises'
import {
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  trace as spans,
  type Tracer,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TraceSettings } from '../config.ts'
import { spanExportTimeoutMs, spanFlushMs } from '../limits.ts'
import { SpanQueue } from './span-queue.ts'
import { Trace, wallTime } from './trace.ts'

/** The start of a request. `startedAt` is a time of `performance.now()`. */
type RequestStart = {
  method: string
  route: string
  requestId: string
  startedAt: number
  merchant: string | undefined
  /** The header of a merchant's server. Nobody else may decide what is traced. */
  traceparent: string | string[] | undefined
}

type AttemptStart = { merchant: string; host: string; eventId: string; eventType: string }

/**
 * Traces a sample of the requests and webhook attempts. Spans hold no personal data: no player, no client address, no
 * path with an id, no body.
 */
export class Tracing {
  readonly #settings: TraceSettings
  readonly #queue: SpanQueue
  readonly #tracer: Tracer
  readonly #byId: TraceIdRatioBasedSampler

  constructor(settings: TraceSettings, log: Logger) {
    const exporter = new OTLPTraceExporter({
      url: `${settings.endpoint}/v1/traces`,
      headers: settings.headers,
      timeoutMillis: spanExportTimeoutMs,
    })
    this.#settings = settings
    this.#queue = new SpanQueue(exporter, log)
    this.#byId = new TraceIdRatioBasedSampler(settings.ratio)
    const provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
      // Whatever is not sampled never gets as far as a span.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [this.#queue],
    })
    this.#tracer = provider.getTracer('wheelhouse')
  }

  /** How many spans were sent, and how many were lost. */
  get spanCounts(): { exported: number; dropped: number } {
    return this.#queue.counts
  }

  /** Returns undefined if the request is not sampled. */
  startRequest(request: RequestStart): Trace | undefined {
    const { method, route, requestId, startedAt, merchant, traceparent } = request
    const caller = typeof traceparent === 'string' ? (parseTraceParent(traceparent) ?? undefined) : undefined
    if (!this.#isSampled(caller)) return undefined
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'wheelhouse.request_id': requestId,
      ...(merchant === undefined ? {} : { 'wheelhouse.merchant': merchant }),
    }
    const options = { kind: SpanKind.SERVER, startTime: wallTime(startedAt), attributes }
    return this.#start(`${method} ${route}`, options, caller)
  }

  /** Returns undefined if the attempt is not sampled. */
  startAttempt(describe: () => AttemptStart): Trace | undefined {
    if (!this.#isSampled(undefined)) return undefined
    const { merchant, host, eventId, eventType } = describe()
    const attributes = {
      'http.request.method': 'POST',
      'server.address': host,
      'wheelhouse.merchant': merchant,
      'wheelhouse.event.id': eventId,
      'wheelhouse.event.type': eventType,
    }
    return this.#start('webhook attempt', { kind: SpanKind.CLIENT, attributes }, undefined)
  }

  /** Sends the spans that are left, if the receiver takes them soon. */
  async close(): Promise<void> {
    await Promise.race([this.#queue.forceFlush(), sleep(spanFlushMs, undefined, { ref: false })])
  }

  #start(name: string, options: SpanOptions, caller: SpanContext | undefined): Trace {
    const parent = caller && spans.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
    return new Trace(this.#tracer, this.#tracer.startSpan(name, options, parent ?? ROOT_CONTEXT))
  }

  #isSampled(caller: SpanContext | undefined): boolean {
    const { ratio, followsCaller } = this.#settings
    if (caller === undefined) return Math.random() < ratio
    if (followsCaller) return (caller.traceFlags & 1) === 1
    // Decided by the id: servers with the same ratio then trace the same requests.
    const { decision } = this.#byId.shouldSample(ROOT_CONTEXT, caller.traceId)
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
}
