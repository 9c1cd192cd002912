import type { Static, TSchema } from 'typebox'
import type { Context } from '../../context.ts'
import { increaseSpin } from '../../grants/increase-spin.ts'
import { createGameLink } from '../../links/game-links.ts'
import type { Scope } from '../../merchants/scopes.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Trace } from '../../tracing/trace.ts'
import { GameLinkBody, IdempotencyHeaders, IncreaseSpinBody } from '../answers/shapes.ts'

/**
 * What the route and the fast path share of an operation. Both check a request by its schemas first. `Body` is what a
 * body has, not its schema: comparing the types of two schemas takes the compiler ten seconds.
 */
export type MerchantOperation<Body> = {
  path: string
  scope: Scope
  headers?: typeof IdempotencyHeaders
  body: TSchema
  queueOf: (ctx: Context) => { isFullFor: (merchantId: number) => boolean }
  carryOut: (
    ctx: Context,
    caller: Pick<TokenWithMerchant, 'merchant' | 'campaign'>,
    request: { body: Body; key?: string | undefined; trace: Trace | undefined },
  ) => Promise<{ body: object; isRepeat: boolean }>
}

// Fields are passed on by name: these bodies may have unknown fields, which must not reach the operation.

export const spinIncrease = {
  path: '/api/player/increaseSpin',
  scope: 'spins',
  headers: IdempotencyHeaders,
  body: IncreaseSpinBody,
  queueOf: (ctx) => ctx.grants,
  carryOut: async (ctx, { merchant, campaign }, { body, key, trace }) => {
    const { playerId, spinNumber } = body
    const order = { playerId, spinNumber, key, campaign, trace }
    const { spinCount, isRepeat } = await increaseSpin(ctx, merchant, order)
    return { body: { playerId, spinCount }, isRepeat }
  },
} satisfies MerchantOperation<Static<typeof IncreaseSpinBody>>

export const linkCreation = {
  path: '/api/game/sso',
  scope: 'links',
  body: GameLinkBody,
  queueOf: (ctx) => ctx.links,
  carryOut: async (ctx, { merchant, campaign }, { body, trace }) => {
    const { playerId, initialSpin } = body
    const order = { merchant, playerId, initialSpin: initialSpin ?? 0, campaign, trace }
    const { link, token } = await createGameLink(ctx, order)
    return { body: { link, token }, isRepeat: false }
  },
} satisfies MerchantOperation<Static<typeof GameLinkBody>>
