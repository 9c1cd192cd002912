import type { Context } from '../context.ts'
import { readPassKeyId, signFramePass, verifyFramePass } from '../crypto/frame-pass.ts'
import { Refusal } from '../refusals.ts'
import { readClaims } from './game-links.ts'

/**
 * The origins that may show the page in a frame: those of the merchant whose link it is, or, once the page has taken the
 * token out of its address, of the merchant in the pass that it put there. Reads no more than caches do: anybody can GET
 * anything.
 */
export async function embedOriginsOf(
  ctx: Context,
  address: { token?: unknown; frame?: unknown },
): Promise<string[]> {
  try {
    const merchantId = await merchantOf(ctx, address)
    return merchantId === undefined ? [] : (await ctx.wheels.current(merchantId)).embedOrigins
  } catch (error) {
    // Without a database the page still opens, and tells the player.
    if (error instanceof Refusal && error.code === 'database_unavailable') return []
    throw error
  }
}

export async function makeFramePass(ctx: Context, merchantId: number): Promise<string> {
  return signFramePass(merchantId, await ctx.linkKeys.newest())
}

/** A token alone decides: with the pass of another merchant beside it, that one's pages could show this one's game. */
async function merchantOf(
  ctx: Context,
  { token, frame }: { token?: unknown; frame?: unknown },
): Promise<number | undefined> {
  // Also of a link that has expired: the page must be able to say so where it is shown.
  if (token !== undefined)
    return typeof token === 'string' ? (await readClaims(ctx, token, 'game'))?.merchantId : undefined
  if (typeof frame !== 'string') return undefined
  const keyId = readPassKeyId(frame)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  return key === undefined ? undefined : verifyFramePass(frame, key)
}
