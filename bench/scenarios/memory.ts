import { wheelhouse } from '../contestants/wheelhouse.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { takeTurn, withContestants } from '../rounds.ts'
import { residentBytes } from '../scene/server-process.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

const turnSeconds = 5
const sampleMs = 250

/** The resident memory of one process under full load, and whether it grows. */
export const memory: Scenario = {
  name: 'memory',
  title: 'Memory under full load, 64 connections',
  seconds: (bench) => bench.minutes * 60,
  async run(bench: Bench) {
    const setup = { scenario: 'memory', prizes: [], ...bench }
    const lineup = { contestants: [wheelhouse], specOf: grantsSpec(bench) }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const samples: number[] = []
      for (const one of prepared) {
        const sampler = setInterval(() => samples.push(residentBytes(one.running.pid) / 2 ** 20), sampleMs)
        const endsAt = performance.now() + bench.minutes * 60_000
        while (performance.now() < endsAt)
          await takeTurn(bench.driver, one, {
            connections: 64,
            seconds: Math.min(turnSeconds, bench.minutes * 60),
          })
        clearInterval(sampler)
      }
      const quarter = Math.ceil(samples.length / 4)
      const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length
      // During the first quarter the process grows to its normal size.
      const growth = mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter))
      console.log(`\n${memory.title}, ${bench.minutes} min`)
      printTable(
        ['', 'MB'],
        [
          ['median (least–most)', showRatio(spreadOf(samples))],
          ['last quarter against the second', growth.toFixed(3)],
        ],
      )
      bench.figures.set('memory', spreadOf(samples))
      if (bench.minutes >= 10) bench.figures.set('memory growth', spreadOf([growth]))
    })
  },
}
