import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from './seeded-random.ts'
import type { Call, History, RequestSpec } from './history.ts'

/** The merchant of one round, with its API token. */
export type TestMerchant = { merchantId: number; slug: string; token: string }

type LoadOptions = {
  merchant: TestMerchant
  /** The servers' addresses. Each request goes to one of them. */
  urls: readonly string[]
  random: SeededRandom
  history: History
  /** The number of clients of each kind. */
  strength: number
}

const playerCount = 24

/** Clients of all kinds, each repeating its requests until `stop`. */
export class Load {
  readonly #options: LoadOptions
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  #names = 0

  constructor(options: LoadOptions) {
    this.#options = options
    const { strength } = options
    for (let place = 0; place < strength; place++) {
      this.#repeat(() => this.#grant())
      this.#repeat(() => this.#play())
      if (place % 3 === 0) this.#repeat(() => this.#createLinks())
    }
    this.#repeat(() => this.#copies())
    this.#repeat(() => this.#grantToAll())
    this.#repeat(() => this.#readBalance())
  }

  /** Waits for requests in flight. They are not retried. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#loops)
  }

  #repeat(work: () => Promise<void>): void {
    const loop = async () => {
      while (!this.#isStopping) await work()
    }
    this.#loops.push(loop())
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  get #random(): SeededRandom {
    return this.#options.random
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  #name(prefix: string): string {
    return `${prefix}-${this.#names++}`
  }

  #anyPlayer(): string {
    return `player-${this.#random.below(playerCount)}`
  }

  async #send(request: RequestSpec): Promise<Call> {
    return this.#options.history.send(this.#random.pick(this.#options.urls), request)
  }

  /** Like a real client, repeats a request that may succeed later, unchanged, at any server. A few give up early. */
  async #sendWithRetries(request: RequestSpec): Promise<Call> {
    for (;;) {
      const call = await this.#send(request)
      const isRetryable = call.outcome === 'unknown' || call.status === 429 || call.code === 'overloaded'
      if (!isRetryable || this.#isStopping || this.#random.happens(0.05)) return call
      await this.#pause(this.#random.between(50, 400))
    }
  }

  readonly #granted: RequestSpec[] = []

  /** Grants, most with a key. Some repeat an old request, or use an old key with another amount. */
  async #grant(): Promise<void> {
    const old = this.#granted.length > 0 ? this.#random.pick(this.#granted) : undefined
    if (old !== undefined && this.#random.happens(0.1)) await this.#sendWithRetries(old)
    else if (old !== undefined && this.#random.happens(0.05))
      await this.#sendWithRetries(withAmount(old, old.amount + 1))
    else if (this.#random.happens(0.1)) {
      // Without a key, a unique amount identifies the grant in the ledger.
      const amount = 1_000 + this.#names++
      await this.#send(
        grantRequest(this.#options.merchant, { playerId: this.#anyPlayer(), key: undefined, amount }),
      )
    } else {
      const amount = 1 + this.#random.below(3)
      const request = grantRequest(this.#options.merchant, {
        playerId: this.#anyPlayer(),
        key: this.#name('order'),
        amount,
      })
      await this.#sendWithRetries(request)
      this.#granted.push(request)
    }
    await this.#pause(this.#random.between(0, 30))
  }

