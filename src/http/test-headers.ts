import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import type { GameTokenType } from '../crypto/game-token.ts'
import { readClaims, timeOfGame } from '../links/game-links.ts'
import { type Clocked, isTest, timeOf } from '../test-clock.ts'

/** Marks an answer of a test merchant, and tells its time. Answers of live merchants stay as they are. */
export function showMode(reply: FastifyReply, merchant: Clocked): void {
  if (isTest(merchant)) mark(reply, timeOf(merchant, reply.server.ctx.now()))
}

/** The same for the game page, also if the token has expired. */
export async function showModeOfGame(
  ctx: Context,
  reply: FastifyReply,
  { token, type }: { token: string; type: GameTokenType },
): Promise<void> {
  const claims = await readClaims(ctx, token, type)
  if (claims?.isTest === true) mark(reply, await timeOfGame(ctx, claims))
}

function mark(reply: FastifyReply, now: Date): void {
  reply.header('Wheelhouse-Mode', 'test').header('Wheelhouse-Time', now.toISOString())
}
