import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { Call, History, Order } from './history.ts'

/** A merchant of the round's own, with what its server would know. */
export type Shop = { merchantId: number; slug: string; token: string }

export type LoadOptions = {
  shop: Shop
  /** Where requests go, each to one of them. */
  urls: readonly string[]
  chance: Chance
  history: History
  /** How many of each sort are at work. */
  strength: number
}

const playerCount = 24

/** What callers do all day, until they are told to stop. Every one of them goes by its own order of chance. */
export class Load {
  readonly #options: LoadOptions
  readonly #stopping = new AbortController()
  readonly #actors: Promise<void>[] = []
  #names = 0

  constructor(options: LoadOptions) {
    this.#options = options
    const { strength } = options
    for (let place = 0; place < strength; place++) {
      this.#act(() => this.#grant())
      this.#act(() => this.#play())
      if (place % 3 === 0) this.#act(() => this.#welcome())
    }
    this.#act(() => this.#copies())
    this.#act(() => this.#crowd())
    this.#act(() => this.#look())
  }

  /** What is under way is waited for; nobody asks again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#actors)
  }

  #act(work: () => Promise<void>): void {
    const forever = async () => {
      while (!this.#isStopping) await work()
    }
    this.#actors.push(forever())
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  get #chance(): Chance {
    return this.#options.chance
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  #name(prefix: string): string {
    return `${prefix}-${this.#names++}`
  }

  #somebody(): string {
    return `player-${this.#chance.below(playerCount)}`
  }

  async #send(order: Order): Promise<Call> {
    return this.#options.history.send(this.#chance.pick(this.#options.urls), order)
  }

  /** As a caller does: what may succeed later is sent again, unchanged, to whichever server. Some give up at once. */
  async #ask(order: Order): Promise<Call> {
    for (;;) {
      const call = await this.#send(order)
      const isOpen = call.outcome === 'unknown' || call.status === 429 || call.code === 'overloaded'
      if (!isOpen || this.#isStopping || this.#chance.happens(0.05)) return call
      await this.#pause(this.#chance.between(50, 400))
    }
  }

  readonly #granted: Order[] = []

  /** Grants, most with a key; now and then an old one again, or an old key with another number. */
  async #grant(): Promise<void> {
    const old = this.#granted.length > 0 ? this.#chance.pick(this.#granted) : undefined
    if (old !== undefined && this.#chance.happens(0.1)) await this.#ask(old)
    else if (old !== undefined && this.#chance.happens(0.05)) await this.#ask(withAmount(old, old.amount + 1))
    else if (this.#chance.happens(0.1)) {
      // Without a key, a number that nobody else asks for tells which one it was.
      const amount = 1_000 + this.#names++
      await this.#send(grantOrder(this.#options.shop, { playerId: this.#somebody(), key: undefined, amount }))
    } else {
      const amount = 1 + this.#chance.below(3)
      const order = grantOrder(this.#options.shop, {
        playerId: this.#somebody(),
        key: this.#name('order'),
        amount,
      })
      await this.#ask(order)
      this.#granted.push(order)
    }
    await this.#pause(this.#chance.between(0, 30))
  }