  /** Fifty copies of one request at once, over all servers. */
  async #copies(): Promise<void> {
    const key = this.#name('copies')
    const request = grantRequest(this.#options.merchant, { playerId: this.#anyPlayer(), key, amount: 2 })
    await Promise.all(Array.from({ length: 50 }, () => this.#send(request)))
    await this.#pause(this.#random.between(500, 1_500))
  }

  /** Grants to all players, at every server at once, in random order, so that batches with the same players compete. */
  async #grantToAll(): Promise<void> {
    const { merchant, urls, history } = this.#options
    const requests = urls.flatMap((url) =>
      shuffled(
        Array.from({ length: playerCount }, (_, place) => place),
        this.#random,
      ).map((place) => ({
        url,
        request: grantRequest(merchant, { playerId: `player-${place}`, key: this.#name('crowd'), amount: 1 }),
      })),
    )
    await Promise.all(requests.map(({ url, request }) => history.send(url, request)))
    await this.#pause(this.#random.between(300, 900))
  }

  /** Several links at once for one player, mostly a new one. Each has initial spins, of which one grant may count. */
  async #createLinks(): Promise<void> {
    const playerId = this.#random.happens(0.7) ? this.#name('newcomer') : this.#anyPlayer()
    const requests = [1, 2, 3].map((amount) => linkRequest(this.#options.merchant, { playerId, amount }))
    await Promise.all(requests.map((request) => this.#sendWithRetries(request)))
    await this.#pause(this.#random.between(50, 300))
  }

  async #readBalance(): Promise<void> {
    const playerId = this.#anyPlayer()
    const path = `/api/v1/players/${playerId}`
    const headers = { authorization: this.#options.merchant.token }
    await this.#send({ kind: 'read', playerId, key: undefined, amount: 0, method: 'GET', path, headers })
    await this.#pause(this.#random.between(20, 60))
  }

  /** A visit: a link, a session, a few plays, and the prizes won are claimed or redeemed. */
  async #play(): Promise<void> {
    const playerId = this.#anyPlayer()
    const link = await this.#sendWithRetries(linkRequest(this.#options.merchant, { playerId, amount: 3 }))
    if (link.outcome !== 'ok') return this.#pause(100)
    for (let round = 0; round < 4 && !this.#isStopping; round++) {
      const opened = await this.#sendWithRetries(openRequest(playerId, String(link.body.token)))
      if (opened.outcome !== 'ok') return this.#pause(100)
      let shown = opened.body as unknown as Opened
      opened.body = {} // It is large, and the judge does not need it.
      for (let spins = 0; spins < 3 && !this.#isStopping; spins++) {
        const request = playRequest(playerId, shown, this.#random)
        const played = this.#random.happens(0.1)
          ? await this.#playTwice(request)
          : await this.#sendWithRetries(request)
        if (played.outcome !== 'ok') break
        const answer = played.body as unknown as Played
        if (answer.play.won && answer.play.prize.spins === null)
          await this.#settlePrize(playerId, request.key as string)
        shown = { ...shown, next: answer.next }
        await this.#pause(this.#random.between(0, 40))
      }
    }
  }

  /** Sends the same play twice at once, to random servers. */
  async #playTwice(request: RequestSpec): Promise<Call> {
    const [first, second] = await Promise.all([
      this.#sendWithRetries(request),
      this.#sendWithRetries(request),
    ])
    return first.outcome === 'ok' ? first : second
  }

  /** Claims and redeems a prize. Sometimes two tills redeem it at once, each with a receipt of its own. */
  async #settlePrize(playerId: string, playId: string): Promise<void> {
    const settle = (kind: 'claim' | 'redemption', key: string) =>
      this.#sendWithRetries(settleRequest(this.#options.merchant, { kind, playerId, playId, key }))
    if (this.#random.happens(0.5)) await settle('claim', this.#name('claim'))
    if (this.#random.happens(0.3)) return
    const tills = this.#random.happens(0.3) ? 2 : 1
    await Promise.all(Array.from({ length: tills }, () => settle('redemption', this.#name('receipt'))))
  }
}

export type Opened = { session: string; wheel: { hash: string }; next: { commitment: string } }
type Played = {
  play: { won: boolean; prize: { spins: number | null } }
  next: { playNumber: number; commitment: string }
}

function grantRequest(merchant: TestMerchant, asked: Pick<Call, 'playerId' | 'key' | 'amount'>): RequestSpec {
  const { playerId, key, amount } = asked
  return {
    kind: 'grant',
    ...asked,
    method: 'POST',
    path: '/api/player/increaseSpin',
    headers: { authorization: merchant.token, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { playerId, spinNumber: amount },
  }
}

function withAmount(request: RequestSpec, amount: number): RequestSpec {
  return { ...request, amount, payload: { ...request.payload, spinNumber: amount } }
}

function linkRequest(merchant: TestMerchant, asked: Pick<Call, 'playerId' | 'amount'>): RequestSpec {
  const { playerId, amount } = asked
  return {
    kind: 'link',
    ...asked,
    key: undefined,
    method: 'POST',
    path: '/api/game/sso',
    headers: { authorization: merchant.token },
    payload: { playerId, initialSpin: amount },
  }
}

export function openRequest(playerId: string, token: string): RequestSpec {
  return {
    kind: 'open',
    playerId,
    key: undefined,
    amount: 0,
    method: 'POST',
    path: '/api/v1/game/session',
    headers: { 'x-forwarded-for': addressOf(playerId) },
    payload: { token },
  }
}

export function playRequest(playerId: string, shown: Opened, random: SeededRandom): RequestSpec {
  const playId = random.uuid()
  return {
    kind: 'play',
    playerId,
    key: playId,
    amount: -1,
    method: 'POST',
    path: '/api/v1/game/plays',
    headers: { 'x-forwarded-for': addressOf(playerId) },
    payload: {
      session: shown.session,
      playId,
      playerSeed: random.hex(32),
      commitment: shown.next.commitment,
      versionHash: shown.wheel.hash,
    },
  }
}

function settleRequest(
  merchant: TestMerchant,
  asked: { kind: 'claim' | 'redemption'; playerId: string; playId: string; key: string },
): RequestSpec {
  return {
    ...asked,
    amount: 0,
    method: 'PUT',
    path: `/api/v1/prizes/${asked.playId}/${asked.kind}`,
    headers: { authorization: merchant.token, 'idempotency-key': asked.key },
    payload: {},
  }
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** An address per player, so that the limit per address is not reached. */
function addressOf(playerId: string): string {
  const number = Buffer.from(playerId).reduce((sum, byte) => (sum * 31 + byte) % 65_536, 7)
  return `10.0.${number >> 8}.${number & 255}`
}
