import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { knownClaims } from '../../links/game-links.ts'
import { playOnce } from '../../plays/game-sessions.ts'
import { PlayBody } from '../answers/shapes.ts'
import type { BareAnswer } from './bare-connections.ts'
import { bodyReader } from './body.ts'
import type { FastAnswers } from './fast-answers.ts'

export const playsPath = '/api/v1/game/plays'

/** A play in the common form. `address` is the client's, as proxies report it. */
type FastPlay = { body: Buffer; address: string; startedAt: number }

/** Handles plays of the fast path. The rules, and refusals of bad input, are those of src/http/game/game-routes.ts. */
export class FastPlays {
  readonly #app: FastifyInstance
  readonly #answers: FastAnswers
  readonly #readBody = bodyReader<Static<typeof PlayBody>>(playsPath, PlayBody)

  constructor(app: FastifyInstance, answers: FastAnswers) {
    this.#app = app
    this.#answers = answers
  }

  /** Whether `handle` can check tokens without waiting. */
  get isReady(): boolean {
    return this.#app.ctx.linkKeys.isFresh
  }

  /** Resolves when it can. */
  async ready(): Promise<void> {
    await this.#app.ctx.linkKeys.live()
  }

  /** Plays, and returns the answer. Returns undefined, at once, if the framework must handle the request. */
  handle({ body, address, startedAt }: FastPlay): BareAnswer | Promise<BareAnswer> | undefined {
    const { ctx, gameRateLimits, isStopping } = this.#app
    const order = this.#readBody(body)
    const claims = order === undefined || isStopping ? undefined : knownClaims(ctx, order.session, 'session')
    if (order === undefined || claims === undefined || claims.isTest === true) return undefined
    if (claims.expiresAt <= ctx.now()) return undefined
    const { byAddress, plays } = gameRateLimits
    const player = `${claims.merchantId}:${claims.playerId}`
    const quota = plays.peek(player)
    if (quota.isOver || byAddress.peek(address).isOver) return undefined
    plays.count(player)
    byAddress.count(address)
    const limits = ['ratelimit-policy', plays.policy, 'ratelimit', plays.describe(quota)]
    const call = { path: playsPath, caller: undefined, traceparent: undefined, startedAt, limits }
    const overload = this.#answers.overload(ctx.plays, claims.merchantId)
    if (overload !== undefined) return this.#answers.refuse(call, overload)
    return this.#answers.run(call, async (trace) => ({
      body: await playOnce(ctx, claims, order, trace),
      isRepeat: false,
    }))
  }
}
