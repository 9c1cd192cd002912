// `npm run bench [-- scenario … --options]`: measures Wheelhouse and alternatives to it. It starts everything that it
// needs, on this machine only. bench/README.md explains the method and the results.
import { once } from 'node:events'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Contestant } from './contestants/contestant.ts'
import { otherVersion, wheelhouse, withProcesses } from './contestants/wheelhouse.ts'
import { Driver } from './driver/driver.ts'
import { type Options, readOptions, usage } from './options.ts'
import { cluster } from './scenarios/cluster.ts'
import { entries } from './scenarios/entries.ts'
import { flood } from './scenarios/flood.ts'
import { growth } from './scenarios/growth.ts'
import { halfLoad } from './scenarios/half-load.ts'
import { lists } from './scenarios/lists.ts'
import { memory } from './scenarios/memory.ts'
import { messages } from './scenarios/messages.ts'
import { bytes } from './scenarios/bytes.ts'
import { overload } from './scenarios/overload.ts'
import type { Bench, Scenario } from './scenarios/scenario.ts'
import { seals } from './scenarios/seals.ts'
import { startUp } from './scenarios/start-up.ts'
import { traces } from './scenarios/traces.ts'
import { throughputScenarios } from './scenarios/throughput.ts'
import { endChildren } from './scene/children.ts'
import { type EarlierVersion, findVersion } from './scene/earlier-version.ts'
import { Postgres } from './scene/postgres.ts'
import { printTargets } from './targets.ts'

/** Numbers of connections for which there is a target. They get more rounds. */
const connectionsWithTarget = [1, 64]

const scenarios: Scenario[] = [
  ...throughputScenarios,
  halfLoad,
  flood,
  entries,
  overload,
  growth,
  bytes,
  seals,
  traces,
  memory,
  messages,
  startUp,
  lists,
  cluster,
]

if (process.argv.includes('--help'))
  console.log(
    `${usage}\n\nScenarios:\n${scenarios.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join('\n')}`,
  )
else
  await run(process.argv.slice(2)).then(
    // The signal listeners would keep the process alive.
    () => process.exit(0),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(1)
    },
  )

async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const chosen = options.scenarios.length === 0 ? scenarios : options.scenarios.map(findScenario)
  const before = options.before === undefined ? undefined : findVersion(options.before)
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, seed ${options.seed}`,
  )
  const postgres = await Postgres.start()
  const driver = Driver.start()
  const bench = makeBench({ ...options, before }, { postgres, driver })
  const minutes = chosen.reduce((sum, scenario) => sum + scenario.seconds(bench), 0) / 60
  if ((loadavg()[0] as number) > cpus().length / 2)
    console.log(
      'Other programs keep this machine busy. This slows contestants with several processes more: trust the costs, not the rates.',
    )
  console.log(`${chosen.map(({ name }) => name).join(', ')}: about ${Math.ceil(minutes)} min`)
  try {
    await Promise.race([runAll(chosen, bench), interruption()])
    if (options.isQuick) console.log('\nEverything works; the figures of a quick run mean nothing.')
    else printTargets(bench)
  } finally {
    driver.stop()
    endChildren()
    await postgres.stop()
    before?.remove()
  }
}

async function runAll(chosen: readonly Scenario[], bench: Bench): Promise<void> {
  for (const scenario of chosen) await scenario.run(bench)
}

/** PostgreSQL runs in its own process group, so on Ctrl-C we must stop it before we exit. */
async function interruption(): Promise<never> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('interrupted')
}

type FoundOptions = Omit<Options, 'before'> & { before: EarlierVersion | undefined }

function makeBench(options: FoundOptions, scene: Pick<Bench, 'postgres' | 'driver'>): Bench {
  const { isQuick } = options
  const unavailable = new Map<Contestant, string | undefined>()
  return {
    ...scene,
    connections: options.connections ?? (isQuick ? [1, 64] : [1, 16, 64, 256]),
    roundsAt: (connections) =>
      options.rounds ?? (isQuick ? 1 : connectionsWithTarget.includes(connections) ? 5 : 2),
    seconds: options.seconds ?? (isQuick ? 0.3 : 2),
    players: options.players ?? (isQuick ? 10_000 : 100_000),
    playing: options.playing ?? 4_000,
    before: [
      ...(options.before === undefined ? [] : [otherVersion(options.before.folder)]),
      ...(options.processes === undefined ? [] : [withProcesses(options.processes)]),
    ],
    entries: options.entries ?? (isQuick ? 100_000 : 10_000_000),
    minutes: options.minutes ?? (isQuick ? 0.05 : options.scenarios.length === 1 ? 10 : 1),
    clusterUrl: options.clusterUrl,
    plainUrl: options.plainUrl,
    seed: options.seed,
    settings: options.settings,
    profileFolder: options.profileFolder,
    available: (peers) =>
      peers.filter((peer) => {
        if (!isWanted(peer, options)) return false
        if (!unavailable.has(peer)) {
          unavailable.set(peer, peer.skipReason?.())
          const reason = unavailable.get(peer)
          if (reason !== undefined) console.log(`Skipping ${peer.name}: ${reason}`)
        }
        return unavailable.get(peer) === undefined
      }),
    results: new Map(),
    figures: new Map(),
  }
}

function isWanted({ name }: Contestant, { peers }: Pick<Options, 'peers'>): boolean {
  return peers === undefined || name.startsWith(wheelhouse.name) || peers.some((word) => name.includes(word))
}

function findScenario(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name)
  if (found !== undefined) return found
  throw new Error(
    `There is no scenario "${name}". Scenarios: ${scenarios.map((scenario) => scenario.name).join(', ')}`,
  )
}
