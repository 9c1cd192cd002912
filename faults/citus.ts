import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { Postgres, type ScenePostgres } from './postgres.ts'

const execute = promisify(execFile)
const main = join(import.meta.dirname, '..', 'src', 'main.ts')

/** With the settings of docs/operations.md. Left transactions are ended sooner, so that a round need not wait. */
const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '200',
  'citus.recover_2pc_interval': '5s',
  'citus.enable_statistics_collection': 'off',
}

/** A coordinator and workers with Citus, the last of which is idle at first. Wheelhouse's tables are distributed. */
export class Citus implements ScenePostgres {
  readonly coordinator: Postgres
  readonly workers: readonly Postgres[]

  static async start(): Promise<Citus> {
    const nodes: Postgres[] = []
    for (let place = 0; place < 4; place++) {
      const node = await Postgres.startDebian(settings)
      await node.query('create extension citus', [], 'wheelhouse')
      nodes.push(node)
    }
    const citus = new Citus(nodes)
    await citus.query(`select citus_set_coordinator_host('127.0.0.1', $1)`, [citus.port])
    for (const worker of citus.workers.slice(0, -1)) await citus.add(worker)
    const env = { ...process.env, DATABASE_URL: citus.url }
    for (const command of ['migrate', 'distribute']) await execute(process.execPath, [main, command], { env })
    return citus
  }

  private constructor([coordinator, ...workers]: readonly Postgres[]) {
    this.coordinator = coordinator as Postgres
    this.workers = workers
  }

  async add(worker: Postgres): Promise<void> {
    await this.query(`select citus_add_node('127.0.0.1', $1)`, [worker.port])
  }

  get port(): number {
    return this.coordinator.port
  }

  get url(): string {
    return this.coordinator.url
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.coordinator.query<Row>(text, values, 'wheelhouse')
  }

  async connect(): Promise<pg.Client> {
    return this.coordinator.connect()
  }

  /** The logs of all nodes. */
  log(): string {
    return this.#nodes.map((node) => node.log()).join('')
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP'): void {
    for (const node of this.#nodes) node.signal(signal)
  }

  async start(): Promise<void> {
    for (const node of this.#nodes) await node.start()
  }

  async stop(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    for (const node of this.#nodes) await node.stop(signal)
  }

  async killAll(): Promise<void> {
    for (const node of this.#nodes) await node.killAll()
  }

  async remove(): Promise<void> {
    for (const node of this.#nodes) await node.remove()
  }

  get #nodes(): Postgres[] {
    return [this.coordinator, ...this.workers]
  }
}
