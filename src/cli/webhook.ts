import { type Command, InvalidArgumentError } from 'commander'
import type { Cause } from '../audit-log/audit-log.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { isLoggedEventType, type LoggedEventType, loggedEventTypes } from '../events/event-types.ts'
import { webhookDescriptionLengthMax, webhookRowsListedMax } from '../limits.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'
import { createWebhook } from '../webhooks/create-webhook.ts'
import { maskedUrl } from '../webhooks/endpoint-url.ts'
import { continueResend, lastSeqOfAll, orderResend } from '../webhooks/resend-events.ts'
import { orderTest } from '../webhooks/ordered-tests.ts'
import { type LastFault, listAttempts, readLastFaults } from '../webhooks/webhook-attempts.ts'
import { readProgress } from '../webhooks/webhook-cursors.ts'
import { listDeliveries } from '../webhooks/webhook-deliveries.ts'
import { findResend, type Resend } from '../webhooks/webhook-resends.ts'
import {
  deleteWebhook,
  findWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  type Webhook,
} from '../webhooks/webhooks.ts'
import { readLife } from '../wheels/interruptions.ts'
import { parseWholeNumber } from './durations.ts'
import { commandCause, type JsonOption, print, table, withDatabase } from './output.ts'

const seqNumber = parseWholeNumber(1, 9_999_999_999)

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description("send a merchant's events to its own systems")

  webhook
    .command('add <merchant> <url>')
    .description('create a webhook that gets all events from now on, and show its secret, once')
    .option('--types <list>', 'only these event types, separated by commas', parseTypes)
    .option('--description <text>', 'what it is for', parseDescription, '')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  wheelhouse webhook add acme https://shop.example/wheelhouse --types prize.won,prize.claimed\n\nTypes: ${loggedEventTypes.join(', ')}`,
    )
    .action(
      async (
        merchant: string,
        url: string,
        options: JsonOption & { types?: LoggedEventType[]; description: string },
      ) => {
        const { description, types = null } = options
        const made = await forMerchant(merchant, (db, merchantId, { config: { webhooks: rules }, cause }) =>
          createWebhook(db, { url, description, types, merchantId, rules, now: new Date() }, cause),
        )
        print(
          { webhookId: made.webhookId, url, types, secret: made.secret },
          options,
          `Created ${made.webhookId}. Its secret, which is not shown again:\n${made.secret}`,
        )
      },
    )

  webhook
    .command('list <merchant>')
    .description("list a merchant's webhooks with state, lag and failures")
    .option('--addresses', 'show full URLs, including parts that may be secret')
    .option('--json', 'print JSON')
    .action(async (merchant: string, options: JsonOption & { addresses?: boolean }) => {
      const rows = await forMerchant(merchant, async (db, merchantId) => {
        const webhooks = await listWebhooks(db, merchantId)
        const webhookNos = webhooks.map(({ webhookNo }) => webhookNo)
        const progress = await readProgress(db, webhookNos)
        const faults = await readLastFaults(db, webhookNos)
        return webhooks.map((one) => {
          const { failureCount = 0, lag = 0, heldUntil = null } = progress.get(one.webhookNo) ?? {}
          const { webhookId, types } = one
          const url = options.addresses === true ? one.url : maskedUrl(one.url)
          const held = heldUntil === null || heldUntil <= new Date() ? null : heldUntil
          return {
            webhook: webhookId,
            state: stateOf(one),
            lag,
            failures: failureCount,
            lastFault: faultText(faults.get(one.webhookNo)),
            heldUntil: held,
            url,
            types,
          }
        })
      })
      const empty = `There are no webhooks. Create one with: wheelhouse webhook add ${merchant} <url>`
      print(rows, options, table(rows, empty))
    })

  webhook
    .command('test <merchant> <webhook>')
    .description('let the running server send a test event, with its settings, and report the result')
    .option('--json', 'print JSON')
    .action(async (merchant: string, webhookId: string, options: JsonOption) => {
      const result = await forWebhook(merchant, webhookId, async (db, found) => {
        if ((await readLife(db)) === undefined)
          throw new Mistake('Tests are sent by a running server, with its own settings, and none is running.')
        return orderTest(db, found)
      })
      const answer = result.status === null ? `no answer (${result.fault})` : `status ${result.status}`
      const excerpt = result.excerpt === null ? '' : `\n${result.excerpt.replaceAll(/\p{Cc}/gu, '\uFFFD')}`
      const verdict = result.isDelivered ? 'Delivered' : 'NOT delivered'
      print(result, options, `${verdict}: ${answer} after ${result.tookMs} ms.${excerpt}`)
      if (!result.isDelivered) process.exitCode = 1
    })

  for (const verb of ['pause', 'resume'] as const) {
    webhook
      .command(`${verb} <merchant> <webhook>`)
      .description(
        verb === 'pause'
          ? 'stop sending; events wait in the log'
          : 'enable a paused or disabled webhook; it continues where it stopped',
      )
      .option('--json', 'print JSON')
      .action(async (merchant: string, webhookId: string, options: JsonOption) => {
        const changed = await forWebhook(merchant, webhookId, (db, found, { cause }) =>
          verb === 'pause' ? pauseWebhook(db, found, new Date(), cause) : resumeWebhook(db, found, cause),
        )
        const state = stateOf(changed)
        print({ webhookId, state }, options, `Webhook ${webhookId} is ${state}.`)
      })
  }

  webhook
    .command('rotate <merchant> <webhook>')
    .description('create a new secret and show it, once; for a day, events are signed with both')
    .option('--json', 'print JSON')
    .action(async (merchant: string, webhookId: string, options: JsonOption) => {
      const { secret, previousSecretUntil } = await forWebhook(merchant, webhookId, (db, found, { cause }) =>
        rotateSecret(db, found, new Date(), cause),
      )
      const text = `The new secret, which is not shown again:\n${secret}\nThe old one is also used until ${previousSecretUntil?.toISOString()}.`
      print({ webhookId, secret, oldSecretUntil: previousSecretUntil }, options, text)
    })

  webhook
    .command('deliveries <merchant> <webhook>')
    .description('list dead events: those that are no longer retried')
    .option('--waiting', 'list the events that wait for a retry instead')
    .option('--after <seq>', 'list from the event after this number', seqNumber, 0)
    .option('--attempts <seq>', 'list the attempts to send one event instead', seqNumber)
    .option('--json', 'print JSON')
    .action(
      async (
        merchant: string,
        webhookId: string,
        options: JsonOption & { waiting?: boolean; after: number; attempts?: number },
      ) => {
        const rows = await forWebhook<Record<string, unknown>[]>(merchant, webhookId, (db, { webhookNo }) =>
          options.attempts === undefined
            ? deliveryRows(db, { webhookNo, ...options })
            : attemptRows(db, { webhookNo, seq: options.attempts }),
        )
        print(rows, options, table(rows, 'There are none.'))
      },
    )

  webhook
    .command('resend <merchant> <webhook>')
    .description('resend dead events: one, a range, or all since a time')
    .option('--seq <seq>', 'only this event', seqNumber)
    .option('--from <seq>', 'from this event on; --from 1 means all', seqNumber)
    .option('--to <seq>', 'up to this event', seqNumber)
    .option('--since <time>', 'events since a time (2026-12-01T12:00:00Z)', parseTime)
    .option('--all', 'also events that were delivered, as far as the log still has them')
    .option('--json', 'print JSON')
    .action(async (merchant: string, webhookId: string, options: JsonOption & ResendOptions) => {
      requireRange(options)
      const resend = await forWebhook(merchant, webhookId, (db, found) => resendAll(db, found, options))
      const { resendId, queued, finishedAt } = resend
      const rest = finishedAt === null ? ' A server queues the rest as the receiver accepts them.' : ''
      const state = finishedAt === null ? 'running' : 'finished'
      print({ webhookId, resendId, state, queued }, options, `${queued} events will be sent again.${rest}`)
    })

  webhook
    .command('remove <merchant> <webhook>')
    .description('delete a webhook with its deliveries and attempts')
    .option('--json', 'print JSON')
    .action(async (merchant: string, webhookId: string, options: JsonOption) => {
      await forWebhook(merchant, webhookId, (db, found, { cause }) =>
        deleteWebhook(db, found, new Date(), cause),
      )
      print({ webhookId }, options, `Webhook ${webhookId} is deleted.`)
    })
}

