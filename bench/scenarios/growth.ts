import { startWheelhouse } from '../contestants/wheelhouse.ts'
import type { Contestant } from '../contestants/contestant.ts'
import { answerRate, answerRateByCost, printTurns, ratioOf, showRatio } from '../report.ts'
import { playRounds, withContestants } from '../rounds.ts'
import { grantsWith } from './throughput.ts'
import type { Bench, Scenario } from './scenario.ts'

const entriesAtFirst = 10_000
const entriesPerPlayer = 100

/** Whether grants become slower as the ledger grows: two servers, with ten thousand and with ten million entries. */
export const growth: Scenario = {
  name: 'growth',
  title: 'Grants, 64 connections, as the ledger grows',
  seconds: (bench) => bench.entries / 50_000 + 2 * (bench.roundsAt(64) + 1) * (bench.seconds + 0.3),
  async run(bench: Bench) {
    const small = grown('ten thousand entries', entriesAtFirst, 1)
    const large = grown(`${bench.entries.toLocaleString('en')} entries`, bench.entries, entriesPerPlayer)
    const setup = { scenario: 'growth', prizes: [], ...bench }
    const lineup = {
      contestants: [small, large],
      specOf: grantsWith(bench, (running) =>
        running.name === small.name
          ? { players: entriesAtFirst, balanceAtFirst: 1 }
          : { players: bench.entries / entriesPerPlayer, balanceAtFirst: entriesPerPlayer },
      ),
    }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, setup, prepared, { ...bench, connections: [64] })
      const turns = measured.get(64) ?? []
      printTurns(growth.title, turns)
      // The time of a grant is the inverse of the rate.
      const cost = ratioOf(turns, large.name, small.name, (turn) => 1 / answerRate(turn))
      if (cost === undefined) return
      const byCost = ratioOf(turns, large.name, small.name, (turn) => 1 / answerRateByCost(turn)) ?? cost
      console.log(
        `  a grant with ${large.name} takes ${showRatio(cost)} times as long as with ${small.name},`,
      )
      console.log(`  and ${showRatio(byCost)} times the processor time`)
      if (bench.entries >= 10_000_000) bench.figures.set('growth', cost)
    })
  },
}

function grown(name: string, entries: number, perPlayer: number): Contestant {
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        {
          ...setup,
          scenario: `growth_${entries}`,
          players: entries / perPlayer,
          // A ledger that grew over years is sealed already. Sealing it all at once would be measured too.
          settings: { ...setup.settings, SEAL_INTERVAL_SECONDS: '0' },
        },
        { name, entriesPerPlayer: perPlayer },
      ),
  }
}
