import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Rounds } from './rounds.ts'

const leaseMs = 10_000
const leaseRenewMs = 2_000
/** How soon after new events a lease is taken. */
const claimNudgeMs = 100

/** The process that does a piece of work, and for how long no other may. The time is that of the database. */
export type Lease = { owner: string; milliseconds: number }

/** Does one piece of work. `leaseEndsAt` is a time of `performance.now()`, which does not jump with the clock. */
type LeasedServer = {
  run: () => Promise<void>
  /** Begins nothing new. */
  stop: () => void
  /** The lease is lost, or there is no time left. */
  abort: () => Promise<void>
  renewed: (leaseEndsAt: number) => void
}

type Serving<Item, Server> = {
  item: Item
  since: number
  /** Undefined until it is opened. */
  server: Server | undefined
  done: Promise<void>
}

type Options<Item, Server> = {
  log: Logger
  /** What is served, for log lines: "a webhook". */
  name: string
  keyOf: (item: Item) => number
  claim: (lease: Lease) => Promise<Item[]>
  renew: (keys: readonly number[], lease: Lease) => Promise<number[]>
  release: (keys: readonly number[], owner: string) => Promise<void>
  /** Undefined if there is nothing to do any more. */
  open: (item: Item, lease: { owner: string; leaseEndsAt: number }) => Promise<Server | undefined>
}

/**
 * Work that processes share by leases in the database. A lease is taken only if there is something to do, and released
 * soon after there is nothing left, so the load spreads evenly. The lease of a process that was killed expires within
 * seconds.
 */
export class LeasedWork<Item, Server extends LeasedServer> {
  readonly #options: Options<Item, Server>
  readonly #owner = randomUUID()
  readonly #rounds: Rounds
  readonly #toRelease = new Set<number>()
  readonly #serving = new Map<number, Serving<Item, Server>>()
  #isClaimDue = false

  constructor(options: Options<Item, Server>) {
    this.#options = options
    this.#rounds = new Rounds((error) =>
      options.log.warn({ error }, `a recurring task for ${options.name} failed`),
    )
  }

  get owner(): string {
    return this.#owner
  }

  get serving(): ReadonlyMap<number, Serving<Item, Server>> {
    return this.#serving
  }

  get isClosed(): boolean {
    return this.#rounds.isClosed
  }

  start(): void {
    this.#rounds.open()
    this.every(leaseRenewMs, () => this.#renew())
  }

  /** Repeats other work with a pause, until this is closed. */
  every(pauseMs: number, work: () => Promise<void>): void {
    this.#rounds.every(pauseMs, work)
  }

  /** Waits for the work in flight, at most for the given time, and releases every lease. */
  async close(graceMs: number): Promise<void> {
    await this.#rounds.close()
    for (const { server } of this.#serving.values()) server?.stop()
    const graceTimer = setTimeout(() => {
      for (const { server } of this.#serving.values()) void server?.abort()
    }, graceMs)
    await Promise.all([...this.#serving.values()].map(({ done }) => done))
    clearTimeout(graceTimer)
    await this.#release()
  }

  claimSoon(): void {
    if (this.#isClaimDue || this.isClosed) return
    this.#isClaimDue = true
    this.#rounds.later(claimNudgeMs, async () => {
      this.#isClaimDue = false
      await this.claim().catch((error: unknown) =>
        this.#options.log.warn({ error }, `claiming ${this.#options.name} failed`),
      )
    })
  }

  async claim(): Promise<void> {
    if (this.isClosed) return
    const leaseEndsAt = performance.now() + leaseMs
    const items = await this.#options.claim(this.#lease)
    for (const item of items) this.#serve(item, leaseEndsAt)
    if (items.length > 0) this.claimSoon()
  }

  get #lease(): Lease {
    return { owner: this.#owner, milliseconds: leaseMs }
  }

  #serve(item: Item, leaseEndsAt: number): void {
    const { log, name, keyOf } = this.#options
    const key = keyOf(item)
    const done = this.#run(item, leaseEndsAt)
      .catch((error: unknown) => log.error({ error, key }, `serving ${name} failed`))
      .then(async () => {
        this.#serving.delete(key)
        this.#toRelease.add(key)
        return this.#release()
      })
      .then(() => this.claimSoon())
      .catch((error: unknown) => log.warn({ error, key }, `releasing the lease of ${name} failed`))
    this.#serving.set(key, { item, since: performance.now(), server: undefined, done })
  }

  async #run(item: Item, leaseEndsAt: number): Promise<void> {
    const server = await this.#options.open(item, { owner: this.#owner, leaseEndsAt })
    const entry = this.#serving.get(this.#options.keyOf(item))
    if (server === undefined || entry === undefined || this.isClosed) return
    entry.server = server
    await server.run()
  }

  async #renew(): Promise<void> {
    await this.#release()
    if (this.#serving.size === 0) return
    const leaseEndsAt = performance.now() + leaseMs
    const renewed = new Set(await this.#options.renew([...this.#serving.keys()], this.#lease))
    for (const [key, { server }] of this.#serving) {
      if (renewed.has(key)) server?.renewed(leaseEndsAt)
      else await server?.abort()
    }
  }

  async #release(): Promise<void> {
    const keys = [...this.#toRelease].filter((key) => !this.#serving.has(key))
    if (keys.length === 0) return
    await this.#options.release(keys, this.#owner)
    for (const key of keys) this.#toRelease.delete(key)
  }
}
