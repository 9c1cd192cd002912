import { fastifyTransaction } from '../contestants/peers.ts'
import { fastifyRedis } from '../contestants/redis-peers.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import type { OpenResult } from '../driver/open-loop.ts'
import { answerRate, printTable, spreadOf } from '../report.ts'
import { shuffled, takeTurn, warmUp, withContestants } from '../rounds.ts'
import { makeRandom } from '../work/work.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

const connections = 256

/** The latency at half load: grants arrive at a steady rate, half of the maximum of each contestant. */
export const halfLoad: Scenario = {
  name: 'half-load',
  title: 'Latency of grants at half load, at a steady rate',
  seconds: (bench) => 3 * (bench.roundsAt(64) + 4) * (bench.seconds + 0.3),
  async run(bench: Bench) {
    const setup = { scenario: 'half_load', prizes: [], ...bench }
    const lineup = {
      contestants: bench.available([wheelhouse, fastifyTransaction, fastifyRedis]),
      specOf: grantsSpec(bench),
    }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const peaks = new Map<string, number>()
      for (const one of prepared) {
        await warmUp(bench.driver, one, { connections: [64], seconds: bench.seconds })
        const peak = await takeTurn(bench.driver, one, { connections: 64, seconds: bench.seconds })
        peaks.set(one.running.name, answerRate(peak))
      }
      const turns = new Map<string, OpenResult[]>(prepared.map(({ running }) => [running.name, []]))
      const random = makeRandom(bench.seed)
      for (let round = 1; round <= bench.roundsAt(64); round++) {
        for (const { running, workId } of shuffled(prepared, random)) {
          const rate = (peaks.get(running.name) as number) / 2
          const { port } = running
          const result = await bench.driver.openLoop(workId, {
            port,
            connections,
            rate,
            seconds: bench.seconds,
          })
          if (result.refusals > 0) throw new Error(`${running.name} refused ${result.refusals} at half load`)
          turns.get(running.name)?.push(result)
        }
      }
      print(turns, peaks)
    })
  },
}

function print(turns: ReadonlyMap<string, OpenResult[]>, peaks: ReadonlyMap<string, number>): void {
  console.log(`\n${halfLoad.title}`)
  const rows = [...turns].map(([name, results]) => {
    const median = (figure: (result: OpenResult) => number) => spreadOf(results.map(figure)).median
    return [
      name,
      Math.round((peaks.get(name) as number) / 2).toString(),
      median((result) => result.answers / result.seconds).toFixed(0),
      median(({ latency }) => latency.p50).toFixed(2),
      median(({ latency }) => latency.p95).toFixed(2),
      median(({ latency }) => latency.p99).toFixed(2),
    ]
  })
  printTable(['', 'due/s', 'answers/s', 'p50 ms', 'p95 ms', 'p99 ms'], rows)
}
