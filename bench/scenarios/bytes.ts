import type { RunningContestant } from '../contestants/contestant.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { printTable } from '../report.ts'
import { takeTurn, warmUp, withContestants } from '../rounds.ts'
import type { Postgres } from '../scene/postgres.ts'
import type { Scenario } from './scenario.ts'
import { grantsSpec, hotPrize, playsSpec } from './throughput.ts'

/** What the database writes for each grant and each play: rows and indexes by table, and the write-ahead log. */
export const bytes: Scenario = {
  name: 'bytes',
  title: 'Bytes per grant and play, in tables and in the write-ahead log',
  seconds: (bench) => 2 * (1 + bench.before.length) * (7 * bench.seconds + 4),
  async run(bench) {
    for (const [work, specOf] of [
      ['grants', grantsSpec(bench)],
      ['plays', playsSpec(bench)],
    ] as const) {
      const setup = { ...bench, scenario: `bytes_${work}`, prizes: hotPrize }
      const lineup = { contestants: [wheelhouse, ...bench.before], specOf }
      const rows: string[][] = []
      await withContestants(bench.driver, setup, lineup, async (prepared) => {
        for (const one of prepared) {
          await warmUp(bench.driver, one, { connections: [64], seconds: bench.seconds })
          const database = databaseOf(one.running, setup.scenario)
          const before = await sizesOf(bench.postgres, database)
          let answers = 0
          for (let turn = 0; turn < 2; turn++)
            answers += (await takeTurn(bench.driver, one, { connections: 64, seconds: bench.seconds }))
              .answers
          const after = await sizesOf(bench.postgres, database)
          const each = after.map(
            ({ name, size }, index) => [name, (size - (before[index]?.size ?? 0)) / answers] as const,
          )
          rows.push([one.running.name, ...each.map(([, size]) => size.toFixed(0))])
        }
        const names = (await sizesOf(bench.postgres, databaseOf(prepared[0]?.running, setup.scenario))).map(
          ({ name }) => name,
        )
        console.log(`\n${work}: bytes for each`)
        printTable(['', ...names], rows)
      })
    }
  },
}

function databaseOf(running: RunningContestant | undefined, scenario: string): string {
  return running?.name === wheelhouse.name ? `wheelhouse_${scenario}` : `wheelhouse_before_${scenario}`
}

/** The tables that a play writes, with their indexes and compressed values, and the position of the log. */
async function sizesOf(postgres: Postgres, database: string): Promise<{ name: string; size: number }[]> {
  return postgres.query(
    database,
    `select name, size::float8 as size
     from (
       select 1 as place, 'plays' as name, pg_table_size('plays') as size
       union all select 2, 'its indexes', pg_indexes_size('plays')
       union all select 3, 'ledger', pg_table_size('ledger_entries')
       union all select 4, 'its indexes', pg_indexes_size('ledger_entries')
       union all select 5, 'events', pg_total_relation_size('event_pages')
       union all select 6, 'log', pg_current_wal_insert_lsn() - '0/0'
     ) as sizes
     order by place`,
  )
}
