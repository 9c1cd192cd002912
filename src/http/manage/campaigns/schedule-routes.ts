import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { cancelWheel, scheduleWheel } from '../../../campaigns/schedule-wheel.ts'
import { untilDone } from '../../../db/database.ts'
import { closingTimeOfWheel, closingTimes } from '../../../entries/move-closing-time.ts'
import { slugPattern } from '../../../slug.ts'
import {
  cancelPublication,
  findPublication,
  schedulePublication,
} from '../../../wheels/schedule-publication.ts'
import { CampaignAnswer, CampaignId, CampaignSettingsBody, shownCampaign } from '../../answers/campaigns.ts'
import { MomentBody, ScheduledPublicationAnswer, shownPublication } from '../../answers/scheduled.ts'
import { shownWheel, WheelAnswer } from '../../answers/wheels.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { wheelNamed } from '../campaign-of-request.ts'
import { wheelFor } from '../masked-codes.ts'
import { RevisionHeaders, revisionIn } from '../revision.ts'
import { momentIn } from '../query.ts'

const WheelName = Type.Object({ wheel: Type.String({ pattern: slugPattern }) })
const publicationPath = '/api/v1/wheels/:wheel/scheduled-publication'

/** Publications of wheels at a later time. */
export const publicationScheduleRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app

  app.get(
    publicationPath,
    {
      config: { refusals: ['wheel_not_found', 'nothing_scheduled'], boundTokens: 'checked' },
      schema: {
        operationId: 'readScheduledPublication',
        summary: 'Read what is published later',
        description: 'With the frozen document. Of one that failed, with the reasons.',
        params: WheelName,
        response: { 200: ScheduledPublicationAnswer },
      },
    },
    async (request) => {
      const key = await wheelNamed(request, request.params.wheel)
      const { scheduled, document } = await untilDone(() => findPublication(ctx.db, key))
      return { ...shownPublication(scheduled), wheel: key.slug, document: wheelFor(request, document) }
    },
  )

  app.put(
    publicationPath,
    {
      config: { refusals: ['wheel_not_found', 'wheel_not_publishable', 'draft_changed'] },
      schema: {
        operationId: 'schedulePublication',
        summary: 'Publish the draft later',
        description:
          'The draft as it is now is published at `at`; later edits are not in it. It replaces an earlier schedule. It is checked now, and again then: with errors nothing is published, and `wheel.publication_failed` is emitted. With `If-Match`, it is refused if the draft has changed since it was read.',
        params: WheelName,
        headers: RevisionHeaders,
        body: Type.Object({ at: MomentBody }),
        response: { 200: WheelAnswer },
      },
    },
    async (request) => {
      const at = momentIn('at', request.body.at) as Date
      const revision = revisionIn(request.headers)
      const order = { ...keyOf(request, request.params.wheel), at, revision }
      const cause = causeOf(request)
      const wheel = await untilDone(() => schedulePublication(ctx.db, order, cause, closingTimes))
      return shownWheel({ ...wheel, draft: wheelFor(request, wheel.draft) }, nowOf(request))
    },
  )

  app.delete(
    publicationPath,
    {
      config: { refusals: ['wheel_not_found'] },
      schema: {
        operationId: 'cancelScheduledPublication',
        summary: 'Cancel a publication',
        description: 'Also removes the note of one that failed.',
        params: WheelName,
        response: { 200: WheelAnswer },
      },
    },
    async (request) => {
      const cause = causeOf(request)
      const key = keyOf(request, request.params.wheel)
      const wheel = await untilDone(() => cancelPublication(ctx.db, key, cause))
      return shownWheel({ ...wheel, draft: wheelFor(request, wheel.draft) }, nowOf(request))
    },
  )
})

const CampaignName = Type.Object({ campaign: CampaignId })
const wheelPath = '/api/v1/campaigns/:campaign/scheduled-wheel'

/** Other wheels for campaigns at a later time. */
export const wheelScheduleRoutes = managementRoutes({ tag: 'Campaigns' }, async (app) => {
  const { ctx } = app

  app.put(
    wheelPath,
    {
      config: {
        refusals: [
          'campaign_not_found',
          'campaign_archived',
          'wheel_not_found',
          'wheel_not_publishable',
          'entry_reason_needed',
        ],
      },
      schema: {
        operationId: 'scheduleCampaignWheel',
        summary: 'Give a campaign another wheel later',
        description:
          'At `at`, the campaign gets the published version of this wheel. It replaces an earlier schedule. The wheel must be published by then. If it is not, nothing changes, and `campaign.change_failed` is emitted.',
        params: CampaignName,
        body: Type.Object({ wheel: CampaignSettingsBody.properties.wheel, at: MomentBody }),
        response: { 200: CampaignAnswer },
      },
    },
    async (request) => {
      const at = momentIn('at', request.body.at) as Date
      const order = { ...keyOf(request, request.params.campaign), wheel: request.body.wheel, at }
      const cause = causeOf(request)
      const scheduled = await untilDone(() => scheduleWheel(ctx.db, order, cause, closingTimeOfWheel))
      return shownCampaign(scheduled, nowOf(request))
    },
  )

  app.delete(
    wheelPath,
    {
      config: { refusals: ['campaign_not_found'] },
      schema: {
        operationId: 'cancelScheduledCampaignWheel',
        summary: 'Cancel the change to another wheel',
        description: 'Also removes the note of one that failed.',
        params: CampaignName,
        response: { 200: CampaignAnswer },
      },
    },
    async (request) => {
      const order = keyOf(request, request.params.campaign)
      const cause = causeOf(request)
      return shownCampaign(await untilDone(() => cancelWheel(ctx.db, order, cause)), nowOf(request))
    },
  )
})

function keyOf(request: FastifyRequest, slug: string) {
  return { merchantId: callingMerchant(request).merchantId, slug }
}
