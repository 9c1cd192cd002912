import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Events } from './events/events.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { Reach } from './webhooks/sending/webhook-client.ts'
import { WebhookWorker } from './webhooks/sending/webhook-worker.ts'

/** The parts of the context that sending webhooks needs. */
export type WebhookNeeds = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  tracing?: Tracing | undefined
  events: Events
  metrics: Metrics
  webhookReach: Reach
}

export function sendWebhooks({
  config,
  db,
  log,
  now,
  tracing,
  events,
  metrics,
  webhookReach,
}: WebhookNeeds): WebhookWorker {
  return new WebhookWorker({
    ...config.webhooks,
    db,
    log,
    now,
    reach: webhookReach,
    chance: Math.random,
    tracing,
    onNumbered: (listener) => events.sequencer.onNumbered(listener),
    onSent: (outcome) => metrics.webhookAttempts.inc({ outcome }),
    onDead: () => metrics.webhookDeadLetters.inc(),
    onDisabled: (reason) => metrics.webhooksDisabled.inc({ reason }),
    onBacklog: (backlog) => {
      metrics.webhookBacklog(backlog)
      metrics.workDone('tidy_webhooks')
    },
  })
}
