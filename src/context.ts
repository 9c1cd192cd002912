import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { SigningKeys } from './crypto/signing-keys.ts'
import type { Database } from './db/database.ts'
import { GroupCommit } from './db/group-commit.ts'
import { eraseNextEvents } from './events/erase-events.ts'
import { type Events, openEvents } from './events/events.ts'
import { createLinks, type LinkOrder, type LinkVerdict } from './links/create-links.ts'
import {
  batchMax,
  batchWaitMaxMs,
  countingPauseMs,
  erasurePauseMs,
  prizeExpiryPauseMs,
  prizesExpiredAtOnceMax,
  queueMax,
  queueMaxPerMerchant,
  queueWaitMaxMs,
  sealLookMs,
  sharedBatchMax,
  spinExpiryPauseMs,
} from './limits.ts'
import { TokenVerifier } from './merchants/token-verifier.ts'
import { Mailer } from './mail.ts'
import { makeMetrics, type Metrics } from './metrics.ts'
import { expireNextSpins } from './players/expire-spins.ts'
import { GrantMemory } from './grants/grant-memory.ts'
import type { Grant, GrantVerdict } from './grants/grant.ts'
import { grantSpins } from './grants/grant-spins.ts'
import { playerName } from './players/ledger.ts'
import { shardIndexOf } from './players/shard.ts'
import { expirePrizes } from './prizes/expire-prizes.ts'
import type { PlayOrder, PlayVerdict } from './plays/play-types.ts'
import { playWheels } from './plays/play-wheels.ts'
import { RecentRequests } from './recent-requests.ts'
import { RecurringWork } from './recurring-work.ts'
import { eraseDeliveries } from './webhooks/erase-deliveries.ts'
import { makeReach, type Reach } from './webhooks/sending/webhook-client.ts'
import { firstUnsentSeq } from './webhooks/webhook-cursors.ts'
import { WebhookWorker } from './webhooks/sending/webhook-worker.ts'
import { sealKeyOf } from './audit/seal-hash.ts'
import { LedgerSealer } from './audit/seal-ledger.ts'
import { countActivity } from './reports/count-activity.ts'
import { PublishedWheels } from './wheels/published-wheels.ts'

/** What the operations need, built once where the server starts. */
export type Context = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  /** Sign game links and sessions. */
  linkKeys: SigningKeys
  /** Make the server's seeds. */
  seedKeys: SigningKeys
  tokens: TokenVerifier
  wheels: PublishedWheels
  /** Where grants, links and plays share transactions. */
  grants: GroupCommit<Grant & { shard: number }, GrantVerdict>
  links: GroupCommit<LinkOrder, LinkVerdict>
  plays: GroupCommit<PlayOrder, PlayVerdict>
  events: Events
  /** How webhooks reach their receivers. */
  webhookReach: Reach
  /** Undefined where no SMTP server is set. */
  mail: Mailer | undefined
  metrics: Metrics
  recentRequests: RecentRequests
  /** Begins with what goes on in the background. */
  start: () => void
  /** Waits for what is under way, and writes down what is only in memory. The database stays open. */
  close: () => Promise<void>
}

