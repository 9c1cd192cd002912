import type { Logger } from 'pino'
import { sealKeyOf } from './audit/seal-hash.ts'
import { LedgerSealer } from './audit/seal-ledger.ts'
import type { Config } from './config.ts'
import { backupSource } from './db/backup/backup-source.ts'
import { BackupWorker } from './db/backup/backup-worker.ts'
import type { Database } from './db/database.ts'
import { eraseNextEvents } from './events/erase-events.ts'
import type { Events } from './events/events.ts'
import {
  countingPauseMs,
  erasurePauseMs,
  prizeExpiryPauseMs,
  prizesExpiredAtOnceMax,
  sealLookMs,
  spinExpiryPauseMs,
} from './limits.ts'
import type { Metrics } from './metrics.ts'
import { expireNextSpins } from './players/expire-spins.ts'
import { expirePrizes } from './prizes/expire-prizes.ts'
import { RecurringWork } from './recurring-work.ts'
import { countActivity } from './reports/count-activity.ts'
import { eraseDeliveries } from './webhooks/erase-deliveries.ts'
import type { Reach } from './webhooks/sending/webhook-client.ts'
import { WebhookWorker } from './webhooks/sending/webhook-worker.ts'

/** The parts of the context that background work needs. */
type Needs = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  events: Events
  metrics: Metrics
  webhookReach: Reach
}

type Background = {
  start: () => void
  /** Waits for the current steps, and for webhook requests in flight, up to the grace period. */
  close: () => Promise<void>
}

/** The work that a process does without a request: expiry, counting, erasure, sealing, webhooks and backups. */
export function makeBackground(needs: Needs): Background {
  const { config } = needs
  const recurring = [
    expireSpins(needs),
    expireWonPrizes(needs),
    countRecentActivity(needs),
    eraseFromEvents(needs),
  ]
  const sealing = sealLedger(needs)
  const webhookWorker = sendWebhooks(needs)
  const backupWorker = takeBackups(needs)
  return {
    start: () => {
      if (config.sealIntervalSeconds > 0) sealing.start()
      for (const work of recurring) work.start()
      if (config.webhooks.isSending) webhookWorker.start()
      backupWorker.start()
    },
    close: async () => {
      await backupWorker.close()
      await webhookWorker.close(config.stopGraceSeconds * 1000)
      await Promise.all([...recurring, sealing].map((work) => work.close()))
    },
  }
}

function expireSpins({ db, log, now }: Needs): RecurringWork {
  return new RecurringWork({
    pauseMs: spinExpiryPauseMs,
    work: () => expireNextSpins(db, now()),
    onTrouble: (error) => log.warn({ error }, 'expiring spins failed'),
  })
}

function expireWonPrizes({ db, log, now, events }: Needs): RecurringWork {
  return new RecurringWork({
    pauseMs: prizeExpiryPauseMs,
    work: async () => {
      const expired = await expirePrizes(db, now())
      events.sequencer.nudge()
      return expired === prizesExpiredAtOnceMax ? 'more' : 'done'
    },
    onTrouble: (error) => log.warn({ error }, 'expiring prizes failed'),
  })
}

function countRecentActivity({ db, log, now }: Needs): RecurringWork {
  return new RecurringWork({
    pauseMs: countingPauseMs,
    work: async () => ((await countActivity(db, now())) ? 'more' : 'done'),
    onTrouble: (error) => log.warn({ error }, 'counting activity failed'),
  })
}

function eraseFromEvents({ db, log, now }: Needs): RecurringWork {
  return new RecurringWork({
    pauseMs: erasurePauseMs,
    work: () => eraseNextEvents(db, { now: now(), eraseDeliveries }),
    onTrouble: (error) => log.warn({ error }, 'erasing players from events failed'),
  })
}

function sealLedger({ config, db, log, now }: Needs): RecurringWork {
  const [sealSecret] = config.sealKeys
  const sealer = new LedgerSealer({
    db,
    now,
    key: sealSecret === undefined ? undefined : sealKeyOf(sealSecret),
    intervalMs: config.sealIntervalSeconds * 1000,
    // Logs are kept outside the database: if somebody edits the database and seals it again, these lines differ.
    onSealed: ({ merchantId, sealNo, hash }) => log.info({ merchantId, sealNo, hash }, 'sealed the ledger'),
  })
  return new RecurringWork({
    pauseMs: sealLookMs,
    work: async () => {
      await sealer.step()
      return 'done'
    },
    onTrouble: (error) => log.warn({ error }, 'sealing the ledger failed'),
  })
}

function sendWebhooks({ config, db, log, now, events, metrics, webhookReach }: Needs): WebhookWorker {
  return new WebhookWorker({
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
}

function takeBackups({ config, db, log, now, metrics }: Needs): BackupWorker {
  const { dir, everyHours, keep } = config.backup
  return new BackupWorker({
    db,
    into: dir,
    everyHours,
    keep,
    source: () => backupSource(config, 'base'),
    now,
    onBackup: ({ folder }, removed) => {
      metrics.backups.inc({ outcome: 'done' })
      log.info({ folder, ...removed }, 'took a backup')
    },
    onTrouble: (error) => {
      metrics.backups.inc({ outcome: 'failed' })
      log.error({ error }, 'the backup on schedule failed')
    },
    onNewest: (backup) => metrics.newestBackup(backup?.manifest.startedAt),
  })
}
