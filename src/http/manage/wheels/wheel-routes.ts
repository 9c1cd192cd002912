import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { closingTimeOfMain, closingTimes } from '../../../entries/move-closing-time.ts'
import { wheelBytesMax } from '../../../limits.ts'
import { readStocks } from '../../../stock/prize-stocks.ts'
import { slugPattern } from '../../../slug.ts'
import { listWheels, publishWheel, saveDraft, setPause } from '../../../wheels/wheels.ts'
import type { Wheel } from '../../../wheel-document/wheel-types.ts'
import { listVersions } from '../../../wheels/wheel-versions.ts'
import { setWheelOfLinks } from '../../../merchants/wheel-of-links.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { boundCampaign, wheelNamed } from '../campaign-of-request.ts'
import { wheelFor } from '../masked-codes.ts'
import { byId, cursorAfter, lastOfFullPage, picked, readWholePage, wholeListQuery } from '../paging.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'
import { PublicationAnswer, shownStock, shownVersion, VersionsAnswer } from '../../answers/versions.ts'
import { DocumentRef } from '../../answers/wheel-document.ts'
import { shownWheel, WheelAnswer, WheelsAnswer, WheelSummary } from '../../answers/wheels.ts'

const WheelName = Type.Object({ wheel: Type.String({ pattern: slugPattern }) })

/** Wheels, for a merchant's own systems. */
export const wheelRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/wheels',
    {
      config: { boundTokens: 'filtered' },
      schema: {
        operationId: 'listWheels',
        summary: 'List wheels',
        querystring: Type.Object(wholeListQuery),
        response: { 200: WheelsAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readWholePage(request.query, byId)
      const bound = await boundCampaign(request)
      const page = { after: start[0], limit, only: bound?.wheelId ?? null }
      const wheels = await untilDone(() => listWheels(ctx.db, merchantId, page))
      return {
        wheels: picked(
          wheels.map((wheel) => shownWheel(wheel, nowOf(request))),
          request.query,
          WheelSummary,
        ),
        next: cursorAfter(lastOfFullPage(wheels, limit), ({ slug }) => [slug]),
      }
    },
  )

  app.get(
    '/api/v1/wheels/:wheel',
    {
      config: { refusals: ['wheel_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readWheel',
        summary: 'Read a wheel',
        params: WheelName,
        response: { 200: WheelAnswer },
      },
    },
    async (request, reply) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      return tagged(reply, { ...wheel, draft: wheelFor(request, wheel.draft) })
    },
  )

  app.put(
    '/api/v1/wheels/:wheel',
    {
      bodyLimit: wheelBytesMax,
      config: { refusals: ['draft_changed', 'merchant_limit_reached'] },
      schema: {
        operationId: 'saveWheel',
        summary: 'Save the draft of a wheel',
        description:
          'Creates the wheel if it is new. Players see nothing of it until it is published. With `If-Match`, the save is refused if the draft has changed since it was read.',
        params: WheelName,
        headers: RevisionHeaders,
        body: DocumentRef,
        response: { 200: WheelAnswer },
      },
    },
    async (request, reply) => {
      const order = {
        merchantId: callingMerchant(request).merchantId,
        slug: request.params.wheel,
        draft: request.body,
        revision: revisionIn(request.headers),
        now: nowOf(request),
      }
      // Not retried: the repeat of a save that succeeded would find the draft changed.
      return tagged(reply, await saveDraft(ctx.db, order, causeOf(request)))
    },
  )

  app.post(
    '/api/v1/wheels/:wheel/publication',
    {
      config: { refusals: ['wheel_not_found', 'wheel_not_publishable', 'draft_changed'] },
      schema: {
        operationId: 'publishWheel',
        summary: 'Publish the draft',
        description:
          'The draft becomes the version that players play from now on. A wheel with errors is refused. With `If-Match`, it is refused if the draft has changed since it was read.',
        params: WheelName,
        headers: RevisionHeaders,
        response: { 200: PublicationAnswer },
      },
    },
    async (request) => {
      const order = {
        merchantId: callingMerchant(request).merchantId,
        slug: request.params.wheel,
        revision: revisionIn(request.headers),
        now: nowOf(request),
      }
      // Not retried: a second version would be harmless, but confusing.
      const { version, sha256 } = await publishWheel(ctx.db, order, causeOf(request), closingTimes)
      return { version, hash: sha256 }
    },
  )

  for (const [method, verb] of [
    ['PUT', 'pause'],
    ['DELETE', 'resume'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/wheels/:wheel/pause',
      config: { refusals: ['wheel_not_found'] },
      schema: {
        operationId: `${verb}Wheel`,
        summary: verb === 'pause' ? 'Pause a wheel' : 'Resume a wheel',
        params: WheelName,
        response: { 200: WheelAnswer },
      },
      handler: async (request) => {
        const order = {
          merchantId: callingMerchant(request).merchantId,
          slug: request.params.wheel,
          isPaused: verb === 'pause',
          now: nowOf(request),
        }
        const cause = causeOf(request)
        return shownWheel(await untilDone(() => setPause(ctx.db, order, cause)), nowOf(request))
      },
    })
  }

  app.put(
    '/api/v1/wheels/:wheel/links',
    {
      config: { refusals: ['wheel_not_found', 'wheel_not_publishable', 'entry_reason_needed'] },
      schema: {
        operationId: 'openWheelByLinks',
        summary: 'Let game links open this wheel',
        params: WheelName,
        response: { 200: WheelAnswer },
      },
    },
    async (request) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      const cause = causeOf(request)
      await untilDone(() => setWheelOfLinks(ctx.db, wheel, cause, closingTimeOfMain(wheel, cause)))
      return shownWheel({ ...wheel, isOpenedByLinks: true }, nowOf(request))
    },
  )

  app.get(
    '/api/v1/wheels/:wheel/versions',
    {
      config: { refusals: ['wheel_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'listWheelVersions',
        summary: 'List the published versions and the prizes given out',
        params: WheelName,
        response: { 200: VersionsAnswer },
      },
    },
    async (request) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      const [versions, stocks] = await untilDone(() =>
        Promise.all([listVersions(ctx.db, wheel.wheelId), readStocks(ctx.db, wheel)]),
      )
      return {
        versions: versions.map(shownVersion),
        stocks: stocks.map(shownStock),
      }
    },
  )
})

function tagged(reply: FastifyReply, wheel: Wheel): WheelAnswer {
  reply.header('ETag', `"${wheel.draftRevision}"`)
  return shownWheel(wheel, nowOf(reply.request))
}