export function makeContext(base: Pick<Context, 'config' | 'db' | 'log' | 'now'>): Context {
  const { config, db, log, now } = base
  const seedKeys = new SigningKeys(db, 'seeds')
  const tokens = new TokenVerifier({
    db,
    now,
    onFlushError: (error) => log.warn({ error }, 'last uses of tokens were not written'),
  })
  const bounds = {
    laneCount: config.databaseLanes,
    batchesMax: config.databaseBatches,
    batchMax,
    sharedBatchMax,
    queueMax,
    queueMaxPerMerchant,
    batchWaitMaxMs,
    waitMaxMs: queueWaitMaxMs,
  }
  const sharing = {
    ...bounds,
    laneOf: ({ shard }: { shard: number }) => shardIndexOf(shard),
    merchantOf: (item: { merchantId: number }) => item.merchantId,
    playerOf: playerName,
  }
  const events = openEvents({
    db,
    now,
    retentionDays: config.eventRetentionDays,
    heldFrom: firstUnsentSeq,
    sharing: { ...bounds, onBatch: (batch) => metrics.batches('events', batch) },
    onTrouble: (error, what) => log.warn({ error }, what),
    onRound: (numbered) => metrics.eventRound(numbered, now()),
    onDeleted: (count) => metrics.eventsDeleted.inc(count),
  })
  /** Whoever waits for events learns of a batch as soon as it is committed. */
  const told = <Verdict>(verdicts: Verdict): Verdict => {
    events.sequencer.nudge()
    return verdicts
  }
  const memory = new GrantMemory()
  const grants = new GroupCommit<Grant & { shard: number }, GrantVerdict>({
    ...sharing,
    run: async (items) => told(await grantSpins(db, items, now(), memory)),
    onBatch: (batch) => metrics.batches('grants', batch),
  })
  const links = new GroupCommit<LinkOrder, LinkVerdict>({
    ...sharing,
    run: async (items) => told(await createLinks(db, items, now(), memory.players)),
    onBatch: (batch) => metrics.batches('links', batch),
  })
  const plays = new GroupCommit<PlayOrder, PlayVerdict>({
    ...sharing,
    run: async (items) => told(await playWheels(db, items, { seedKeys: await seedKeys.live(), now: now() })),
    onBatch: (batch) => metrics.batches('plays', batch),
  })
  const metrics = makeMetrics(db, { grants, links, plays, events: events.writer }, events.readers)
  const expiry = new RecurringWork({
    pauseMs: spinExpiryPauseMs,
    work: () => expireNextSpins(db, now()),
    onTrouble: (error) => log.warn({ error }, 'expired spins were not looked for'),
  })
  const webhookReach = makeReach(config.webhooks)
  const webhookWorker = new WebhookWorker({
    ...config.webhooks,
    db,
    log,
    now,
    reach: webhookReach,
    chance: Math.random,
    onNumbered: (listener) => events.sequencer.onNumbered(listener),
    onSent: (outcome) => metrics.webhookAttempts.inc({ outcome }),
    onBacklog: (backlog) => metrics.webhookBacklog(backlog),
  })
  const prizeExpiry = new RecurringWork({
    pauseMs: prizeExpiryPauseMs,
    work: async () => {
      const expired = told(await expirePrizes(db, now()))
      return expired === prizesExpiredAtOnceMax ? 'more' : 'done'
    },
    onTrouble: (error) => log.warn({ error }, 'prizes were not expired'),
  })
  const counting = new RecurringWork({
    pauseMs: countingPauseMs,
    work: async () => ((await countActivity(db, now())) ? 'more' : 'done'),
    onTrouble: (error) => log.warn({ error }, 'activity was not counted'),
  })
  const erasing = new RecurringWork({
    pauseMs: erasurePauseMs,
    work: () => eraseNextEvents(db, { now: now(), eraseDeliveries }),
    onTrouble: (error) => log.warn({ error }, 'erased players were not taken out of events'),
  })
  const [sealSecret] = config.sealKeys
  const sealer = new LedgerSealer({
    db,
    now,
    key: sealSecret === undefined ? undefined : sealKeyOf(sealSecret),
    intervalMs: config.sealIntervalSeconds * 1000,
    // Logs are kept elsewhere than the database: who edits it and seals anew has these lines against it.
    onSealed: ({ merchantId, sealNo, hash }) => log.info({ merchantId, sealNo, hash }, 'sealed the ledger'),
  })
  const sealing = new RecurringWork({
    pauseMs: sealLookMs,
    work: async () => {
      await sealer.step()
      return 'done'
    },
    onTrouble: (error) => log.warn({ error }, 'the ledger was not sealed'),
  })
  const start = () => {
    if (config.sealIntervalSeconds > 0) sealing.start()
    events.start()
    expiry.start()
    prizeExpiry.start()
    counting.start()
    erasing.start()
    if (config.webhooks.isSending) webhookWorker.start()
  }
  const close = async () => {
    await webhookWorker.close(config.stopGraceSeconds * 1000)
    await Promise.all([grants.close(), links.close(), plays.close()])
    await Promise.all([
      expiry.close(),
      prizeExpiry.close(),
      counting.close(),
      erasing.close(),
      sealing.close(),
    ])
    await events.close()
    await mail?.close()
    await tokens.close()
  }
  const mail = config.mail === undefined ? undefined : new Mailer(config.mail, log)
  const linkKeys = new SigningKeys(db, 'links')
  return {
    ...base,
    linkKeys,
    seedKeys,
    tokens,
    wheels: new PublishedWheels(db),
    grants,
    links,
    plays,
    events,
    webhookReach,
    mail,
    metrics,
    recentRequests: new RecentRequests(),
    start,
    close,
  }
}
