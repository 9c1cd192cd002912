import { freeSpinDefaults, type FreeSpinRule } from '../src/free-spin-rule/free-spin-rule.ts'
import { periodAt } from '../src/free-spins/periods.ts'
import type { Finding } from './evidence.ts'
import { type Call, History, isRetryable, type RequestSpec } from './history.ts'
import { type Campaign, judgeFreeSpins, periodName } from './judge-free-spins.ts'
import { type Opened, openRequest, playRequest, type TestMerchant } from './load.ts'
import { managed, testMerchantOf } from './managed.ts'
import type { FaultContext } from './round.ts'
import { createOtherMerchant } from './test-merchant.ts'

const rule: FreeSpinRule = { ...freeSpinDefaults, every: 'day', bank: 2, streaks: [{ length: 3, spins: 2 }] }
const linkSeconds = 30 * 86_400

/** Players who collect free spins at a merchant of their own, and all answers that they got. */
export class FreeSpinVisitors {
  readonly #ctx: FaultContext
  readonly #merchant: TestMerchant
  readonly #history = new History()
  readonly #collected = new Set<string>()
  readonly #plays = new Map<string, Call['outcome']>()

  private constructor(ctx: FaultContext, merchant: TestMerchant) {
    this.#ctx = ctx
    this.#merchant = merchant
  }

  static async make(ctx: FaultContext, { isTest }: { isTest: boolean }): Promise<FreeSpinVisitors> {
    const live = await createOtherMerchant(ctx.scene, ctx.random)
    const visitors = new FreeSpinVisitors(ctx, isTest ? await testMerchantOf(ctx, live) : live)
    const later = { campaign: 'later', name: 'Later', wheel: 'main', freeSpins: { ...rule, on: 'play' } }
    await visitors.manage('POST', '/campaigns', later)
    await visitors.manage('PATCH', '/campaigns/main', { freeSpins: rule })
    return visitors
  }

  /** A request that must succeed, repeated until there is an answer. */
  async manage(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<void> {
    await managed(this.#ctx, this.#merchant.token, { method, path, body })
  }

  /** A player opens the game and plays once. The play is repeated, with its id, until there is an answer. */
  async visit(playerId: string, campaign: Campaign, url = this.#anyUrl()): Promise<void> {
    const shown = await this.open(playerId, campaign, url)
    if (shown === undefined) return
    const request = playRequest(playerId, shown, this.#ctx.random)
    this.#plays.set(request.key as string, 'unknown')
    let played = await this.#history.send(url, request)
    while (isRetryable(played) && !this.#ctx.isOver()) {
      await this.#ctx.pause(this.#ctx.random.between(20, 200))
      played = await this.#history.send(this.#anyUrl(), request)
    }
    this.#plays.set(request.key as string, played.outcome)
    this.#remember(playerId, campaign, played)
  }

  async open(playerId: string, campaign: Campaign, url: string): Promise<Opened | undefined> {
    const made = await this.#history.send(url, linkRequest(this.#merchant, playerId, campaign))
    if (made.outcome !== 'ok') return undefined
    const opened = await this.#history.send(url, openRequest(playerId, String(made.body.token)))
    this.#remember(playerId, campaign, opened)
    return opened.outcome === 'ok' ? (opened.body as unknown as Opened) : undefined
  }

  /** If nothing can be collected before a time, everything until then was collected. */
  #remember(playerId: string, campaign: Campaign, { outcome, body }: Call): void {
    const free = body.free as { available: number; next: string; streak: { length: number } } | undefined
    if (outcome !== 'ok' || free === undefined || free.available > 0 || free.streak.length === 0) return
    const period = periodAt(rule, 'UTC', new Date(free.next)).number - 1
    this.#collected.add(periodName({ playerId, campaign, period }))
  }

  #anyUrl(): string {
    return this.#ctx.random.pick(this.#ctx.scene.urls)
  }

  async judge({ periodsEach }: { periodsEach?: number } = {}): Promise<Finding[]> {
    await this.#history.close()
    const { scene, log } = this.#ctx
    const told = {
      ...this.#merchant,
      calls: this.#history.calls,
      collected: this.#collected,
      plays: this.#plays,
    }
    return judgeFreeSpins(scene.postgres, told, {
      log,
      ...(periodsEach === undefined ? {} : { periodsEach }),
    })
  }
}

function linkRequest({ token }: TestMerchant, playerId: string, campaign: Campaign): RequestSpec {
  const headers = { authorization: token }
  const request = { kind: 'link', playerId, key: undefined, amount: 0, method: 'POST' } as const
  return {
    ...request,
    path: '/api/v1/links',
    headers,
    payload: { playerId, campaign, expiresIn: linkSeconds },
  }
}
