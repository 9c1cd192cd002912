import type { Context } from '../../context.ts'
import { increaseSpin } from '../../grants/increase-spin.ts'
import { createGameLink } from '../../links/game-links.ts'
import type { Scope } from '../../merchants/scopes.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Trace } from '../../tracing/trace.ts'
import { isIdempotencyKey, isPlayerId, isSpinNumber } from '../answers/shapes.ts'
import { readFields } from './body.ts'
import type { FastResult } from './fast-answers.ts'

export type FastOperation = {
  scope: Scope
  queueOf: (ctx: Context) => { isFullFor: (merchantId: number) => boolean }
  /** Returns undefined for a body or key that the framework must judge. */
  prepare: (body: Buffer, key: string | string[] | undefined) => FastWork | undefined
}

type FastWork = (ctx: Context, token: TokenWithMerchant, trace: Trace | undefined) => Promise<FastResult>

/** The operations of the fast path, by path. */
export const fastOperations = new Map<string, FastOperation>([
  [
    '/api/player/increaseSpin',
    {
      scope: 'spins',
      queueOf: (ctx) => ctx.grants,
      prepare: (bytes, key) => {
        const { playerId, spinNumber } = readFields(bytes)
        if (!isPlayerId(playerId) || !isSpinNumber(spinNumber) || spinNumber < 1) return undefined
        if (key !== undefined && !isIdempotencyKey(key)) return undefined
        return async (ctx, { merchant, campaign }, trace) => {
          const order = { playerId, spinNumber, key, campaign, trace }
          const { spinCount, isRepeat } = await increaseSpin(ctx, merchant, order)
          return { body: { playerId, spinCount }, isRepeat }
        }
      },
    },
  ],
  [
    '/api/game/sso',
    {
      scope: 'links',
      queueOf: (ctx) => ctx.links,
      prepare: (bytes) => {
        const fields = readFields(bytes)
        const { playerId } = fields
        const initialSpin = fields.initialSpin ?? 0
        if (!isPlayerId(playerId) || !isSpinNumber(initialSpin)) return undefined
        return async (ctx, { merchant, campaign }, trace) => {
          const order = { merchant, playerId, initialSpin, campaign, trace }
          const { link, token } = await createGameLink(ctx, order)
          return { body: { link, token }, isRepeat: false }
        }
      },
    },
  ],
])