function faultText(failed: LastFault | undefined): string | null {
  return failed === undefined ? null : `${failed.fault ?? failed.status} at ${failed.at.toISOString()}`
}

function stateOf({ pausedAt, disabledAt, disabledReason }: Webhook): string {
  if (disabledAt !== null) return `disabled (${disabledReason})`
  return pausedAt === null ? 'active' : 'paused'
}

async function deliveryRows(
  db: Database,
  { webhookNo, waiting, after }: { webhookNo: number; waiting?: boolean; after: number },
) {
  const state = waiting === true ? 'waiting' : 'dead'
  const rows = await listDeliveries(db, { webhookNo, state, after, limit: webhookRowsListedMax })
  return rows.map(({ seq, eventId, eventType, tries, nextTryAt, deadAt }) => ({
    seq,
    event: eventId,
    type: eventType,
    tries,
    ...(state === 'waiting' ? { nextTryAt } : { deadAt }),
  }))
}

async function attemptRows(db: Database, { webhookNo, seq }: { webhookNo: number; seq: number }) {
  const before = Number.MAX_SAFE_INTEGER
  const rows = await listAttempts(db, { webhookNo, seq, before, limit: webhookRowsListedMax })
  return rows.map(({ at, status, fault, tookMs, excerpt }) => ({ at, status, fault, tookMs, excerpt }))
}

