import { Type } from 'typebox'
import { withdrawConsents } from '../../../entries/withdraw-consents.ts'
import { Refusal } from '../../../refusals.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { ConsentsAnswer, shownConsent } from '../../answers/entry-list.ts'
import { FieldId } from '../../answers/entry-settings.ts'
import { PlayerName } from '../../answers/players.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignNamed } from '../campaign-of-request.ts'

/** What visitors agreed to. */
export const consentRoutes = managementRoutes({ tag: 'Players' }, async (app) => {
  const { ctx } = app

  app.put(
    '/api/v1/players/:playerId/consents/withdrawal',
    {
      config: { refusals: ['player_not_found', 'campaign_not_found'] },
      schema: {
        operationId: 'withdrawConsents',
        summary: 'Withdraw consents of a visitor',
        description:
          'For somebody who wants no more mail, for example. What was withdrawn stays as a proof, with its time, for `consentYears` of the campaign. A visitor who ticks the box again gives a new consent. The answer has all consents of the visitor.',
        params: PlayerName,
        body: Type.Object({
          campaign: Type.Optional({ ...CampaignId, description: 'Only those of this campaign.' }),
          field: Type.Optional({ ...FieldId, description: 'Only that of this field.', examples: ['news'] }),
        }),
        response: { 200: ConsentsAnswer },
      },
    },
    async (request) => {
      const { campaign, field } = request.body
      const campaignId =
        campaign === undefined ? undefined : (await campaignNamed(request, campaign)).campaignId
      const { merchantId } = callingMerchant(request)
      const order = { merchantId, ...request.params, campaignId, field }
      const consents = await withdrawConsents(ctx.db, order, causeOf(request))
      if (consents === undefined) throw new Refusal('player_not_found')
      return { consents: consents.map(shownConsent) }
    },
  )
})
