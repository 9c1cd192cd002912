import { collectDefaultMetrics, Registry } from '@prometheus-io/client'
import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Database } from './db/database.ts'
import { droppedLines } from './log.ts'
import { instruments } from './monitoring/instruments.ts'
import { refusals } from './refusals.ts'
import type { Tracing } from './tracing/tracing.ts'

/** A group commit, as far as metrics need it. */
type Kind = 'grants' | 'links' | 'plays' | 'visits' | 'entries' | 'events'
type Queue = { queueLength: number; oldestInFlightMs: number }

type Sources = {
  db: Database
  queues: Record<Kind, Queue>
  eventReaders: { count: number }
  tracing: Tracing | undefined
  log: Logger
  /** The folder of the embedded PostgreSQL, if it is used. */
  dataDir: string | undefined
}

/** The metrics for Prometheus. No label contains text that a caller can choose. */
export type Metrics = ReturnType<typeof makeMetrics>

export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = instruments(registry)
  return {
    registry,
    ...requestMetrics(make),
    ...orderMetrics(make),
    ...eventMetrics(make),
    ...webhookMetrics(make),
    ...databaseMetrics(make),
    ...backgroundMetrics(make),
  }
}

type Make = ReturnType<typeof instruments>

function requestMetrics(make: Make) {
  const inFlight = { count: 0 }
  make.gauge('inFlight', (own) => own.set(inFlight.count))
  const overloads = new OverloadCounts()
  const requests = make.counter('requests', (own) => {
    for (const [route, count] of overloads.take('byRoute'))
      own.inc({ route, method: 'POST', status: '503' }, count)
  })
  const refusalCounts = make.counter('refusals', (own) => {
    for (const [code, count] of overloads.take('byCode')) own.inc({ code }, count)
  })
  // Prometheus can't see the step of a counter that appears with its first event.
  for (const code of Object.keys(refusals)) refusalCounts.inc({ code }, 0)
  const requestSeconds = make.histogram('requestSeconds')
  return { inFlight, requests, requestSeconds, refusals: refusalCounts, overloads }
}

/** Grants, links, plays, visits and entries of visitors. */
function orderMetrics(make: Make) {
  const batchSize = make.histogram('batchSize')
  const batchWait = make.histogram('batchWait')
  const batchSeconds = make.histogram('batchSeconds')
  const stockEvents = make.counter('stockEvents')
  for (const state of ['low', 'out']) stockEvents.inc({ state }, 0)
  return {
    grants: make.counter('grants'),
    plays: make.counter('plays'),
    stockEvents,
    drawDrifts: make.counter('drawDrifts'),
    prizesOverdue: make.gauge('prizesOverdue'),
    batches(kind: Kind, { size, waitedMs, tookMs }: { size: number; waitedMs: number; tookMs: number }) {
      batchSize.observe({ kind }, size)
      batchWait.observe({ kind }, waitedMs / 1000)
      batchSeconds.observe({ kind }, tookMs / 1000)
    },
  }
}

function eventMetrics(make: Make) {
  const eventsNumbered = make.counter('eventsNumbered')
  const eventsUnnumberedAge = make.gauge('eventsUnnumberedAge')
  return {
    eventsDeleted: make.counter('eventsDeleted'),
    eventPartitionsAhead: make.gauge('eventPartitionsAhead'),
    eventPartitionOverdue: make.gauge('eventPartitionOverdue'),
    /** Records a round of the sequencer. */
    eventRound({ events, oldestAt }: { events: number; oldestAt?: Date }, now: Date) {
      eventsNumbered.inc(events)
      const ageMs = oldestAt === undefined ? 0 : now.getTime() - oldestAt.getTime()
      eventsUnnumberedAge.set(Math.max(0, ageMs) / 1000)
    },
  }
}

function webhookMetrics(make: Make) {
  const webhookDeliveries = make.gauge('webhookDeliveries')
  const webhookLag = make.gauge('webhookLag')
  const webhooksDisabled = make.counter('webhooksDisabled')
  for (const reason of ['failing', 'gone']) webhooksDisabled.inc({ reason }, 0)
  return {
    mails: make.counter('mails'),
    webhookAttempts: make.counter('webhookAttempts'),
    webhookDeadLetters: make.counter('webhookDeadLetters'),
    webhooksDisabled,
    webhookBacklog({ waiting, dead, lag }: { waiting: number; dead: number; lag: number }) {
      webhookDeliveries.set({ state: 'waiting' }, waiting)
      webhookDeliveries.set({ state: 'dead' }, dead)
      webhookLag.set(lag)
    },
  }
}