type ResendOptions = { seq?: number; from?: number; to?: number; since?: Date; all?: boolean }

/** Without any option everything would be resent, which must not happen by mistake. */
function requireRange({ seq, from, to, since }: ResendOptions): void {
  const isRange = from !== undefined || to !== undefined
  if (seq === undefined && !isRange && since === undefined)
    throw new Mistake('Choose events with --seq, --from, --to or --since. --from 1 means all.')
  if (seq !== undefined && (isRange || since !== undefined))
    throw new Mistake('--seq cannot be combined with --from, --to or --since.')
  if (from !== undefined && to !== undefined && to < from) throw new Mistake('--to is less than --from.')
}

/** Queues as many events as possible here, in case no server is running. */
async function resendAll(db: Database, webhook: Webhook, options: ResendOptions): Promise<Resend> {
  const order = {
    only: options.all === true ? ('all' as const) : ('dead' as const),
    fromSeq: options.seq ?? options.from ?? 1,
    toSeq: options.seq ?? options.to ?? lastSeqOfAll,
    since: options.since ?? null,
  }
  const cause = commandCause()
  const { resend } = await orderResend(db, webhook, { ...order, key: null, now: cause.now }, cause)
  while ((await continueResend(db, new Date(), resend.resendId)) === 'moved');
  return (await findResend(db, webhook.webhookNo, resend.resendId)) ?? resend
}

function parseTypes(text: string): LoggedEventType[] {
  const types = text.split(',').map((type) => type.trim())
  return types.map((type) => {
    if (!isLoggedEventType(type)) throw new InvalidArgumentError(`"${type}" is not an event type.`)
    return type
  })
}

function parseDescription(text: string): string {
  if (text.length > webhookDescriptionLengthMax || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError(`Write at most ${webhookDescriptionLengthMax} characters on one line.`)
  return text
}

function parseTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Write a time as 2026-12-01T12:00:00Z.')
  return time
}

type Means = { config: Config; cause: Cause }

async function forWebhook<T>(
  merchant: string,
  webhookId: string,
  work: (db: Database, webhook: Webhook, means: Means) => Promise<T>,
): Promise<T> {
  return forMerchant(merchant, async (db, merchantId, means) =>
    work(db, await findWebhook(db, merchantId, webhookId), means),
  )
}

/** Reports refusals as mistakes of the user. */
async function forMerchant<T>(
  slug: string,
  work: (db: Database, merchantId: number, means: Means) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db, config) => {
    const merchant = await findMerchant(db, slug)
    try {
      return await work(db, merchant.merchantId, { config, cause: commandCause(merchant) })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'database_unavailable') throw error
      throw new Mistake(error.message.replace(/^\/url /, 'The address '), { cause: error })
    }
  })
}
