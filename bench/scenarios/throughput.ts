import type { Contestant, Entrant } from '../contestants/contestant.ts'
import { bareHttp, fastifyTransaction } from '../contestants/peers.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { printTurns } from '../report.ts'
import { playRounds } from '../rounds.ts'
import type { WorkSpec } from '../work/make-work.ts'
import type { Bench, Scenario } from './scenario.ts'

const players = 100_000

type Kind = {
  name: string
  title: string
  peers: readonly Contestant[]
  specOf: (entrant: Entrant, seed: number) => WorkSpec
}

const kinds: Kind[] = [
  {
    name: 'grants',
    title: 'Grants over 100,000 players',
    peers: [bareHttp, fastifyTransaction],
    specOf: ({ token, isEcho }, seed) => ({ kind: 'grants', token, players, seed, isEcho }),
  },
  {
    name: 'one-player',
    title: 'Grants to one player',
    peers: [bareHttp, fastifyTransaction],
    specOf: ({ token, isEcho }, seed) => ({ kind: 'one-player', token, player: 7, seed, isEcho }),
  },
  {
    name: 'links',
    title: 'Game links',
    peers: [bareHttp, fastifyTransaction],
    specOf: ({ token, isEcho }, seed) => ({ kind: 'links', token, players, seed, isEcho }),
  },
]

/** How much can be done at once: every contestant works as fast as it can for 1, 16, 64 and 256 clients. */
export const throughputScenarios: Scenario[] = kinds.map((kind) => ({
  name: kind.name,
  title: kind.title,
  async run(bench: Bench) {
    const measured = await playRounds(
      bench.driver,
      {
        scenario: kind.name.replace('-', '_'),
        postgres: bench.postgres,
        players,
        prizes: [],
        settings: bench.settings,
      },
      {
        contestants: [wheelhouse, ...bench.takingPart(kind.peers)],
        specOf: (entrant, index) => kind.specOf(entrant, bench.seed + 1000 * index),
        connections: bench.connections,
        rounds: bench.rounds,
        seconds: bench.seconds,
        seed: bench.seed,
      },
    )
    for (const [connections, turns] of measured) {
      printTurns(`${kind.title}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`, turns)
      bench.results.set(`${kind.name}@${connections}`, turns)
    }
  },
}))
