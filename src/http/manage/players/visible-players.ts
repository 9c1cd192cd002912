import type { FastifyRequest } from 'fastify'
import { untilDone } from '../../../db/database.ts'
import { readPurse } from '../../../players/purses.ts'
import { nowOf } from '../../authenticate.ts'

/**
 * Players as the caller may see them. For a token that is bound to a campaign, these are the players who have, or had,
 * spins in the campaign's purse, and their balance is what they have there. The purse of `main` is that of all players.
 */
export async function visiblePlayers<P extends { shard: number; playerNo: number; balance: number }>(
  request: FastifyRequest,
  players: readonly P[],
): Promise<P[]> {
  const bound = request.caller?.campaign
  if (bound === undefined || bound.purseId === 0) return [...players]
  const order = { purseId: bound.purseId, now: nowOf(request) }
  const balances = await untilDone(() => readPurse(request.server.ctx.db, players, order))
  return players.flatMap((player) => {
    const balance = balances.get(player.playerNo)
    return balance === undefined ? [] : [{ ...player, balance }]
  })
}
