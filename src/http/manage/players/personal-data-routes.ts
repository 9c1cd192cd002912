import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import { eraseVisitor } from '../../../entries/erase-visitor.ts'
import { removeFromLists } from '../../../links/link-lists.ts'
import { listEntriesOf } from '../../../entries/list-entries.ts'
import { exportPageSize } from '../../../limits.ts'
import { erasePlayer } from '../../../players/erase-player.ts'
import { listMailsOfPlayer } from '../../../mails/mail-lists.ts'
import { dropWaitingMails } from '../../../mails/mail-rows.ts'
import { readContact } from '../../../messages/contacts.ts'
import { forgetSuppressedPlayer } from '../../../messages/suppressions.ts'
import { listFreeSpinStates } from '../../../players/free-spin-rows.ts'
import { readEntriesAfter } from '../../../players/player-lists.ts'
import type { Player } from '../../../players/players.ts'
import { listLots } from '../../../players/lot-rows.ts'
import { listPurses } from '../../../players/purses.ts'
import { Refusal } from '../../../refusals.ts'
import { mayErasePlayers } from '../../../staff/roles.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { roleMissing } from '../../console/staff-session.ts'
import { managementRoutes } from '../../route-groups.ts'
import { playerOf } from './player-routes.ts'
import { ndjsonOf } from '../exports/csv-and-ndjson.ts'
import { ownPlays, ownPrizes } from '../exports/export-rows.ts'
import { recordExport } from '../exports/record-export.ts'
import { shownVisitor } from '../../answers/entry-list.ts'
import {
  ErasureAnswer,
  PlayerName,
  shownEntry,
  shownLot,
  shownPlayer,
  shownPurse,
} from '../../answers/players.ts'
import { shownMessage } from '../../answers/messages.ts'
import { shownPlay } from '../../answers/plays.ts'
import { shownPrize } from '../../answers/prizes.ts'

/** The rights of a person by law: a copy of all data, and erasure. */
export const personalDataRoutes = managementRoutes({ tag: 'Players', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/players/:playerId/personal-data',
    {
      config: { refusals: ['player_not_found'], reads: 'personal data' },
      schema: {
        params: PlayerName,
        operationId: 'exportPersonalData',
        summary: 'Export all data of a player',
        description:
          'One JSON object per line: the player with its spins in every purse, those that expire, and its streaks of free spins; then its contact, its messages without their texts, and its entries as a visitor, with answers and consents; then its ledger, plays and prizes.',
        response: {
          200: {
            description: 'The lines.',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { playerId } = request.params
      const { merchantId } = callingMerchant(request)
      const player = { ...(await playerOf(request, playerId)), merchantId }
      await recordExport(request, { list: 'personal-data', query: { playerId } })
      return reply
        .type('application/x-ndjson')
        .send(ndjsonOf(knownOf({ ...ctx, now: () => nowOf(request) }, player)) as never)
    },
  )

  app.delete(
    '/api/v1/players/:playerId/personal-data',
    {
      config: { refusals: ['player_not_found'] },
      schema: {
        params: PlayerName,
        operationId: 'erasePersonalData',
        summary: "Erase a player's personal data",
        description:
          'Replaces the id with a random pseudonym, permanently. The player is blocked, and its links stop working. Balance, entries, plays and prizes stay under the pseudonym, so that all sums stay correct. A background job replaces the id in the event log too, and in events that wait to be sent. Events that were already sent cannot be recalled. A keyed hash of the id stays, so that a new player with the id gets no initial spins and no free spins again. What a visitor typed is deleted; a keyed hash of the address stays, so that nobody mails the person again. Messages that wait are not sent. Of the staff, only owners and editors can erase.',
        response: { 200: ErasureAnswer },
      },
    },
    async (request) => {
      if (request.staff !== undefined && !mayErasePlayers(request.staff.role))
        throw roleMissing(request.staff.role)
      const name = { merchantId: callingMerchant(request).merchantId, ...request.params }
      const pseudonym = await erasePlayer(ctx.db, name, causeOf(request), async (tx, player) => {
        await eraseVisitor(tx, player)
        await removeFromLists(tx, player)
        await dropWaitingMails(tx, player, nowOf(request))
        await forgetSuppressedPlayer(tx, player)
      })
      if (pseudonym === undefined) throw new Refusal('player_not_found')
      return { pseudonym }
    },
  )
})

async function* knownOf(ctx: Context, player: Player & { merchantId: number }): AsyncGenerator<object> {
  const now = ctx.now()
  const [purses, lots, freeSpins] = await untilDone(() =>
    Promise.all([
      listPurses(ctx.db, player, now),
      listLots(ctx.db, player, now),
      listFreeSpinStates(ctx.db, player),
    ]),
  )
  const spins = { purses: purses.map(shownPurse), lots: lots.map(shownLot), freeSpins }
  yield { player: { ...shownPlayer(player), ...spins } }
  const contact = await untilDone(() => readContact(ctx.db, player))
  if (contact !== undefined) yield { contact }
  for (const mail of await untilDone(() => listMailsOfPlayer(ctx.db, player)))
    yield { message: shownMessage(mail) }
  const visits = await untilDone(() => listEntriesOf(ctx.db, player))
  for (const visit of visits) yield { visitorEntry: shownVisitor(visit) }
  for (let after = 0; ;) {
    const page = [{ ...player, after }]
    const entries = await untilDone(() => readEntriesAfter(ctx.db, page, exportPageSize))
    for (const entry of entries) yield { entry: shownEntry(entry) }
    if (entries.length < exportPageSize) break
    after = entries.at(-1)?.entryNo ?? after
  }
  for await (const plays of ownPlays(ctx, player))
    for (const play of plays) yield { play: await shownPlay(ctx, play) }
  for await (const prizes of ownPrizes(ctx, player))
    for (const prize of prizes) {
      // Why a prize was held would tell a player how fraud is found.
      const { heldBecause: _heldBecause, ...shown } = shownPrize(prize)
      yield { prize: shown }
    }
}
