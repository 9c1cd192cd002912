import type { Logger } from 'pino'
import { makeBackground } from './background.ts'
import { CostlyReads } from './concurrency/costly-reads.ts'
import { MerchantConcurrency } from './concurrency/merchant-concurrency.ts'
import { SharedReads } from './concurrency/shared-reads.ts'
import type { Config } from './config.ts'
import { SigningKeys } from './crypto/signing-keys.ts'
import type { Database, Queryable } from './db/database.ts'
import { type EntryQueue, openEntryQueue } from './entries/entry-queue.ts'
import { EntryTurns } from './entries/entry-turns.ts'
import { Happenings } from './entries/happenings.ts'
import { type Events, openEvents } from './events/events.ts'
import { collectFreeSpins, type FreeSpinVisit } from './free-spins/collect-free-spins.ts'
import { exportsMax } from './limits.ts'
import { createLinks, type LinkOrder, type LinkVerdict } from './links/create-links.ts'
import { TokenVerifier } from './merchants/token-verifier.ts'
import { Mailer } from './mail.ts'
import { firstUnplannedSeq } from './mails/mail-cursors.ts'
import { makeMetrics, type Metrics, observeSources } from './metrics.ts'
import { GrantMemory } from './grants/grant-memory.ts'
import type { Grant, GrantVerdict } from './grants/grant.ts'
import { grantSpins } from './grants/grant-spins.ts'
import type { OrderQueue } from './orders/order-queue.ts'
import { type QueueLimits, queueLimits, queueOpener } from './orders/queues.ts'
import { playerName } from './players/ledger.ts'
import { shardIndexOf, shardValues } from './players/shard.ts'
import { PlayMemory } from './plays/play-memory.ts'
import type { PlayOrder, PlayVerdict } from './plays/play-types.ts'
import { playWheels } from './plays/play-wheels.ts'
import { RefusalLog } from './refusal-log.ts'
import { overloaded } from './refusals.ts'
import { OpenedVisits } from './reports/opened-visits.ts'
import { RecentRequests } from './reports/recent-requests.ts'
import { Forecasts } from './simulation/forecasts.ts'
import { isLimited } from './stock/prize-stocks.ts'
import type { Tracing } from './tracing/tracing.ts'
import { makeReach, type Reach } from './webhooks/sending/webhook-client.ts'
import { firstUnsentSeq } from './webhooks/webhook-cursors.ts'
import { PublishedWheels } from './wheels/published-wheels.ts'
import { isPaced } from './pacing/start-runs.ts'

/** Everything that the operations need, built once when the server starts. */
export type Context = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
  /** They sign game links and sessions. */
  linkKeys: SigningKeys
  /** The server's seeds are derived from them. */
  seedKeys: SigningKeys
  tokens: TokenVerifier
  wheels: PublishedWheels
  /** Grants, links and plays share transactions here. */
  grants: OrderQueue<Grant & { shard: number }, GrantVerdict>
  links: OrderQueue<LinkOrder, LinkVerdict>
  plays: OrderQueue<PlayOrder, PlayVerdict>
  /** Visits that collect free spins. */
  visits: OrderQueue<FreeSpinVisit, true>
  playMemory: PlayMemory
  /** Visits that were opened and are not in the database yet. */
  openedVisits: OpenedVisits
  /** What happened at entries and is not in the database yet. */
  happenings: Happenings
  /** Visitors who enter share transactions here. */
  entries: EntryQueue
  entryTurns: EntryTurns
  sharedReads: SharedReads
  costlyReads: CostlyReads
  /** All kinds of exports count together. */
  exportPlaces: MerchantConcurrency
  events: Events
  /** How webhooks reach their receivers. */
  webhookReach: Reach
  /** Undefined if no SMTP server is configured. */
  mail: Mailer | undefined
  metrics: Metrics
  recentRequests: RecentRequests
  refusalLog: RefusalLog
  forecasts: Forecasts
  /** Starts the background work. */
  start: () => void
  /** Waits for the work in flight, and writes what is only in memory. The database stays open. */
  close: () => Promise<void>
}

type Base = Pick<Context, 'config' | 'db' | 'log' | 'now' | 'tracing'>
type Queues = Pick<Context, 'grants' | 'links' | 'plays' | 'visits'>

