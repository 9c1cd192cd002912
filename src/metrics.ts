import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { Database } from './db/database.ts'

/** A group commit, as far as metrics need it. */
type Kind = 'grants' | 'links' | 'plays' | 'events'

/** The metrics for Prometheus. No label contains text that a caller can choose. */
export type Metrics = ReturnType<typeof makeMetrics>

export function makeMetrics(
  db: Database,
  queues: Record<Kind, { queueLength: number }>,
  eventReaders: { count: number },
) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'wheelhouse_database_connections',
    help: 'Open connections to PostgreSQL.',
    registers,
    collect() {
      this.set(db.connectionsOpen)
    },
  })
  new Gauge({
    name: 'wheelhouse_database_waiting',
    help: 'Requests that wait for a connection to PostgreSQL.',
    registers,
    collect() {
      this.set(db.connectionsWaitedFor)
    },
  })
  new Gauge({
    name: 'wheelhouse_queue_length',
    help: 'Grants, plays and links that wait for a batch.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, { queueLength }] of Object.entries(queues)) this.set({ kind }, queueLength)
    },
  })
  const inFlight = { count: 0 }
  new Gauge({
    name: 'wheelhouse_http_requests_in_flight',
    help: 'Requests in flight.',
    registers,
    collect() {
      this.set(inFlight.count)
    },
  })
  const batchSize = new Histogram({
    name: 'wheelhouse_batch_size',
    help: 'Size of a batch: how many grants, plays or links shared a transaction.',
    labelNames: ['kind'] as const,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers,
  })
  const batchWait = new Histogram({
    name: 'wheelhouse_batch_wait_seconds',
    help: 'How long the oldest item of a batch had waited.',
    labelNames: ['kind'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  })
  new Gauge({
    name: 'wheelhouse_event_readers',
    help: 'Requests that wait for events, and live streams.',
    registers,
    collect() {
      this.set(eventReaders.count)
    },
  })
  const eventsNumbered = new Counter({
    name: 'wheelhouse_events_numbered_total',
    help: 'Events that this process has numbered.',
    registers,
  })
  const eventsUnnumberedAge = new Gauge({
    name: 'wheelhouse_events_unnumbered_age_seconds',
    help: 'Age of the oldest event without a number, at the last check of this process; 0 if there was none.',
    registers,
  })
  const webhookWaiting = new Gauge({
    name: 'wheelhouse_webhook_deliveries',
    help: 'Events that wait for a retry, and dead letters, at the last check of this process.',
    labelNames: ['state'] as const,
    registers,
  })
  const webhookLag = new Gauge({
    name: 'wheelhouse_webhook_lag_events',
    help: 'Events in the log that webhooks have not processed yet, at the last check of this process.',
    registers,
  })
  return {
    registry,
    /** Records a round of the sequencer. */
    eventRound({ events, oldestAt }: { events: number; oldestAt?: Date }, now: Date) {
      eventsNumbered.inc(events)
      const ageMs = oldestAt === undefined ? 0 : now.getTime() - oldestAt.getTime()
      eventsUnnumberedAge.set(Math.max(0, ageMs) / 1000)
    },
    eventsDeleted: new Counter({
      name: 'wheelhouse_events_deleted_total',
      help: 'Events that this process has deleted because of their age.',
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'wheelhouse_webhook_attempts_total',
      help: 'Attempts to deliver an event to a receiver, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    webhookBacklog({ waiting, dead, lag }: { waiting: number; dead: number; lag: number }) {
      webhookWaiting.set({ state: 'waiting' }, waiting)
      webhookWaiting.set({ state: 'dead' }, dead)
      webhookLag.set(lag)
    },
    batches(kind: Kind, batch: { size: number; waitedMs: number }) {
      batchSize.observe({ kind }, batch.size)
      batchWait.observe({ kind }, batch.waitedMs / 1000)
    },
    requests: new Counter({
      name: 'wheelhouse_http_requests_total',
      help: 'Answered requests by route and status.',
      labelNames: ['route', 'method', 'status'] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'wheelhouse_http_request_seconds',
      help: 'Time from a request to its answer, in seconds.',
      labelNames: ['route'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    inFlight,
    grants: new Counter({
      name: 'wheelhouse_grants_total',
      help: 'Grants, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    plays: new Counter({
      name: 'wheelhouse_plays_total',
      help: 'Plays, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
  }
}
