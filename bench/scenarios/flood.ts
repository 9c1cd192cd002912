import { addMerchant, wheelhouse } from '../contestants/wheelhouse.ts'
import { Driver } from '../driver/driver.ts'
import type { OpenResult } from '../driver/open-loop.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { warmUp } from '../rounds.ts'
import type { Tally } from '../work/work.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

/** Connections for full load, and eight times as many. Fewer than the requests that one merchant may queue. */
const full = 64
const flooding = 512
const quietRate = 50
/** Turns are this many times longer than in other scenarios, so that the p99 is more than the worst of a hundred. */
const longer = 3

type Round = { beside: number; quiet: OpenResult; flood: number }

/** The latency of a merchant with few requests while another floods the server. */
export const flood: Scenario = {
  name: 'flood',
  title: `Grants of a quiet merchant, ${quietRate} per second, beside one that floods the server`,
  seconds: (bench) => (2 * bench.roundsAt(64) * longer + 3) * (bench.seconds + 0.1),
  async run(bench: Bench) {
    const setup = { scenario: 'flood', prizes: [], ...bench }
    const running = await wheelhouse.start(setup)
    const [loud, quiet] = [bench.driver, Driver.start()]
    const [loudId, quietId] = ['flood/loud', 'flood/quiet']
    const { port } = running
    try {
      const spec = grantsSpec(bench)(running, 0)
      await loud.prepare(loudId, port, spec)
      await quiet.prepare(quietId, port, {
        ...spec,
        token: await addMerchant(setup, 'quiet'),
        players: 1_000,
      })
      await warmUp(loud, { running, workId: loudId }, { connections: [full], seconds: bench.seconds })
      const rounds: Round[] = []
      for (let round = 1; round <= bench.roundsAt(64); round++) {
        for (const connections of [full, flooding]) {
          const turn = { port, seconds: longer * bench.seconds }
          const [own, others] = await Promise.all([
            quiet.openLoop(quietId, { ...turn, connections: 16, rate: quietRate }),
            loud.closedLoop(loudId, { ...turn, connections }),
          ])
          rounds.push({ beside: connections, quiet: own, flood: others.latency.p50 })
        }
      }
      await running.check(sumOf(await loud.tally(loudId), await quiet.tally(quietId)))
      print(bench, rounds)
    } finally {
      quiet.stop()
      await running.stop()
      await loud.forget(loudId)
    }
  },
}

export function sumOf(one: Tally, other: Tally): Tally {
  const keys = Object.keys(one) as (keyof Tally)[]
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as Tally
}

function print(bench: Bench, rounds: readonly Round[]): void {
  const at = (connections: number) => rounds.filter(({ beside }) => beside === connections)
  const of = (connections: number, figure: (round: Round) => number) =>
    showRatio(spreadOf(at(connections).map(figure)))
  console.log(`\n${flood.title}`)
  printTable(
    ['beside', 'p50 ms', 'p99 ms', "flooding merchant's p50 ms"],
    [full, flooding].map((connections) => [
      `${connections} connections`,
      of(connections, ({ quiet }) => quiet.latency.p50),
      of(connections, ({ quiet }) => quiet.latency.p99),
      of(connections, (round) => round.flood),
    ]),
  )
  const fullLoad = at(full)
  const ratios = at(flooding).map(
    ({ quiet }, index) => quiet.latency.p99 / (fullLoad[index] as Round).quiet.latency.p99,
  )
  bench.figures.set('flood', spreadOf(ratios))
}
