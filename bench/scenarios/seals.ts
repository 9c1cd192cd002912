import type { Contestant } from '../contestants/contestant.ts'
import { startWheelhouse } from '../contestants/wheelhouse.ts'
import { answerRate, answerRateByCost, printTurns, ratioOf, showRatio } from '../report.ts'
import { playRounds, withContestants } from '../rounds.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

/** The cost of sealing the ledger for the write path, with a seal interval of one second. */
export const seals: Scenario = {
  name: 'seals',
  title: 'Grants, 64 connections, with the ledger sealed and without',
  seconds: (bench) => 2 * (bench.roundsAt(64) + 2) * (bench.seconds + 0.3) + 6,
  async run(bench: Bench) {
    const sealed = withSealsEvery(1, 'sealed')
    const unsealed = withSealsEvery(0, 'unsealed')
    const setup = { scenario: 'seals', prizes: [], ...bench }
    const lineup = { contestants: [sealed, unsealed], specOf: grantsSpec(bench) }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, setup, prepared, { ...bench, connections: [64] })
      const turns = measured.get(64) ?? []
      printTurns(seals.title, turns)
      const ratio = ratioOf(turns, sealed.name, unsealed.name, answerRate)
      const byCost = ratioOf(turns, sealed.name, unsealed.name, answerRateByCost)
      if (ratio !== undefined)
        console.log(`  sealed, the rate is ${showRatio(ratio)} times that of unsealed,`)
      if (byCost !== undefined) console.log(`  and ${showRatio(byCost)} by processor time`)
    })
    const [counted] = await bench.postgres.query<{ entries: number; seals: number }>(
      'wheelhouse_seals_sealed',
      'select coalesce(sum(entries), 0)::int as entries, count(*)::int as seals from ledger_seals',
    )
    console.log(`  ${counted?.entries} entries were sealed in the meantime, in ${counted?.seals} seals`)
  },
}

function withSealsEvery(seconds: number, name: string): Contestant {
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        {
          ...setup,
          scenario: `seals_${name}`,
          settings: { ...setup.settings, SEAL_INTERVAL_SECONDS: String(seconds) },
        },
        { name, entriesPerPlayer: 0 },
      ),
  }
}
