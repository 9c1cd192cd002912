import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { ScenePostgres } from './postgres.ts'

/** Two PostgreSQL servers on loopback addresses of their own, of which one takes writes. */
export class HostPair implements ScenePostgres {
  /** The same on both addresses. */
  readonly port: number
  readonly #hosts: readonly { address: string; logFile: string }[]
  readonly #close: () => Promise<void>

  constructor(
    hosts: readonly { address: string; logFile: string }[],
    at: { port: number; close: () => Promise<void> },
  ) {
    this.#hosts = hosts
    this.port = at.port
    this.#close = at.close
  }

  get url(): string {
    const hosts = this.#hosts.map(({ address }) => `${address}:${this.port}`)
    return `postgresql://wheelhouse:secret@${hosts.join(',')}/wheelhouse`
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Connects to the host that takes writes. */
  async connect(): Promise<pg.Client> {
    const problems: string[] = []
    for (const { address: host } of this.#hosts) {
      const client = new pg.Client({
        host,
        port: this.port,
        user: 'wheelhouse',
        password: 'secret',
        database: 'wheelhouse',
        connectionTimeoutMillis: 5_000,
      })
      client.on('error', () => undefined) // The next query fails with the reason.
      try {
        await client.connect()
        const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
        if (rows[0]?.standby === false) return client
        problems.push(`${host} is a standby`)
      } catch (error) {
        problems.push(`${host}: ${String(error)}`)
      }
      await client.end().catch(() => undefined)
    }
    throw new Error(problems.join('; '))
  }

  /** The logs of both. */
  log(): string {
    const files = this.#hosts.map(({ logFile }) => logFile).filter((file) => existsSync(file))
    return files.map((file) => readFileSync(file, 'utf8')).join('')
  }

  /** The fault itself starts and stops the two, so there is nothing to repair. */
  signal(): void {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async killAll(): Promise<void> {}

  async remove(): Promise<void> {
    await this.#close()
  }
}
