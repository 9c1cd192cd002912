import type { Contestant, Entrant, StagePrize } from '../contestants/contestant.ts'
import { bareHttp, expressTypeorm, fastifyTransaction } from '../contestants/peers.ts'
import { pgbench } from '../contestants/pgbench.ts'
import { fastifyRedis, fastifyRedisEach, fastifyRedisSynced } from '../contestants/redis-peers.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { printTurns } from '../report.ts'
import { playRounds } from '../rounds.ts'
import type { GrantsSpec } from '../work/grants.ts'
import type { LinksSpec } from '../work/links.ts'
import type { WorkSpec } from '../work/make-work.ts'
import type { PlaysSpec } from '../work/plays.ts'
import type { Bench, Scenario } from './scenario.ts'

const players = 100_000
/** Enough that none plays more often than a player may. */
const playing = 4_000

type Kind = {
  name: string
  title: string
  peers: readonly Contestant[]
  prizes?: readonly StagePrize[]
  specOf: (entrant: Entrant, seed: number) => WorkSpec
  /** At the end the prize is sold out, to see that nobody oversells it. */
  sellsOut?: boolean
}

export function grantsSpec({ token, answers }: Entrant, seed: number): GrantsSpec {
  return { kind: 'grants', token, players, seed, isEcho: answers === 'echo' }
}

function linksSpec({ token, answers }: Entrant, seed: number): LinksSpec {
  return { kind: 'links', token, players, seed, isEcho: answers === 'echo' }
}

/** Those who play are others than those who are granted spins, so that both can tell what a balance must be. */
function playsSpec({ token, answers }: Entrant, seed: number): PlaysSpec {
  return {
    kind: 'plays',
    token,
    first: players,
    players: playing,
    seed,
    answers: answers === 'wheelhouse' ? answers : 'plain',
  }
}

const hotPrize = [{ label: 'Prize', weight: 1, stock: 50_000_000 }]
const manyPrizes = Array.from({ length: 23 }, (_, index) => ({
  label: `Prize ${index}`,
  weight: 1,
  stock: 50_000_000,
}))
const withDatabase = [fastifyTransaction, expressTypeorm, fastifyRedis, fastifyRedisSynced]

const kinds: Kind[] = [
  {
    name: 'grants',
    title: 'Grants over 100,000 players',
    peers: [bareHttp, ...withDatabase, pgbench],
    specOf: grantsSpec,
  },
  {
    name: 'one-player',
    title: 'Grants to one player',
    peers: [bareHttp, fastifyTransaction, fastifyRedis],
    specOf: ({ token, answers }, seed) => ({
      kind: 'one-player',
      token,
      player: 7,
      seed,
      isEcho: answers === 'echo',
    }),
  },
  {
    name: 'links',
    title: 'Game links',
    peers: [bareHttp, ...withDatabase],
    specOf: linksSpec,
  },
  {
    name: 'plays',
    title: 'Plays over 23 prizes with stock',
    peers: withDatabase,
    prizes: manyPrizes,
    specOf: playsSpec,
  },
  {
    name: 'hot-prize',
    title: 'Plays on one hot prize with stock',
    peers: [fastifyTransaction, fastifyRedis, fastifyRedisEach],
    prizes: hotPrize,
    specOf: playsSpec,
    sellsOut: true,
  },
  {
    name: 'mix',
    title: 'A mix: half grants, a fifth links, the rest plays',
    peers: [fastifyTransaction, fastifyRedis],
    prizes: manyPrizes,
    specOf: (entrant, seed) => ({
      kind: 'mix',
      seed,
      parts: [grantsSpec(entrant, seed), linksSpec(entrant, seed), playsSpec(entrant, seed)],
    }),
  },
]

/** How much can be done at once: every contestant works as fast as it can for 1, 16, 64 and 256 clients. */
export const throughputScenarios: Scenario[] = kinds.map((kind) => ({
  name: kind.name,
  title: kind.title,
  async run(bench: Bench) {
    const stage = { scenario: kind.name.replaceAll('-', '_'), players, prizes: kind.prizes ?? [], ...bench }
    const measured = await playRounds(bench.driver, stage, {
      ...bench,
      contestants: [wheelhouse, ...bench.takingPart(kind.peers)],
      specOf: (entrant, index) => kind.specOf(entrant, bench.seed + 1000 * (index + 1)),
      sellsOut: kind.sellsOut ?? false,
    })
    for (const [connections, turns] of measured) {
      printTurns(`${kind.title}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`, turns)
      bench.results.set(`${kind.name}@${connections}`, turns)
    }
  },
}))
