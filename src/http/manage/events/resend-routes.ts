import { untilDone } from '../../../db/database.ts'
import { webhookResendsListedMax } from '../../../limits.ts'
import { Refusal } from '../../../refusals.ts'
import { countResend, orderResend } from '../../../webhooks/resend-events.ts'
import { findResend, listResends } from '../../../webhooks/webhook-resends.ts'
import { causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import {
  countOrder,
  ResendAnswer,
  ResendBody,
  ResendCountAnswer,
  ResendHeaders,
  ResendName,
  resendOrder,
  ResendQuery,
  ResendsAnswer,
  shownResend,
} from '../../answers/resends.ts'
import { namedWebhook } from './webhook-routes.ts'
import { WebhookName } from '../../answers/webhooks.ts'

/** Events of a webhook that are to be sent again. */
export const resendRoutes = managementRoutes({ tag: 'Webhooks', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.post(
    '/api/v1/webhooks/:webhook/resend',
    {
      config: {
        refusals: [
          'idempotency_key_malformed',
          'webhook_not_found',
          'event_not_found',
          'resend_limit_reached',
          'idempotency_key_reused',
        ],
      },
      schema: {
        operationId: 'resendEvents',
        summary: 'Send events again',
        description:
          'One event (`seq`), a range (`fromSeq`, `toSeq`), or all since a time (`since`). By default only dead letters; with `only: "all"`, every event in the log. Events keep their ids. One event is queued at once (200). Many are queued in the background (202); read the resend for its progress.',
        params: WebhookName,
        headers: ResendHeaders,
        body: ResendBody,
        response: { 200: ResendAnswer, 202: ResendAnswer },
      },
    },
    async (request, reply) => {
      const webhook = await namedWebhook(request)
      const order = resendOrder(request.body)
      const key = request.headers['idempotency-key'] ?? null
      const cause = causeOf(request)
      const { resend, isReplay } = await orderResend(
        ctx.db,
        webhook,
        // Deliveries are made in the real time, also those of test merchants.
        { ...order, key, now: ctx.now() },
        cause,
      )
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      if (resend.finishedAt !== null) return shownResend(resend)
      const path = `/api/v1/webhooks/${webhook.webhookId}/resends/${resend.resendId}`
      return reply.code(202).header('Location', path).send(shownResend(resend))
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook/resend',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'countResend',
        summary: 'Count the events that a resend would send',
        description:
          'Takes the fields of a resend as query parameters, and sends nothing. Without any, it counts all.',
        params: WebhookName,
        querystring: ResendQuery,
        response: { 200: ResendCountAnswer },
      },
    },
    async (request) => {
      const webhook = await namedWebhook(request)
      return untilDone(() => countResend(ctx.db, webhook, countOrder(request.query)))
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook/resends',
    {
      config: { refusals: ['webhook_not_found'] },
      schema: {
        operationId: 'listResends',
        summary: 'List resends',
        description: `The newest ${webhookResendsListedMax}.`,
        params: WebhookName,
        response: { 200: ResendsAnswer },
      },
    },
    async (request) => {
      const { webhookNo } = await namedWebhook(request)
      const resends = await untilDone(() => listResends(ctx.db, webhookNo, webhookResendsListedMax))
      return { resends: resends.map(shownResend) }
    },
  )

  app.get(
    '/api/v1/webhooks/:webhook/resends/:resend',
    {
      config: { refusals: ['webhook_not_found', 'resend_not_found'] },
      schema: {
        operationId: 'readResend',
        summary: 'Read a resend',
        params: ResendName,
        response: { 200: ResendAnswer },
      },
    },
    async (request) => {
      const { webhookNo } = await namedWebhook(request)
      const resend = await untilDone(() => findResend(ctx.db, webhookNo, request.params.resend))
      if (resend === undefined) throw new Refusal('resend_not_found')
      return shownResend(resend)
    },
  )
})
