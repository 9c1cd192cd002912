import { wheelhouse } from '../contestants/wheelhouse.ts'
import type { OpenResult } from '../driver/open-loop.ts'
import { answerRate, printTable, showRatio, spreadOf } from '../report.ts'
import { takeTurn, warmUp, withContestants } from '../rounds.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

const times = 4
/** More than the server's queue holds, so that it must refuse requests. */
const connections = 1_500

type Round = { peak: number; flood: OpenResult }

/** Goodput at four times the maximum load, and how quickly the other requests are refused. */
export const overload: Scenario = {
  name: 'overload',
  title: 'Grants at four times the maximum load',
  seconds: (bench) => (2 * bench.roundsAt(64) + 1) * (bench.seconds + 2),
  async run(bench: Bench) {
    const setup = { scenario: 'overload', prizes: [], ...bench }
    const lineup = { contestants: [wheelhouse], specOf: grantsSpec(bench) }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const rounds: Round[] = []
      for (const one of prepared) {
        await warmUp(bench.driver, one, { connections: [256], seconds: bench.seconds })
        for (let round = 1; round <= bench.roundsAt(64); round++) {
          const peak = answerRate(
            await takeTurn(bench.driver, one, { connections: 256, seconds: bench.seconds }),
          )
          const turn = { port: one.running.port, connections, rate: times * peak, seconds: bench.seconds }
          rounds.push({ peak, flood: await bench.driver.openLoop(one.workId, turn) })
        }
      }
      print(rounds)
      const of = (figure: (round: Round) => number) => spreadOf(rounds.map(figure))
      bench.figures.set('goodput', of(goodput))
      bench.figures.set(
        'refusal p99',
        of(({ flood }) => (flood.refusals === 0 ? 0 : flood.refusalLatency.p99)),
      )
    })
  },
}

function goodput({ peak, flood }: Round): number {
  return flood.answers / flood.seconds / peak
}

function print(rounds: readonly Round[]): void {
  const of = (figure: (round: Round) => number) => showRatio(spreadOf(rounds.map(figure)))
  console.log(`\n${overload.title}`)
  printTable(
    ['', 'median (least–most)'],
    [
      ['due, against the peak', String(times)],
      [
        'sent and answered or refused, against the peak',
        of(({ peak, flood }) => (flood.answers + flood.refusals) / flood.seconds / peak),
      ],
      ['goodput, against the peak', of(goodput)],
      ['refused, of all that was sent', of(({ flood }) => flood.refusals / flood.sent)],
      ['refusals, p50 ms', of(({ flood }) => flood.refusalLatency.p50)],
      ['refusals, p99 ms', of(({ flood }) => flood.refusalLatency.p99)],
      ['answers, p50 ms', of(({ flood }) => flood.sentLatency.p50)],
      ['answers, p99 ms', of(({ flood }) => flood.sentLatency.p99)],
    ],
  )
}
