import type { Context } from '../context.ts'
import { readPassKeyId, signFramePass, verifyFramePass } from '../crypto/frame-pass.ts'
import { Refusal } from '../refusals.ts'
import { isSlug } from '../slug.ts'
import { readClaims } from './game-links.ts'

/**
 * The origins that may show the page in a frame: those of the link's merchant, or, once the page has removed the token
 * from its address, those of the merchant in the frame pass. It reads only cached data, because anyone can send this
 * request.
 */
export async function embedOriginsOf(
  ctx: Context,
  address: { token?: unknown; frame?: unknown },
): Promise<string[]> {
  return originsOf(ctx, () => merchantOf(ctx, address))
}

async function merchantOfToken(ctx: Context, token: string): Promise<number | undefined> {
  const claims = (await readClaims(ctx, token, 'game')) ?? (await readClaims(ctx, token, 'wallet'))
  return claims?.merchantId
}

/** The same for the page of visitors, whose address names the merchant. */
export async function embedOriginsOfMerchant(ctx: Context, slug: string): Promise<string[]> {
  return originsOf(ctx, async () => (isSlug(slug) ? ctx.wheels.merchantId(slug) : undefined))
}

async function originsOf(ctx: Context, find: () => Promise<number | undefined>): Promise<string[]> {
  try {
    const merchantId = await find()
    return merchantId === undefined ? [] : (await ctx.wheels.current(merchantId)).embedOrigins
  } catch (error) {
    // Without a database the page still opens and says so to the player.
    if (error instanceof Refusal && error.code === 'database_unavailable') return []
    throw error
  }
}

export async function makeFramePass(ctx: Context, merchantId: number): Promise<string> {
  return signFramePass(merchantId, await ctx.linkKeys.newest())
}

/** With a token, the pass is ignored: with another merchant's pass, that merchant's pages could show this game. */
async function merchantOf(
  ctx: Context,
  { token, frame }: { token?: unknown; frame?: unknown },
): Promise<number | undefined> {
  // An expired link counts too: the page must be able to say so inside the frame.
  if (token !== undefined) return typeof token === 'string' ? await merchantOfToken(ctx, token) : undefined
  if (typeof frame !== 'string') return undefined
  const keyId = readPassKeyId(frame)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  return key === undefined ? undefined : verifyFramePass(frame, key)
}