function databaseMetrics(make: Make) {
  const tableBytes = make.gauge('tableBytes')
  const backups = make.counter('backups')
  for (const outcome of ['done', 'failed']) backups.inc({ outcome }, 0)
  const newestBackup = make.gauge('newestBackup')
  newestBackup.set(Number.NaN)
  return {
    databaseUp: make.gauge('databaseUp'),
    clockOffset: make.gauge('clockOffset'),
    tableSizes(sizes: readonly { table: string; bytes: number }[]) {
      for (const { table, bytes } of sizes) tableBytes.set({ table }, bytes)
    },
    backups,
    newestBackup(startedAt: Date | undefined) {
      newestBackup.set(startedAt === undefined ? 0 : startedAt.getTime() / 1000)
    },
  }
}

function backgroundMetrics(make: Make) {
  const workDone = make.gauge('workDone')
  return {
    /** Background work has succeeded, or is started. From then on, Prometheus can see if it does not succeed again. */
    workDone(work: BackgroundWork) {
      workDone.set({ work }, Date.now() / 1000)
    },
  }
}

/** Counts requests that the fast path refused, for less than the counters' labels cost. Prometheus takes them later. */
class OverloadCounts {
  readonly #waiting = { byRoute: new Map<string, number>(), byCode: new Map<string, number>() }

  add(route: string, code: string): void {
    const { byRoute, byCode } = this.#waiting
    byRoute.set(route, (byRoute.get(route) ?? 0) + 1)
    byCode.set(code, (byCode.get(code) ?? 0) + 1)
  }

  take(which: 'byRoute' | 'byCode'): [string, number][] {
    const counts = [...this.#waiting[which]]
    this.#waiting[which].clear()
    return counts
  }
}

export type BackgroundWork =
  | 'watch_database'
  | 'watch_growth'
  | 'expire_spins'
  | 'expire_prizes'
  | 'scheduled_changes'
  | 'signs_of_life'
  | 'count_activity'
  | 'erase_events'
  | 'mail_codes'
  | 'make_links'
  | 'send_mail'
  | 'staff_alerts'
  | 'tidy_entries'
  | 'seal_ledger'
  | 'number_events'
  | 'delete_events'
  | 'tidy_webhooks'

/** Adds the metrics whose values are read when Prometheus asks. */
export function observeSources(registry: Registry, sources: Sources): void {
  const { db, queues, eventReaders, tracing, log, dataDir } = sources
  const make = instruments(registry)
  make.gauge('connections', (own) => own.set(db.connectionsOpen))
  make.gauge('connectionsMax', (own) => own.set(db.connectionsMax))
  make.gauge('connectionsWaitedFor', (own) => own.set(db.connectionsWaitedFor))
  make.gauge('eventReaders', (own) => own.set(eventReaders.count))
  make.gauge('queueLength', (own) => {
    for (const [kind, { queueLength }] of Object.entries(queues)) own.set({ kind }, queueLength)
  })
  make.gauge('batchAge', (own) => {
    for (const [kind, { oldestInFlightMs }] of Object.entries(queues))
      own.set({ kind }, oldestInFlightMs / 1000)
  })
  make.counter('traceSpans', (own) => {
    own.reset()
    for (const [outcome, count] of Object.entries(tracing?.spanCounts ?? {})) own.inc({ outcome }, count)
  })
  make.counter('logLinesDropped', (own) => {
    own.reset()
    for (const [trouble, count] of Object.entries(droppedLines(log).counts)) own.inc({ trouble }, count)
  })
  if (dataDir === undefined) return
  make.gauge('diskFree', async (own) => own.set(await diskBytes(dataDir, 'bavail')))
  make.gauge('diskSize', async (own) => own.set(await diskBytes(dataDir, 'blocks')))
}

/** Not a number if the folder can't be read: the other metrics must not fail with it. */
async function diskBytes(folder: string, which: 'bavail' | 'blocks'): Promise<number> {
  return statfs(folder).then(
    (disk) => disk[which] * disk.bsize,
    () => Number.NaN,
  )
}
