import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { processesOn } from '../src/db/embedded/processes.ts'
import { atEnd, makeFolder, removeFolder, tracked } from './children.ts'
import { HostPair } from './host-pair.ts'
import { tryKill } from './postgres.ts'
import { freePort } from './servers.ts'

const execute = promisify(execFile)
const configFile = join(import.meta.dirname, '..', 'deploy', 'patroni', 'config.yml')
const readyMsMax = 120_000

type Machine = { name: 'db1' | 'db2'; address: string; home: string; child?: ChildProcess }
type Member = { name: string; role: string; state: string }

/** Two machines with deploy/patroni/config.yml, and one etcd for both. */
export class Patroni {
  readonly hosts: HostPair
  readonly #root = makeFolder()
  readonly #port: number
  readonly #etcdPort: number
  readonly #restPort: number
  readonly #machines: readonly Machine[]
  #etcd: ChildProcess | undefined

  static async start(): Promise<Patroni> {
    const patroni = new Patroni([await freePort(), await freePort(), await freePort()])
    await patroni.#startEtcd()
    await patroni.startMachine('db1')
    await patroni.#until((members) => members.some(({ role }) => role === 'leader'))
    await patroni.startMachine('db2')
    await patroni.untilSynchronous()
    await patroni.#createDatabase()
    return patroni
  }

  private constructor([port, etcdPort, restPort]: [number, number, number]) {
    this.#port = port
    this.#etcdPort = etcdPort
    this.#restPort = restPort
    this.#machines = (['db1', 'db2'] as const).map((name, index) => {
      const home = join(this.#root, name)
      mkdirSync(home)
      return { name, home, address: `127.0.0.3${index + 1}` }
    })
    execFileSync('chown', ['-R', 'postgres:postgres', this.#root])
    atEnd(() => this.#killAll())
    const hosts = this.#machines.map(({ address, home }) => ({ address, logFile: join(home, 'log') }))
    this.hosts = new HostPair(hosts, { port, close: () => this.#remove() })
  }

  async leader(): Promise<string> {
    const members = await this.#members()
    return members.find(({ role }) => role === 'leader')?.name ?? 'db1'
  }

  /** Starts Patroni, which starts PostgreSQL. */
  async startMachine(name: string): Promise<void> {
    const machine = this.#machine(name)
    const file = join(machine.home, 'config.yml')
    writeFileSync(file, this.#configOf(machine))
    const log = openSync(join(machine.home, 'log'), 'a')
    machine.child = startAsPostgres(['patroni', file], machine.home, log)
    closeSync(log)
  }

  /** kill -9 of everything on the machine. */
  kill(name: string): void {
    const machine = this.#machine(name)
    machine.child?.kill('SIGKILL')
    for (const pid of processesOn(join(machine.home, 'data'))) tryKill(pid, 'SIGKILL')
  }

  /** `patronictl switchover`, as for maintenance. */
  async switchOver(): Promise<void> {
    await this.#control('switchover', '--force')
  }

  async untilSynchronous(): Promise<void> {
    await this.#until((members) =>
      members.some(({ role, state }) => /sync/i.test(role) && /running|streaming/.test(state)),
    )
  }

  #machine(name: string): Machine {
    const found = this.#machines.find((machine) => machine.name === name)
    if (found === undefined) throw new Error(`there is no machine ${name}`)
    return found
  }

  #configOf({ name, address, home }: Machine): string {
    return readFileSync(configFile, 'utf8')
      .replace('name: db1', `name: ${name}`)
      .replace(/hosts: .*/, `hosts: 127.0.0.1:${this.#etcdPort}`)
      .replaceAll('10.0.0.11:8008', `${address}:${this.#restPort}`)
      .replaceAll('10.0.0.11:5432', `${address}:${this.#port}`)
      .replace('/var/lib/postgresql/15/patroni', join(home, 'data'))
      .replace('/var/run/postgresql', home)
  }

  async #startEtcd(): Promise<void> {
    const url = `http://127.0.0.1:${this.#etcdPort}`
    const peer = `http://127.0.0.1:${await freePort()}`
    const flags = ['--data-dir', join(this.#root, 'etcd'), '--listen-client-urls', url]
    flags.push('--advertise-client-urls', url, '--listen-peer-urls', peer)
    flags.push('--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`)
    this.#etcd = tracked(
      spawn('etcd', flags, { stdio: 'ignore', env: { ...process.env, ETCD_UNSUPPORTED_ARCH: 'arm64' } }),
    )
    await withinReach(async () => (await fetch(`${url}/health`)).ok)
  }

  async #createDatabase(): Promise<void> {
    const host = this.#machine(await this.leader()).address
    const login = { user: 'postgres', password: 'superuser-secret', database: 'postgres' }
    const client = new pg.Client({ host, port: this.#port, ...login })
    await client.connect()
    await client.query(`create role wheelhouse login password 'secret'`)
    await client.query(`create database wheelhouse owner wheelhouse encoding 'UTF8' template template0`)
    await client.end()
  }

  async #members(): Promise<Member[]> {
    const listed = JSON.parse(await this.#control('list', '--format', 'json')) as Record<string, string>[]
    return listed.map((one) => ({
      name: one.Member ?? '',
      role: (one.Role ?? '').toLowerCase(),
      state: one.State ?? '',
    }))
  }

  async #until(isSo: (members: Member[]) => boolean): Promise<void> {
    await withinReach(async () => isSo(await this.#members()))
  }

  async #control(command: string, ...args: string[]): Promise<string> {
    const all = ['-c', join(this.#machine('db1').home, 'config.yml'), command, 'wheelhouse', ...args]
    return (await execute('patronictl', all, { timeout: 60_000 })).stdout
  }

  #killAll(): void {
    for (const { name } of this.#machines) this.kill(name)
  }

  async #remove(): Promise<void> {
    this.#killAll()
    if (this.#etcd?.exitCode === null) {
      const gone = once(this.#etcd, 'exit')
      this.#etcd.kill('SIGKILL')
      await gone
    }
    removeFolder(this.#root)
  }
}

/** Unlike runuser, setpriv leaves no process in between, so that a signal reaches the command itself. */
function startAsPostgres(command: readonly string[], home: string, log: number): ChildProcess {
  const user = ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups']
  const env = { ...process.env, HOME: home }
  return tracked(spawn('setpriv', [...user, ...command], { cwd: '/', env, stdio: ['ignore', log, log] }))
}

async function withinReach(isThere: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + readyMsMax
  for (;;) {
    const isReached = await isThere().catch((error: unknown) => {
      if (performance.now() > deadline) throw error
      return false
    })
    if (isReached) return
    if (performance.now() > deadline) throw new Error('Patroni was not ready in time')
    await sleep(250)
  }
}
