import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { knownClaims } from '../../links/game-links.ts'
import { playOnce } from '../../plays/game-sessions.ts'
import type { PlayBody } from '../answers/shapes.ts'
import type { BareAnswer } from './bare-connections.ts'
import { readFields } from './body.ts'
import type { FastAnswers } from './fast-answers.ts'

export const playsPath = '/api/v1/game/plays'

/** A play in the common form. `address` is the client's, as proxies report it. */
type FastPlay = { body: Buffer; address: string; startedAt: number }

/** Handles plays of the fast path. The rules, and all refusals of bad input, are those of src/http/game/game-routes.ts. */
export class FastPlays {
  readonly #app: FastifyInstance
  readonly #answers: FastAnswers

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
    const { ctx, gamePace, isStopping } = this.#app
    const order = readPlay(body)
    const claims = order === undefined || isStopping ? undefined : knownClaims(ctx, order.session, 'session')
    if (order === undefined || claims === undefined || claims.isTest === true) return undefined
    if (claims.expiresAt <= ctx.now()) return undefined
    const { byAddress, plays } = gamePace
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

/** Returns undefined for a body that the framework must judge. */
function readPlay(bytes: Buffer): Static<typeof PlayBody> | undefined {
  const fields = readFields(bytes)
  const { session, playId, playerSeed, commitment, versionHash } = fields
  const isCommon =
    Object.keys(fields).length === 5 &&
    typeof session === 'string' &&
    session.length > 0 &&
    session.length <= 4096 &&
    isMatch(playId, uuid) &&
    isMatch(playerSeed, hash) &&
    isMatch(commitment, hash) &&
    isMatch(versionHash, hash)
  return isCommon ? { session, playId, playerSeed, commitment, versionHash } : undefined
}

function isMatch(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hash = /^[0-9a-f]{64}$/