  /** Fifty copies of one order at once, over all servers. */
  async #copies(): Promise<void> {
    const key = this.#name('copies')
    const order = grantOrder(this.#options.shop, { playerId: this.#somebody(), key, amount: 2 })
    await Promise.all(Array.from({ length: 50 }, () => this.#send(order)))
    await this.#pause(this.#chance.between(500, 1_500))
  }

  /** Something for everybody, at every server at once and in no order: batches with the same players meet. */
  async #crowd(): Promise<void> {
    const { shop, urls, history } = this.#options
    const orders = urls.flatMap((url) =>
      shuffled(
        Array.from({ length: playerCount }, (_, place) => place),
        this.#chance,
      ).map((place) => ({
        url,
        order: grantOrder(shop, { playerId: `player-${place}`, key: this.#name('crowd'), amount: 1 }),
      })),
    )
    await Promise.all(orders.map(({ url, order }) => history.send(url, order)))
    await this.#pause(this.#chance.between(300, 900))
  }

  /** Newcomers: several links at once, each with spins to begin with, of which one counts. */
  async #welcome(): Promise<void> {
    const playerId = this.#chance.happens(0.7) ? this.#name('newcomer') : this.#somebody()
    const orders = [1, 2, 3].map((amount) => linkOrder(this.#options.shop, { playerId, amount }))
    await Promise.all(orders.map((order) => this.#ask(order)))
    await this.#pause(this.#chance.between(50, 300))
  }

  async #look(): Promise<void> {
    const playerId = this.#somebody()
    const path = `/api/v1/players/${playerId}`
    const headers = { authorization: this.#options.shop.token }
    await this.#send({ kind: 'look', playerId, key: undefined, amount: 0, method: 'GET', path, headers })
    await this.#pause(this.#chance.between(20, 60))
  }

  /** A visit: link, session, a few plays, and what was won is fetched. */
  async #play(): Promise<void> {
    const playerId = this.#somebody()
    const link = await this.#ask(linkOrder(this.#options.shop, { playerId, amount: 3 }))
    if (link.outcome !== 'ok') return this.#pause(100)
    for (let round = 0; round < 4 && !this.#isStopping; round++) {
      const opened = await this.#ask(openOrder(playerId, String(link.body.token)))
      if (opened.outcome !== 'ok') return this.#pause(100)
      let shown = opened.body as unknown as Opened
      opened.body = {} // Large, and nothing in it has to be judged.
      for (let spins = 0; spins < 3 && !this.#isStopping; spins++) {
        const order = playOrder(playerId, shown, this.#chance)
        const played = this.#chance.happens(0.1) ? await this.#playTwice(order) : await this.#ask(order)
        if (played.outcome !== 'ok') break
        const answer = played.body as unknown as Played
        if (answer.play.won && answer.play.prize.spins === null)
          await this.#fetch(playerId, order.key as string)
        shown = { ...shown, next: answer.next }
        await this.#pause(this.#chance.between(0, 40))
      }
    }
  }

  /** The same play to two servers at the same moment. */
  async #playTwice(order: Order): Promise<Call> {
    const [first, second] = await Promise.all([this.#ask(order), this.#ask(order)])
    return first.outcome === 'ok' ? first : second
  }

  /** Somebody comes for a prize, now and then two at once, each with a receipt of their own. */
  async #fetch(playerId: string, playId: string): Promise<void> {
    const settle = (kind: 'claim' | 'redemption', key: string) =>
      this.#ask(settleOrder(this.#options.shop, { kind, playerId, playId, key }))
    if (this.#chance.happens(0.5)) await settle('claim', this.#name('claim'))
    if (this.#chance.happens(0.3)) return
    const tills = this.#chance.happens(0.3) ? 2 : 1
    await Promise.all(Array.from({ length: tills }, () => settle('redemption', this.#name('receipt'))))
  }
}

type Opened = { session: string; wheel: { hash: string }; next: { commitment: string } }
type Played = {
  play: { won: boolean; prize: { spins: number | null } }
  next: { playNumber: number; commitment: string }
}

export function grantOrder(shop: Shop, asked: Pick<Call, 'playerId' | 'key' | 'amount'>): Order {
  const { playerId, key, amount } = asked
  return {
    kind: 'grant',
    ...asked,
    method: 'POST',
    path: '/api/player/increaseSpin',
    headers: { authorization: shop.token, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { playerId, spinNumber: amount },
  }
}

function withAmount(order: Order, amount: number): Order {
  return { ...order, amount, payload: { ...order.payload, spinNumber: amount } }
}

function linkOrder(shop: Shop, asked: Pick<Call, 'playerId' | 'amount'>): Order {
  const { playerId, amount } = asked
  return {
    kind: 'link',
    ...asked,
    key: undefined,
    method: 'POST',
    path: '/api/game/sso',
    headers: { authorization: shop.token },
    payload: { playerId, initialSpin: amount },
  }
}

function openOrder(playerId: string, token: string): Order {
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

function playOrder(playerId: string, shown: Opened, chance: Chance): Order {
  const playId = chance.uuid()
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
      playerSeed: chance.hex(32),
      commitment: shown.next.commitment,
      versionHash: shown.wheel.hash,
    },
  }
}

function settleOrder(
  shop: Shop,
  asked: { kind: 'claim' | 'redemption'; playerId: string; playId: string; key: string },
): Order {
  return {
    ...asked,
    amount: 0,
    method: 'PUT',
    path: `/api/v1/prizes/${asked.playId}/${asked.kind}`,
    headers: { authorization: shop.token, 'idempotency-key': asked.key },
    payload: {},
  }
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Each player comes from an address of its own. */
function addressOf(playerId: string): string {
  const number = Buffer.from(playerId).reduce((sum, byte) => (sum * 31 + byte) % 65_536, 7)
  return `10.0.${number >> 8}.${number & 255}`
}
