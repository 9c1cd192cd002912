import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { findPostmaster } from '../../src/db/embedded/postmaster.ts'

/** The one PostgreSQL that all contestants share, each in a database of its own, with fsync on. */
export class Postgres {
  readonly #embedded: EmbeddedPostgres
  readonly #dataDir: string

  static async start(): Promise<Postgres> {
    const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
    chmodSync(dataDir, 0o711)
    const options = { dataDir, sharingAllowed: false, onTrouble: console.error }
    const first = await EmbeddedPostgres.start(options)
    // Contestants keep their pools open during the turns of others. The setting takes effect at the next start.
    await ask(first.target, 'postgres', 'alter system set max_connections = 500')
    await first.stop()
    return new Postgres(await EmbeddedPostgres.start(options), dataDir)
  }

  private constructor(embedded: EmbeddedPostgres, dataDir: string) {
    this.#embedded = embedded
    this.#dataDir = dataDir
  }

  get socketFolder(): string {
    return this.#embedded.target.host
  }

  /** The postmaster's process id. */
  get pid(): number {
    return findPostmaster(join(this.#embedded.home, 'postgres'))?.pid ?? 0
  }

  async createDatabase(name: string): Promise<DatabaseTarget> {
    await ask(this.#embedded.target, 'postgres', `create database ${name} owner wheelhouse`)
    return this.targetOf(name)
  }

  targetOf(database: string): DatabaseTarget {
    return { ...this.#embedded.target, database }
  }

  /** Runs a query as the superuser, for preparing and checking. The contestants themselves connect as a normal user. */
  async query<Row extends object>(database: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return ask<Row>(this.#embedded.target, database, text, values)
  }

  async stop(): Promise<void> {
    await this.#embedded.stop()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}

async function ask<Row extends object>(
  target: DatabaseTarget,
  database: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ host: target.host, port: target.port, user: 'postgres', database })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The target as a `DATABASE_URL`. */
export function databaseUrl(target: DatabaseTarget): string {
  return `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}`
}
