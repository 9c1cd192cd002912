import type { Contestant, Entrant, StagePrize } from '../contestants/contestant.ts'
import { bareHttp, expressTypeorm, fastifyTransaction } from '../contestants/peers.ts'
import { pgbench } from '../contestants/pgbench.ts'
import { fastifyRedis, fastifyRedisEach, fastifyRedisSynced } from '../contestants/redis-peers.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { bareHttpByWrk } from '../contestants/wrk.ts'
import { printTurns } from '../report.ts'
import { type Lineup, playRounds, sellOut, withEntrants } from '../rounds.ts'
import type { GrantsSpec } from '../work/grants.ts'
import type { LinksSpec } from '../work/links.ts'
import type { WorkSpec } from '../work/make-work.ts'
import type { PlaysSpec } from '../work/plays.ts'
import type { Bench, Scenario } from './scenario.ts'

/** Enough that none plays more often than a player may. */
const playing = 4_000

type SpecOf = (entrant: Entrant, index: number) => WorkSpec

type Kind = {
  name: string
  title: string
  contestants: readonly Contestant[]
  prizes?: readonly StagePrize[]
  specOf: (bench: Bench) => SpecOf
  /** At the end the prize is sold out, to see that nobody oversells it. */
  sellsOut?: boolean
}

export function grantsSpec(bench: Bench): (entrant: Entrant, index: number) => GrantsSpec {
  return grantsWith(bench, () => ({ players: bench.players, balanceAtFirst: 0 }))
}

export function grantsWith(
  { seed }: Bench,
  playersOf: (entrant: Entrant) => Pick<GrantsSpec, 'players' | 'balanceAtFirst'>,
): (entrant: Entrant, index: number) => GrantsSpec {
  return (entrant, index) => ({
    kind: 'grants',
    token: entrant.token,
    isEcho: entrant.answers === 'echo',
    seed: seedOf(seed, index),
    ...playersOf(entrant),
  })
}

function onePlayerSpec({ seed }: Bench): SpecOf {
  return ({ token, answers }, index) => ({
    kind: 'one-player',
    token,
    player: 7,
    seed: seedOf(seed, index),
    isEcho: answers === 'echo',
  })
}

function linksSpec({ players, seed }: Bench): (entrant: Entrant, index: number) => LinksSpec {
  return ({ token, answers }, index) => ({
    kind: 'links',
    token,
    players,
    seed: seedOf(seed, index),
    isEcho: answers === 'echo',
  })
}

/** Those who play are others than those who are granted spins, so that both can tell what a balance must be. */
function playsSpec({ players, seed }: Bench): (entrant: Entrant, index: number) => PlaysSpec {
  return ({ token, answers }, index) => ({
    kind: 'plays',
    token,
    first: players,
    players: playing,
    seed: seedOf(seed, index),
    answers: answers === 'wheelhouse' ? answers : 'plain',
  })
}

function mixSpec(bench: Bench): SpecOf {
  return (entrant, index) => ({
    kind: 'mix',
    seed: seedOf(bench.seed, index),
    parts: [
      grantsSpec(bench)(entrant, index),
      linksSpec(bench)(entrant, index),
      playsSpec(bench)(entrant, index),
    ],
  })
}

function seedOf(seed: number, index: number): number {
  return seed + 1000 * (index + 1)
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
    name: 'driver',
    title: 'What the driver costs: grants to bare http',
    contestants: [bareHttp, bareHttpByWrk],
    specOf: grantsSpec,
  },
  {
    name: 'grants',
    title: 'Grants over many players',
    contestants: [wheelhouse, bareHttp, ...withDatabase, pgbench],
    specOf: grantsSpec,
  },
  {
    name: 'one-player',
    title: 'Grants to one player',
    contestants: [wheelhouse, bareHttp, fastifyTransaction, fastifyRedis],
    specOf: onePlayerSpec,
  },
  {
    name: 'links',
    title: 'Game links',
    contestants: [wheelhouse, bareHttp, ...withDatabase],
    specOf: linksSpec,
  },
  {
    name: 'plays',
    title: 'Plays over 23 prizes with stock',
    contestants: [wheelhouse, ...withDatabase],
    prizes: manyPrizes,
    specOf: playsSpec,
  },
  {
    name: 'hot-prize',
    title: 'Plays on one hot prize with stock',
    contestants: [wheelhouse, fastifyTransaction, fastifyRedis, fastifyRedisEach],
    prizes: hotPrize,
    specOf: playsSpec,
    sellsOut: true,
  },
  {
    name: 'mix',
    title: 'A mix: half grants, a fifth links, the rest plays',
    contestants: [wheelhouse, fastifyTransaction, fastifyRedis],
    prizes: manyPrizes,
    specOf: mixSpec,
  },
]

/** How much can be done at once: every contestant works as fast as it can for 1, 16, 64 and 256 clients. */
export const throughputScenarios: Scenario[] = kinds.map((kind) => ({
  name: kind.name,
  title: kind.title,
  seconds(bench) {
    const turns = bench.connections.reduce((sum, connections) => sum + bench.roundsAt(connections), 2)
    return bench.takingPart(kind.contestants).length * (turns * (bench.seconds + 0.3) + 3)
  },
  async run(bench) {
    const stage = { ...bench, scenario: kind.name.replaceAll('-', '_'), prizes: kind.prizes ?? [] }
    const lineup: Lineup = { contestants: bench.takingPart(kind.contestants), specOf: kind.specOf(bench) }
    await withEntrants(bench.driver, stage, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, stage, prepared, bench)
      for (const [connections, turns] of measured) {
        printTurns(`${kind.title}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`, turns)
        bench.results.set(`${kind.name}@${connections}`, turns)
      }
      if (kind.sellsOut === true) for (const one of prepared) await sellOut(bench.driver, one)
    })
  },
}))