export function makeContext(base: Base): Context {
  const { config, db, log, now } = base
  const seedKeys = new SigningKeys(db, 'seeds')
  const tokens = new TokenVerifier({
    db,
    now,
    onFlushError: (error) => log.warn({ error }, 'writing the last uses of tokens failed'),
  })
  const metrics = makeMetrics()
  const limits = queueLimits(db, config, shardValues.length)
  const events = openEventLog(base, limits, metrics)
  const grantMemory = new GrantMemory()
  const playMemory = new PlayMemory()
  const openQueue = queueOpener({
    limits,
    now,
    laneOf: ({ shard }) => shardIndexOf(shard),
    playerOf: playerName,
    onBatch: (name: keyof Queues, batch) => metrics.batches(name, batch),
    // Wakes the readers of events.
    onCommit: () => events.sequencer.nudge(),
  })
  const queues = openQueues(openQueue, { db, seedKeys, grantMemory, playMemory })
  const entries = openEntryQueue(db, {
    limits,
    now,
    onBatch: (batch) => metrics.batches('entries', batch),
    onCommit: () => events.sequencer.nudge(),
  })
  observe(base, metrics, events, { ...queues, entries })
  const parts = {
    ...base,
    ...queues,
    linkKeys: new SigningKeys(db, 'links'),
    seedKeys,
    tokens,
    wheels: new PublishedWheels(db),
    playMemory,
    openedVisits: new OpenedVisits(db),
    happenings: new Happenings(db),
    entries,
    entryTurns: new EntryTurns(),
    sharedReads: new SharedReads(),
    costlyReads: new CostlyReads(),
    exportPlaces: new MerchantConcurrency(exportsMax, () => overloaded('exports')),
    events,
    webhookReach: makeReach(config.webhooks),
    mail: config.mail === undefined ? undefined : new Mailer(config.mail, log),
    metrics,
    recentRequests: new RecentRequests(db),
    refusalLog: new RefusalLog(log),
    forecasts: new Forecasts(),
  }
  const background = makeBackground({ ...parts, grantMemory })
  return {
    ...parts,
    start: () => {
      metrics.workDone('number_events')
      metrics.workDone('delete_events')
      events.start()
      background.start()
    },
    close: async () => {
      await background.close()
      await closeParts(parts)
    },
  }
}

/** The first event that webhooks or mail still need. */
async function firstNeededSeq(db: Queryable, merchantId: number): Promise<number | undefined> {
  const needed = [await firstUnsentSeq(db, merchantId), await firstUnplannedSeq(db, merchantId)]
  const seqs = needed.filter((seq) => seq !== undefined)
  return seqs.length === 0 ? undefined : Math.min(...seqs)
}

function openEventLog({ config, db, log, now }: Base, limits: QueueLimits, metrics: Metrics): Events {
  return openEvents({
    db,
    now,
    retentionDays: config.eventRetentionDays,
    heldFrom: firstNeededSeq,
    sharing: { ...limits, onBatch: (batch) => metrics.batches('events', batch) },
    onTrouble: (error, what) => log.warn({ error }, what),
    onRound: (numbered) => {
      metrics.eventRound(numbered, now())
      metrics.workDone('number_events')
    },
    onDeleted: (count) => {
      metrics.eventsDeleted.inc(count)
      metrics.workDone('delete_events')
    },
  })
}

type QueueNeeds = Pick<Context, 'db' | 'seedKeys' | 'playMemory'> & { grantMemory: GrantMemory }

function openQueues(
  openQueue: ReturnType<typeof queueOpener<keyof Queues>>,
  { db, seedKeys, grantMemory, playMemory }: QueueNeeds,
): Queues {
  return {
    grants: openQueue('grants', {
      run: (orders, at) => grantSpins(db, orders, at, grantMemory),
    }),
    links: openQueue('links', {
      run: (orders, at) => createLinks(db, orders, at, grantMemory.players),
    }),
    plays: openQueue('plays', {
      run: async (orders, at, pipeline) =>
        playWheels(db, orders, { seedKeys: await seedKeys.live(), now: at, pipeline }, playMemory),
      contendedOf: ({ wheel }) =>
        wheel.document.segments.some(isLimited) || isPaced(wheel.document) ? wheel.wheelId : undefined,
    }),
    visits: openQueue('visits', {
      run: async (orders, at) => {
        await collectFreeSpins(db, orders, at)
        return orders.map(() => true)
      },
    }),
  }
}

function observe(
  { config, ...base }: Base,
  { registry }: Metrics,
  events: Events,
  queues: Queues & { entries: EntryQueue },
): void {
  const { grants, links, plays, visits, entries } = queues
  observeSources(registry, {
    db: base.db,
    queues: {
      grants: grants.live,
      links: links.live,
      plays: plays.live,
      visits: visits.live,
      entries: entries.live,
      events: events.writer,
    },
    eventReaders: events.readers,
    tracing: base.tracing,
    log: base.log,
    dataDir: config.databaseTargets === undefined ? config.dataDir : undefined,
  })
}

/** In this order: a part that is closed needs only those that are closed after it. */
async function closeParts(parts: Omit<Context, 'start' | 'close'>): Promise<void> {
  const { grants, links, plays, visits, entries, openedVisits, happenings, recentRequests, log } = parts
  await Promise.all([grants.close(), links.close(), plays.close(), visits.close(), entries.close()])
  await openedVisits.close((error) => log.warn({ error }, 'writing the last opened visits failed'))
  await happenings
    .flush()
    .catch((error: unknown) => log.warn({ error }, 'writing the last counts of entries failed'))
  await recentRequests.close((error) => log.warn({ error }, 'writing the last requests failed'))
  await parts.events.close()
  await parts.mail?.close()
  await parts.tokens.close()
  await parts.tracing?.close()
  parts.refusalLog.close()
}
