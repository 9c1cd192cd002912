import { parseArgs } from 'node:util'

export type Options = {
  /** The scenarios to run. Empty means all. */
  scenarios: string[]
  connections: number[] | undefined
  rounds: number | undefined
  seconds: number | undefined
  peers: string[] | undefined
  players: number | undefined
  playing: number | undefined
  /** Another version of Wheelhouse, which becomes a contestant: the folder of a checkout, or a commit. */
  before: string | undefined
  /** Of one more contestant: this version with several processes. */
  processes: number | undefined
  entries: number | undefined
  minutes: number | undefined
  seed: number
  isQuick: boolean
  /** The addresses of the scenario "cluster". */
  clusterUrl: string | undefined
  plainUrl: string | undefined
  /** The folder for CPU profiles of Wheelhouse. */
  profileFolder: string | undefined
  /** Settings of Wheelhouse, as NAME=value. */
  settings: Record<string, string>
}

export const usage = `npm run bench -- [scenario …] [options]

  --connections 1,16,64,256   numbers of concurrent clients
  --rounds 5                  turns per contestant (default: 5 at 1 and 64 connections, otherwise 2)
  --seconds 2                 length of a turn
  --players 100000            players that exist at the start
  --playing 4000              players that play in the scenarios with plays
  --before ../folder          another version of Wheelhouse, as one more contestant: a checkout, or a commit
  --processes 2               this version with that many processes, as one more contestant
  --entries 10000000          size of the ledger in the scenario "growth"
  --minutes 10                length of the scenario "memory" (default: 10 alone, 1 among others)
  --cluster postgresql://…    the coordinator of the scenario "cluster", as a superuser, with a database of its own
  --plain postgresql://…      the PostgreSQL to compare it with (default: the benchmark's own)
  --peers bare,redis          only Wheelhouse and the peers whose names contain one of these words
  --seed 1                    the seed of the random numbers, to repeat a run
  --set NAME=value            a setting of Wheelhouse (.env.example lists them); can be repeated
  --profile folder            writes a CPU profile of Wheelhouse for each scenario
  --quick                     a smoke test: all scenarios in a minute or two, with figures that mean little`

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      peers: { type: 'string' },
      players: { type: 'string' },
      playing: { type: 'string' },
      before: { type: 'string' },
      processes: { type: 'string' },
      entries: { type: 'string' },
      minutes: { type: 'string' },
      cluster: { type: 'string' },
      plain: { type: 'string' },
      seed: { type: 'string', default: '1' },
      set: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const settings = values.set.map((text) => text.split('=', 2) as [string, string])
  return {
    scenarios: positionals,
    connections: values.connections?.split(',').map(Number),
    rounds: number(values.rounds),
    seconds: number(values.seconds),
    players: number(values.players),
    playing: number(values.playing),
    before: values.before,
    processes: number(values.processes),
    entries: number(values.entries),
    minutes: number(values.minutes),
    clusterUrl: values.cluster,
    plainUrl: values.plain,
    peers: values.peers?.split(','),
    seed: Number(values.seed),
    isQuick: values.quick,
    profileFolder: values.profile,
    settings: Object.fromEntries(settings),
  }
}
