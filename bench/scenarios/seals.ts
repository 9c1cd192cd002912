import type { Contestant } from '../contestants/contestant.ts'
import { startWheelhouse } from '../contestants/wheelhouse.ts'
import { pace, paceByCost, printTurns, ratioOf, showRatio } from '../report.ts'
import { playRounds, withEntrants } from '../rounds.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

/** What it costs the write path that the ledger is sealed behind it, without a pause between the rounds. */
export const seals: Scenario = {
  name: 'seals',
  title: 'Grants, 64 connections, with the ledger sealed and without',
  seconds: (bench) => 2 * (bench.roundsAt(64) + 2) * (bench.seconds + 0.3) + 6,
  async run(bench: Bench) {
    const sealed = withSealsEvery(1, 'sealed')
    const unsealed = withSealsEvery(0, 'unsealed')
    const stage = { scenario: 'seals', prizes: [], ...bench }
    const lineup = { contestants: [sealed, unsealed], specOf: grantsSpec(bench) }
    await withEntrants(bench.driver, stage, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, stage, prepared, { ...bench, connections: [64] })
      const turns = measured.get(64) ?? []
      printTurns(seals.title, turns)
      const ratio = ratioOf(turns, sealed.name, unsealed.name, pace)
      const byCost = ratioOf(turns, sealed.name, unsealed.name, paceByCost)
      if (ratio !== undefined) console.log(`  sealed, the pace is ${showRatio(ratio)} of unsealed,`)
      if (byCost !== undefined) console.log(`  and ${showRatio(byCost)} by processor time`)
    })
    const [counted] = await bench.postgres.query<{ entries: number; seals: number }>(
      'wheelhouse_seals_sealed',
      'select coalesce(sum(entries), 0)::int as entries, count(*)::int as seals from ledger_seals',
    )
    console.log(`  ${counted?.entries} entries were sealed meanwhile, by ${counted?.seals} seals`)
  },
}

function withSealsEvery(seconds: number, name: string): Contestant {
  return {
    name,
    start: (stage) =>
      startWheelhouse(
        {
          ...stage,
          scenario: `seals_${name}`,
          settings: { ...stage.settings, SEAL_INTERVAL_SECONDS: String(seconds) },
        },
        { name, entriesPerPlayer: 0 },
      ),
  }
}
