import { bareHttp, fastifyTransaction } from './contestants/peers.ts'
import { fastifyRedis, fastifyRedisEach } from './contestants/redis-peers.ts'
import { wheelhouse } from './contestants/wheelhouse.ts'
import { printTable, ratioOf, showRatio, type Spread } from './report.ts'
import type { Measured } from './measured.ts'
import type { Bench } from './scenarios/scenario.ts'

type Target = {
  figure: string
  of: (bench: Bench) => Spread | undefined
  atLeast?: number
  atMost?: number
}

/** Targets for Wheelhouse on two cores, in one run. The median over the rounds decides. */
const targets: Target[] = [
  {
    figure: 'grants, 64 connections, against bare http',
    of: rateAgainst('grants@64', bareHttp),
    atLeast: 0.6,
  },
  { figure: '… against redis with its defaults', of: rateAgainst('grants@64', fastifyRedis), atLeast: 1 },
  {
    figure: '… against one transaction per request',
    of: rateAgainst('grants@64', fastifyTransaction),
    atLeast: 4,
  },
  { figure: 'game links against bare http', of: rateAgainst('links@64', bareHttp), atLeast: 0.5 },
  {
    figure: 'a hot prize against one transaction per request',
    of: rateAgainst('hot-prize@64', fastifyTransaction),
    atLeast: 6.5,
  },
  {
    figure: '… against redis, one connection per client',
    of: rateAgainst('hot-prize@64', fastifyRedisEach),
    atLeast: 1,
  },
  {
    figure: 'plays over many prizes against one transaction per request',
    of: rateAgainst('plays@64', fastifyTransaction),
    atLeast: 5,
  },
  { figure: 'bytes for each play', of: figure('bytes per play'), atMost: 450 },
  { figure: '… in the write-ahead log', of: figure('log per play'), atMost: 1_200 },
  {
    figure: 'median latency, 1 connection, against the plain transaction',
    of: against('grants@1', fastifyTransaction, (turn) => turn.latency.p50),
    atMost: 1.15,
  },
  { figure: "a quiet merchant's p99 beside a flood, against full load", of: figure('flood'), atMost: 2 },
  {
    figure: 'processor time of an entry, 1 connection, against a grant to a new player',
    of: figure('entry cost@1'),
    atMost: 3,
  },
  {
    figure: "p99 of other merchants' grants beside a flood of entries, against alone",
    of: figure('grants beside entries'),
    atMost: 2,
  },
  { figure: '… of their plays', of: figure('plays beside entries'), atMost: 2 },
  { figure: 'goodput at four times the load, against the peak', of: figure('goodput'), atLeast: 0.95 },
  { figure: '… refusals, p99 ms', of: figure('refusal p99'), atMost: 50 },
  { figure: '… refusals of a quiet merchant', of: figure('quiet refusals'), atMost: 0 },
  { figure: 'time of a grant, ten million entries against ten thousand', of: figure('growth'), atMost: 1.25 },
  { figure: 'memory under full load, MB (the most)', of: most(figure('memory')), atMost: 200 },
  { figure: '… last quarter of ten minutes against the second', of: figure('memory growth'), atMost: 1.05 },
]

/** Prints every target for which there is a figure. */
export function printTargets(bench: Bench): void {
  const rows = targets.flatMap((target) => {
    const spread = target.of(bench)
    return spread === undefined ? [] : [rowOf(target, spread)]
  })
  if (rows.length === 0) return
  console.log('\nTargets')
  printTable(['', 'target', 'median (least–most)', ''], rows)
}

function rowOf({ figure: name, atLeast, atMost }: Target, spread: Spread): string[] {
  const isReached = spread.median >= (atLeast ?? -Infinity) && spread.median <= (atMost ?? Infinity)
  const target = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`
  return [name, target, showRatio(spread), isReached ? 'reached' : 'NOT reached']
}

function rateAgainst(result: string, peer: { name: string }): Target['of'] {
  return against(result, peer, (turn) => turn.answers / turn.seconds)
}

function against(result: string, peer: { name: string }, measure: (turn: Measured) => number): Target['of'] {
  return ({ results }) => ratioOf(results.get(result) ?? [], wheelhouse.name, peer.name, measure)
}

function figure(name: string): Target['of'] {
  return ({ figures }) => figures.get(name)
}

function most(of: Target['of']): Target['of'] {
  return (bench) => {
    const spread = of(bench)
    return spread === undefined ? undefined : { ...spread, median: spread.max }
  }
}
