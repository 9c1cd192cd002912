import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tracked } from './children.ts'

const repository = join(import.meta.dirname, '..')
const startMsMax = 120_000

export type ServerOptions = {
  databaseUrl: string
  env?: Record<string, string>
  /** Changes to the source, by name (edits.ts). */
  edits?: readonly string[]
  /** The folder of the source. The previous version is another checkout. */
  source?: string
  /** A file for its standard output, which is otherwise kept here. */
  logFile?: string
}

/** A `wheelhouse serve` process. It keeps its address when it is killed and restarted. */
export class Server {
  readonly port: number
  options: ServerOptions
  /** Extra environment of the next start, for libfaketime and fail points. */
  extra: Record<string, string> = {}
  starts = 0
  #child: ChildProcess | undefined
  #output = ''

  static async start(options: ServerOptions): Promise<Server> {
    const server = new Server(options, await freePort())
    await server.start()
    return server
  }

  private constructor(options: ServerOptions, port: number) {
    this.options = options
    this.port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The last part of its output, for diagnosis. */
  get output(): string {
    return this.#output
  }

  /** Spawns it without waiting until it is ready, since that takes a reachable database. */
  spawn(): void {
    const { databaseUrl, env = {}, edits = [], source = repository, logFile } = this.options
    const log = logFile === undefined ? undefined : openSync(logFile, 'a')
    const child = tracked(
      spawn(
        process.execPath,
        ['--import', join(import.meta.dirname, 'edits.ts'), join(source, 'src', 'main.ts'), 'serve'],
        {
          cwd: tmpdir(),
          env: {
            PATH: process.env.PATH,
            PORT: String(this.port),
            DATABASE_URL: databaseUrl,
            DEMO: 'off',
            METRICS_ADDRESS: 'off',
            LOG_LEVEL: 'warn',
            RATE_LIMIT_PER_SECOND: '100000',
            // Each player has its own address, so that no limit per address is reached.
            TRUST_PROXY: '127.0.0.1',
            WEBHOOK_ALLOW_HTTP: 'on',
            WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
            WEBHOOK_TIMEOUT_SECONDS: '3',
            WEBHOOK_RETRY_PAUSES: '1s,1s,2s,2s,5s,5s,10s,10s,10s,10s,10s,10s,10s',
            NODE_DISABLE_COMPILE_CACHE: edits.length > 0 || source !== repository ? '1' : undefined,
            FAULT_EDITS: edits.join(','),
            ...env,
            ...this.extra,
          },
          stdio: ['ignore', log ?? 'pipe', 'pipe'],
        },
      ),
    )
    if (log !== undefined) closeSync(log)
    this.starts++
    for (const stream of [child.stdout, child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.#output = (this.#output + text).slice(-20_000)))
    this.#child = child
  }

  async start(): Promise<void> {
    const deadline = performance.now() + startMsMax
    while (!(await this.#isReady())) {
      if (performance.now() > deadline) throw new Error(`a server did not start:\n${this.#output}`)
      if (!this.isRunning) this.spawn()
      await sleep(100)
    }
  }

  async #isReady(): Promise<boolean> {
    if (!this.isRunning) return false
    try {
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5_000) })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      // Not listening yet.
      return false
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.isRunning) return
    const isKeptRunning = signal === 'SIGSTOP' || signal === 'SIGCONT'
    const gone = isKeptRunning ? undefined : once(child, 'exit')
    child.kill(signal)
    await gone
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.isRunning) return
    child.kill('SIGCONT')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await this.kill('SIGTERM')
    clearTimeout(killTimer)
  }

  /** Resident memory in megabytes. */
  get residentMb(): number {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It is not running, or there is no /proc.
      return 0
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
