import type { Contestant, RunningContestant, PrizeSetup } from '../contestants/contestant.ts'
import { bareHttp, expressTypeorm, fastifyTransaction } from '../contestants/peers.ts'
import { pgbench } from '../contestants/pgbench.ts'
import { fastifyRedis, fastifyRedisEach, fastifyRedisSynced } from '../contestants/redis-peers.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { bareHttpByWrk } from '../contestants/wrk.ts'
import { printTurns } from '../report.ts'
import { type Lineup, playRounds, sellOut, withContestants } from '../rounds.ts'
import type { GrantsSpec } from '../work/grants.ts'
import type { LinksSpec } from '../work/links.ts'
import type { WorkSpec } from '../work/make-work.ts'
import type { PlaysSpec } from '../work/plays.ts'
import type { Bench, Scenario } from './scenario.ts'

type SpecOf = (running: RunningContestant, index: number) => WorkSpec

type Kind = {
  name: string
  title: string
  contestants: readonly Contestant[]
  prizes?: readonly PrizeSetup[]
  specOf: (bench: Bench) => SpecOf
  /** At the end the prize is sold out, to check that it is not oversold. */
  sellsOut?: boolean
}

export function grantsSpec(bench: Bench): (running: RunningContestant, index: number) => GrantsSpec {
  return grantsWith(bench, () => ({ players: bench.players, balanceAtFirst: 0 }))
}

export function grantsWith(
  { seed }: Bench,
  playersOf: (running: RunningContestant) => Pick<GrantsSpec, 'players' | 'balanceAtFirst'>,
): (running: RunningContestant, index: number) => GrantsSpec {
  return (running, index) => ({
    kind: 'grants',
    token: running.token,
    isEcho: running.answers === 'echo',
    seed: seedOf(seed, index),
    ...playersOf(running),
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

function linksSpec({ players, seed }: Bench): (running: RunningContestant, index: number) => LinksSpec {
  return ({ token, answers }, index) => ({
    kind: 'links',
    token,
    players,
    seed: seedOf(seed, index),
    isEcho: answers === 'echo',
  })
}

/** Plays and grants use different players, so that each work knows the balance of its own players. */
export function playsSpec({
  players,
  playing,
  seed,
}: Bench): (running: RunningContestant, index: number) => PlaysSpec {
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
  return (running, index) => ({
    kind: 'mix',
    seed: seedOf(bench.seed, index),
    parts: [
      grantsSpec(bench)(running, index),
      linksSpec(bench)(running, index),
      playsSpec(bench)(running, index),
    ],
  })
}

function seedOf(seed: number, index: number): number {
  return seed + 1000 * (index + 1)
}

export const hotPrize = [{ label: 'Prize', weight: 1, stock: 50_000_000 }]
const manyPrizes = Array.from({ length: 23 }, (_, index) => ({
  label: `Prize ${index}`,
  weight: 1,
  stock: 50_000_000,
}))
const withDatabase = [fastifyTransaction, expressTypeorm, fastifyRedis, fastifyRedisSynced]

const kinds: Kind[] = [
  {
    name: 'driver',
    title: 'Cost of the driver: grants to bare http',
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
    name: 'paced-prize',
    title: 'Plays on one paced prize; the version before has a stock instead',
    contestants: [wheelhouse],
    prizes: hotPrize.map((prize) => ({ ...prize, isPaced: true })),
    specOf: playsSpec,
  },
  {
    name: 'mix',
    title: 'A mix: half grants, a fifth links, the rest plays',
    contestants: [wheelhouse, fastifyTransaction, fastifyRedis],
    prizes: manyPrizes,
    specOf: mixSpec,
  },
]

/** Maximum rates: every contestant works as fast as it can for 1, 16, 64 and 256 clients. */
export const throughputScenarios: Scenario[] = kinds.map((kind) => ({
  name: kind.name,
  title: kind.title,
  seconds(bench) {
    const turns = bench.connections.reduce((sum, connections) => sum + bench.roundsAt(connections), 2)
    return (
      bench.available([...kind.contestants, ...bench.before]).length * (turns * (bench.seconds + 0.3) + 3)
    )
  },
  async run(bench) {
    const setup = { ...bench, scenario: kind.name.replaceAll('-', '_'), prizes: kind.prizes ?? [] }
    const contestants = bench.available([...kind.contestants, ...bench.before])
    const lineup: Lineup = { contestants, specOf: kind.specOf(bench) }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, setup, prepared, bench)
      for (const [connections, turns] of measured) {
        printTurns(`${kind.title}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`, turns)
        bench.results.set(`${kind.name}@${connections}`, turns)
      }
      if (kind.sellsOut === true) for (const one of prepared) await sellOut(bench.driver, one)
    })
  },
}))
