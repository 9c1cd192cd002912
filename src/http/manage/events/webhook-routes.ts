import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { webhookRowsListedDefault, webhookTestsPerMinuteMax } from '../../../limits.ts'
import { Refusal } from '../../../refusals.ts'
import { mayUse } from '../../../staff/roles.ts'
import { createWebhookOnce } from '../../../webhooks/create-webhook.ts'
import { sendTest } from '../../../webhooks/sending/send-test.ts'
import { listAttempts, readLastFaults } from '../../../webhooks/webhook-attempts.ts'
import { progressAtCreation, readProgress } from '../../../webhooks/webhook-cursors.ts'
import { listDeliveries } from '../../../webhooks/webhook-deliveries.ts'
import {
  changeWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  type Webhook,
} from '../../../webhooks/webhooks.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { RateLimit } from '../../transport/rate-limit.ts'
import { cursorAfter, lastOfFullPage, pageKey, picked, readWholePage, wholeListQuery } from '../paging.ts'
import { wrongQuery } from '../query.ts'
import { attemptFor, deliveryFor } from '../masked-codes.ts'
import * as schemas from '../../answers/webhooks.ts'

const byNumber = pageKey<[number]>([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })], [0])

/** Webhooks, for a merchant's own systems. */
export const webhookRoutes = managementRoutes({ tag: 'Webhooks', read: ['manage'] }, async (app) => {
  const { ctx } = app
  const tests = { counted: 'test events of this merchant', max: webhookTestsPerMinuteMax }
  const testQuota = new RateLimit({ name: 'tests', ...tests, windowSeconds: 60 })

  const named = namedWebhook
  const shownAll = async (request: FastifyRequest, webhooks: Webhook[]) => {
    const webhookNos = webhooks.map(({ webhookNo }) => webhookNo)
    const [progress, faults] = await Promise.all([
      untilDone(() => readProgress(ctx.db, webhookNos)),
      untilDone(() => readLastFaults(ctx.db, webhookNos)),
    ])
    return webhooks.flatMap((webhook) => {
      const own = progress.get(webhook.webhookNo)
      if (own === undefined) return []
      const one = schemas.shownWebhook(webhook, own, faults.get(webhook.webhookNo))
      return [mayChange(request) ? one : schemas.masked(one)]
    })
  }
  const shown = async (request: FastifyRequest, webhook: Webhook) => {
    const [one] = await shownAll(request, [webhook])
    if (one === undefined) throw new Refusal('webhook_not_found')
    return one
  }

  app.get(
    '/api/v1/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        querystring: Type.Object(wholeListQuery),
        response: { 200: schemas.WebhooksAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readWholePage(request.query, byNumber)
      const all = await untilDone(() => listWebhooks(ctx.db, merchantId))
      const rows = all.filter(({ webhookNo }) => webhookNo > start[0]).slice(0, limit)
      return {
        webhooks: picked(await shownAll(request, rows), request.query, schemas.WebhookAnswer),
        next: cursorAfter(lastOfFullPage(rows, limit), ({ webhookNo }) => [webhookNo]),
      }
    },
  )

  app.post(
    '/api/v1/webhooks',
    {
      config: {
        refusals: [
          'idempotency_key_malformed',
          'webhook_limit_reached',
          'webhook_secret_withheld',
          'idempotency_key_reused',
        ],
      },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'The webhook gets all events from now on, signed with its own secret. Only this answer shows the secret.',
        headers: schemas.CreationHeaders,
        body: schemas.NewWebhook,
        response: { 200: schemas.SecretAnswer },
      },
    },
    async (request, reply) => {
      const { url, description = '', types = null } = request.body
      const { merchantId } = callingMerchant(request)
      const rules = ctx.config.webhooks
      // Not retried: without a key, a second webhook would get every event again.
      const key = request.headers['idempotency-key']
      const order = { url, description, types, merchantId, rules, now: ctx.now(), key }
      const { webhook, cursorSeq, isReplay } = await createWebhookOnce(ctx.db, order, causeOf(request))
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      // As it was created, not as it is: repeats of the request get the same answer.
      return {
        ...schemas.shownWebhook(webhook, progressAtCreation(webhook, cursorSeq)),
        secret: webhook.secret,
      }
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'readWebhook',
        summary: 'Read a webhook',
        params: schemas.WebhookName,
        response: { 200: schemas.WebhookAnswer },
      },
    },
    async (request) => shown(request, await named(request)),
  )

  app.patch(
    '/api/v1/webhooks/:webhook',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description: 'Omitted fields stay as they are. New types apply to events that were not sent yet.',
        params: schemas.WebhookName,
        body: schemas.WebhookChange,
        response: { 200: schemas.WebhookAnswer },
      },
    },
    async (request) => {
      const webhook = await named(request)
      const change = { ...request.body, rules: ctx.config.webhooks }
      const cause = causeOf(request)
      return shown(request, await untilDone(() => changeWebhook(ctx.db, webhook, change, cause)))
    },
  )

  app.delete(
    '/api/v1/webhooks/:webhook',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Deletes its deliveries and attempts too. Requests in flight may still arrive.',
        params: schemas.WebhookName,
        response: { 200: schemas.DeletedWebhookAnswer },
      },
    },
    async (request) => {
      const webhook = await named(request)
      const cause = causeOf(request)
      await untilDone(() => deleteWebhook(ctx.db, webhook, cause.now, cause))
      return { webhookId: webhook.webhookId }
    },
  )

  for (const [method, verb] of [
    ['PUT', 'pause'],
    ['DELETE', 'resume'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/webhooks/:webhook/pause',
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: `${verb}Webhook`,
        summary: verb === 'pause' ? 'Pause a webhook' : 'Resume a webhook',
        description:
          verb === 'pause'
            ? 'Nothing is sent; events wait in the log.'
            : 'Ends a pause, or enables a disabled webhook. It continues where it stopped.',
        params: schemas.WebhookName,
        response: { 200: schemas.WebhookAnswer },
      },
      handler: async (request) => {
        const webhook = await named(request)
        const cause = causeOf(request)
        const pause = () => pauseWebhook(ctx.db, webhook, cause.now, cause)
        const resume = () => resumeWebhook(ctx.db, webhook, cause)
        return shown(request, await untilDone(verb === 'pause' ? pause : resume))
      },
    })
  }

  app.post(
    '/api/v1/webhooks/:webhook/secret',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        description:
          'Makes a new secret. Only this answer shows it. For a day, events are signed with both secrets, so that the receiver has time to change.',
        params: schemas.WebhookName,
        response: { 200: schemas.SecretAnswer },
      },
    },
    async (request) => {
      // Not retried: the second of two rotations would end the secret that the receiver has.
      const webhook = await rotateSecret(ctx.db, await named(request), ctx.now(), causeOf(request))
      return { ...(await shown(request, webhook)), secret: webhook.secret }
    },
  )

  app.post(
    '/api/v1/webhooks/:webhook/test',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Sends an event of type `webhook.test` at once and returns the result. The event is not in the log (its `seq` is 0) and is not retried.',
        params: schemas.WebhookName,
        response: { 200: schemas.TestAnswer },
      },
    },
    async (request) => {
      const webhook = await named(request)
      testQuota.refuseOver(testQuota.use(String(webhook.merchantId)))
      const { isDelivered, ...result } = await sendTest(ctx.db, webhook, {
        reach: ctx.webhookReach,
        now: ctx.now(),
      })
      return { ...result, delivered: isDelivered }
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook/deliveries',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List dead letters and events that wait for a retry',
        params: schemas.WebhookName,
        querystring: schemas.DeliveriesQuery,
        response: { 200: schemas.DeliveriesAnswer },
      },
    },
    async (request) => {
      const { state = 'dead', limit = webhookRowsListedDefault } = request.query
      const after = startOf(request.query, 'after') ?? 0
      const { webhookNo } = await named(request)
      const rows = await untilDone(() => listDeliveries(ctx.db, { webhookNo, state, after, limit }))
      const next = lastOfFullPage(rows, limit)?.seq ?? null
      const seen = rows.map((row) => deliveryFor(request, row))
      return { deliveries: seen.map(schemas.shownDelivery), next }
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook/attempts',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'listWebhookAttempts',
        summary: 'List attempts, newest first',
        params: schemas.WebhookName,
        querystring: schemas.AttemptsQuery,
        response: { 200: schemas.AttemptsAnswer },
      },
    },
    async (request) => {
      const { seq, limit = webhookRowsListedDefault } = request.query
      const before = startOf(request.query, 'before') ?? Number.MAX_SAFE_INTEGER
      const { webhookNo } = await named(request)
      const rows = await untilDone(() => listAttempts(ctx.db, { webhookNo, seq, before, limit }))
      const next = lastOfFullPage(rows, limit)?.place ?? null
      const seen = rows.map((row) => attemptFor(request, row))
      return { attempts: seen.map(schemas.shownAttempt), next }
    },
  )
})

/** The webhook that the path names, of the merchant that calls. */
export function namedWebhook(request: FastifyRequest): Promise<Webhook> {
  const { webhook } = request.params as Static<typeof schemas.WebhookName>
  const { merchantId } = callingMerchant(request)
  return untilDone(() => findWebhook(request.server.ctx.db, merchantId, webhook))
}

/** Where a page starts. `cursor` is the name in every list; these two lists had another one before. */
function startOf<Name extends 'after' | 'before'>(
  query: { cursor?: number } & { [N in Name]?: number },
  name: Name,
): number | undefined {
  if (query.cursor !== undefined && query[name] !== undefined)
    throw wrongQuery('cursor', `must not be combined with \`${name}\`, which means the same`)
  return query.cursor ?? query[name]
}

function mayChange({ staff }: FastifyRequest): boolean {
  return staff === undefined || mayUse(staff.role, { areas: ['Webhooks'], isChange: true })
}
