import type { FastifyRequest } from 'fastify'
import { untilDone } from '../../../db/database.ts'
import type { ListedPlayer } from '../../../players/player-lists.ts'
import { listPursesOf } from '../../../players/purses.ts'
import { type PlayerAnswer, shownPlayer, shownPurse } from '../../answers/players.ts'
import { nowOf } from '../../authenticate.ts'

/** Players with what they have in each purse. A token that is bound to a campaign sees the balance of its own only. */
export async function shownWithPurses(
  request: FastifyRequest,
  players: readonly ListedPlayer[],
): Promise<PlayerAnswer[]> {
  if (request.caller?.campaign !== undefined) return players.map(shownPlayer)
  const purses = await untilDone(() => listPursesOf(request.server.ctx.db, players, nowOf(request)))
  return players.map((player) => ({
    ...shownPlayer(player),
    purses: (purses.get(player.playerNo) ?? []).map(shownPurse),
  }))
}
