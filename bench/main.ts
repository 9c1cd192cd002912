// `npm run bench [-- scenario … --options]`: measures Wheelhouse beside what people would use instead. It starts all that
// it needs by itself, on this machine only. bench/README.md says how to read it.
import { cpus, totalmem } from 'node:os'
import type { Contestant } from './contestants/contestant.ts'
import { Driver } from './driver/driver.ts'
import { type Options, readOptions, usage } from './options.ts'
import { Postgres } from './scene/postgres.ts'
import type { Bench, Scenario } from './scenarios/scenario.ts'
import { throughputScenarios } from './scenarios/throughput.ts'

const scenarios: Scenario[] = throughputScenarios

if (process.argv.includes('--help')) console.log(usage)
else await run(readOptions(process.argv.slice(2)))

async function run(options: Options): Promise<void> {
  const chosen = options.scenarios.length === 0 ? scenarios : options.scenarios.map(findScenario)
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, seed ${options.seed}`,
  )
  const postgres = await Postgres.start()
  const driver = Driver.start()
  const bench = makeBench(options, { postgres, driver })
  try {
    for (const scenario of chosen) await scenario.run(bench)
  } finally {
    driver.stop()
    await postgres.stop()
  }
}

function makeBench(options: Options, scene: Pick<Bench, 'postgres' | 'driver'>): Bench {
  return {
    ...scene,
    connections: options.connections ?? [1, 16, 64, 256],
    rounds: options.rounds ?? (options.isQuick ? 1 : 5),
    seconds: options.seconds ?? (options.isQuick ? 0.5 : 3),
    seed: options.seed,
    settings: {
      ...options.settings,
      ...(options.profileFolder === undefined ? {} : { PROFILE_DIR: options.profileFolder }),
    },
    takingPart: (peers) => peers.filter((peer) => isWanted(peer, options)),
    results: new Map(),
  }
}

function isWanted(peer: Contestant, options: Options): boolean {
  if (options.peers !== undefined && !options.peers.some((word) => peer.name.includes(word))) return false
  const reason = peer.whyNot?.()
  if (reason !== undefined) console.log(`Without ${peer.name}: ${reason}`)
  return reason === undefined
}

function findScenario(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name)
  if (found === undefined)
    throw new Error(
      `There is no scenario "${name}". There are: ${scenarios.map((scenario) => scenario.name).join(', ')}`,
    )
  return found
}
