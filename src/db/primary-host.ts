import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { databaseDeadlines, otherHostsWaitMs } from '../limits.ts'
import type { DatabaseTarget } from '../settings/database-url.ts'
import { DatabaseFailure } from './database-fault.ts'

/**
 * Which of the hosts in DATABASE_URL takes writes. All are asked at the same time, so that a host that is gone delays
 * nothing. If two take writes, one of them was replaced by the other: a promotion begins a new timeline, so the higher
 * one is right. A host on a lower timeline than one seen before is never used.
 */
export class PrimaryHost {
  readonly #targets: readonly DatabaseTarget[]
  readonly #config: pg.ClientConfig
  #current: DatabaseTarget
  #isInDoubt: boolean
  #newest = { system: '', timeline: 0 }
  #search: Promise<void> | undefined

  /** `config`: the settings of a connection, without the host. */
  constructor(targets: readonly DatabaseTarget[], config: pg.ClientConfig) {
    this.#targets = targets
    this.#config = config
    this.#current = targets[0] as DatabaseTarget
    this.#isInDoubt = targets.length > 1
  }

  /** The host that was found last. */
  get current(): DatabaseTarget {
    return this.#current
  }

  get isInDoubt(): boolean {
    return this.#isInDoubt
  }

  /** After a failed connection. A single host is never in doubt. */
  doubt(): void {
    this.#isInDoubt = this.#targets.length > 1
  }

  /** Asks all hosts. Concurrent callers share one search. */
  async find(): Promise<void> {
    this.#search ??= this.#look().finally(() => (this.#search = undefined))
    await this.#search
  }

  async #look(): Promise<void> {
    const found: Role[] = []
    const problems: string[] = []
    const first = Promise.withResolvers<void>()
    const asked = this.#targets.map(async (target) => {
      try {
        found.push(this.#checked(await askRole(target, this.#config)))
        first.resolve()
      } catch (error) {
        problems.push(`${target.host}:${target.port}: ${(error as Error).message}`)
      }
    })
    const all = Promise.all(asked)
    await Promise.race([all, first.promise.then(() => sleep(otherHostsWaitMs))])
    const [best] = found.toSorted((one, other) => other.timeline - one.timeline)
    if (best === undefined)
      throw new DatabaseFailure(new Error(`No host takes writes: ${problems.join('; ')}`))
    this.#newest = best
    this.#current = best.target
    this.#isInDoubt = false
  }

  #checked(role: Role): Role {
    const { system, timeline } = this.#newest
    if (role.system === system && role.timeline < timeline)
      throw new Error(`it was replaced: its timeline is ${role.timeline}, the newest is ${timeline}`)
    return role
  }
}

/** What a person wants to know about one of several hosts. `isUsed`: it takes writes, and no other has replaced it. */
export type HostState = { name: string; isUsed: boolean; isStandby: boolean; error?: unknown }

/** Asks every host, as the server does. */
export async function askHosts(
  targets: readonly DatabaseTarget[],
  config: pg.ClientConfig,
): Promise<HostState[]> {
  const asked = await Promise.allSettled(targets.map((target) => askRole(target, config)))
  const roles = asked.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  const [used] = roles.toSorted((one, other) => other.timeline - one.timeline)
  return asked.map((one, index) => {
    const { host, port } = targets[index] as DatabaseTarget
    const name = `${host}:${port}`
    if (one.status === 'fulfilled') return { name, isUsed: one.value === used, isStandby: false }
    const isStandby = one.reason instanceof TakesNoWrites
    return { name, isUsed: false, isStandby, error: new DatabaseFailure(one.reason) }
  })
}

/** `system` and `timeline` are empty if this role may not read them. */
type Role = { target: DatabaseTarget; system: string; timeline: number }

/** Throws if the host does not take writes. */
async function askRole(target: DatabaseTarget, config: pg.ClientConfig): Promise<Role> {
  const client = new pg.Client({
    ...config,
    ...target,
    connectionTimeoutMillis: databaseDeadlines.connectMs,
  })
  client.on('error', () => undefined) // The query reports it.
  try {
    await client.connect()
    await refuseStandby(client)
    const { rows } = await client.query<Omit<Role, 'target'>>(readTimeline).catch(() => ({ rows: [] }))
    return { target, system: '', timeline: 0, ...rows[0] }
  } finally {
    void client.end().catch(() => undefined)
  }
}

export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const answer = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (answer.rows[0]?.transaction_read_only === 'on') throw new TakesNoWrites('the server takes no writes')
}

class TakesNoWrites extends Error {}

// The name of a file of the write-ahead log begins with the timeline.
const readTimeline = `
select
  (select system_identifier::text from pg_control_system()) as system,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`
