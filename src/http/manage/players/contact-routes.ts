import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { readAddress } from '../../../entries/address.ts'
import { type Contact, readContact, removeContact, setContact } from '../../../messages/contacts.ts'
import { Refusal } from '../../../refusals.ts'
import { ContactAnswer, ContactBody } from '../../answers/messages.ts'
import { PlayerName } from '../../answers/players.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { wrongQuery } from '../query.ts'
import { playerOf } from './player-routes.ts'

/** Between the clock of a merchant's server and ours. */
const clockDifferenceMs = 5 * 60_000

/** Where the messages of a player go, as its merchant knows. */
export const contactRoutes = managementRoutes({ tag: 'Players', read: ['manage'] }, async (app) => {
  const { ctx } = app
  const url = '/api/v1/players/:playerId/contact'

  app.get(
    url,
    {
      config: { refusals: ['player_not_found', 'contact_not_found'], reads: 'personal data' },
      schema: {
        operationId: 'readContact',
        summary: "Read a player's contact",
        params: PlayerName,
        response: { 200: ContactAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const player = await playerOf(request, request.params.playerId)
      const contact = await untilDone(() => readContact(ctx.db, { ...player, merchantId }))
      if (contact === undefined) throw new Refusal('contact_not_found')
      return shownContact(contact)
    },
  )

  app.put(
    url,
    {
      config: { refusals: ['player_not_found'] },
      schema: {
        operationId: 'setContact',
        summary: "Set a player's contact",
        description:
          'Messages about prizes go to this address instead of the one of an entry. It is stored encrypted, is in the export of personal data, and is erased with the player.',
        params: PlayerName,
        body: ContactBody,
        response: { 200: ContactAnswer },
      },
    },
    async (request) => {
      const { email, language = null, agreedToMarketingAt = null } = request.body
      if (readAddress(email) === undefined) throw wrongQuery('email', 'is not an e-mail address')
      // Nobody could unsubscribe from a consent of tomorrow.
      if (Date.parse(agreedToMarketingAt ?? '') > nowOf(request).getTime() + clockDifferenceMs)
        throw wrongQuery('agreedToMarketingAt', 'is in the future')
      const { merchantId } = callingMerchant(request)
      const player = await playerOf(request, request.params.playerId)
      const contact = { email, language, agreedToMarketingAt }
      return shownContact(await setContact(ctx.db, { ...player, merchantId }, contact, causeOf(request)))
    },
  )

  app.delete(
    url,
    {
      config: { refusals: ['player_not_found'] },
      schema: {
        operationId: 'removeContact',
        summary: "Remove a player's contact",
        params: PlayerName,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const player = await playerOf(request, request.params.playerId)
      await removeContact(ctx.db, { ...player, merchantId }, causeOf(request))
      return {}
    },
  )
})

function shownContact({ email, language, agreedToMarketingAt, setAt }: Contact) {
  return { email, language, agreedToMarketingAt: agreedToMarketingAt ?? null, setAt }
}
