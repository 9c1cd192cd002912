import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { processesOn } from '../src/db/embedded/processes.ts'
import { atEnd, makeFolder, removeFolder } from './children.ts'
import { HostPair } from './host-pair.ts'
import { tryKill } from './postgres.ts'
import { freePort } from './servers.ts'

const execute = promisify(execFile)
const page = join(import.meta.dirname, '..', 'docs', 'failover.md')
const addresses = { db1: '127.0.0.21', db2: '127.0.0.22' }

type MachineName = keyof typeof addresses

/** The two machines of docs/failover.md: Debian's clusters in folders of their own, set up by that page's commands. */
export class PlainPair {
  readonly hosts: HostPair
  readonly #root = makeFolder()
  readonly #port: number

  static async start(): Promise<PlainPair> {
    const pair = new PlainPair(await freePort())
    for (const machine of ['db1', 'db2'] as const) await pair.#install(machine)
    await pair.run('Set up the pair')
    return pair
  }

  private constructor(port: number) {
    this.#port = port
    atEnd(() => this.#killAll())
    const logFile = (machine: MachineName) => join(this.#root, machine, 'log')
    this.hosts = new HostPair(
      [
        { address: addresses.db1, logFile: logFile('db1') },
        { address: addresses.db2, logFile: logFile('db2') },
      ],
      { port, close: async () => this.#remove() },
    )
  }

  /** Runs the commands of a section, each block on its machine. `db1` and `db2` change places if `isReversed`. */
  async run(section: string, isReversed = false): Promise<void> {
    for (const { machine, commands } of stepsOf(section, isReversed)) await this.#execute(machine, commands)
  }

  /** kill -9 of all processes of a machine. */
  kill(machine: MachineName): void {
    for (const pid of processesOn(this.#dataOf(machine))) tryKill(pid, 'SIGKILL')
  }

  /** Starts a machine that should stay off, as a mistake or a reboot would. */
  async startByMistake(machine: MachineName): Promise<void> {
    await this.#execute(machine, 'pg_ctlcluster 15 main start')
  }

  /** What `apt install postgresql-15` does on a machine. */
  async #install(machine: MachineName): Promise<void> {
    const home = join(this.#root, machine)
    for (const folder of [home, join(home, 'etc'), join(home, 'socket')]) mkdirSync(folder)
    await execute('chown', ['-R', 'postgres:postgres', home])
    const places = `-d ${this.#dataOf(machine)} -s ${home}/socket -l ${home}/log -p ${this.#port}`
    await this.#execute(
      machine,
      `pg_createcluster -u postgres ${places} 15 main -- --locale C.UTF-8 --no-sync`,
    )
    const config = join(home, 'etc', '15', 'main', 'postgresql.conf')
    // pg_conftool would write an address without quotes.
    const own = `listen_addresses = '${addresses[machine]}'\nexternal_pid_file = '${home}/pid'\n`
    appendFileSync(config, own)
    await this.#execute(machine, 'pg_ctlcluster 15 main start')
  }

  #dataOf(machine: MachineName): string {
    return join(this.#root, machine, 'data')
  }

  async #execute(machine: MachineName, commands: string): Promise<void> {
    const home = join(this.#root, machine)
    const here = commands
      .replaceAll('/etc/postgresql/15/main', join(home, 'etc', '15', 'main'))
      .replaceAll('/var/lib/postgresql/15/main', this.#dataOf(machine))
      .replace(/^pg_conftool .* listen_addresses .*$/m, '')
      .replaceAll(/-h (db[12])/g, (_, name: MachineName) => `-h ${addresses[name]}`)
    const env = {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      PG_CLUSTER_CONF_ROOT: join(home, 'etc'),
      PGHOST: join(home, 'socket'),
      PGPORT: String(this.#port),
    }
    await execute('sh', ['-e', '-c', here], { cwd: '/', env, timeout: 60_000 })
  }

  #killAll(): void {
    for (const machine of ['db1', 'db2'] as const) this.kill(machine)
  }

  #remove(): void {
    this.#killAll()
    removeFolder(this.#root)
  }
}

/** The blocks of a section of the page, each with the machine that the sentence before it names. */
function stepsOf(section: string, isReversed: boolean): { machine: MachineName; commands: string }[] {
  const text = readFileSync(page, 'utf8').split(`### ${section}\n`)[1]?.split(/^##/m, 1)[0]
  if (text === undefined) throw new Error(`docs/failover.md has no section "${section}"`)
  const read = isReversed ? text.replaceAll(/db[12]/g, (name) => (name === 'db1' ? 'db2' : 'db1')) : text
  return [...read.matchAll(/On `(db[12])`.*(?:\n.+)*?:\n\n```sh\n([\s\S]*?)```/g)].map(
    ([, machine, commands]) => ({ machine: machine as MachineName, commands: commands as string }),
  )
}
