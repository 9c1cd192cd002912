import type { RunningContestant } from '../contestants/contestant.ts'
import { wheelhouse } from '../contestants/wheelhouse.ts'
import { printTable } from '../report.ts'
import { takeTurn, warmUp, withContestants } from '../rounds.ts'
import type { Postgres } from '../scene/postgres.ts'
import type { Bench, Scenario } from './scenario.ts'
import { hotPrize, playsSpec } from './throughput.ts'

const turns = 2

/** What the database writes for a play: rows with their indexes, and the write-ahead log. */
export const bytes: Scenario = {
  name: 'bytes',
  title: 'Bytes for each play on one hot prize, in tables and in the write-ahead log',
  seconds: (bench) => (1 + bench.before.length) * (7 * bench.seconds + 6),
  async run(bench) {
    const setup = { ...bench, scenario: 'bytes', prizes: hotPrize }
    const lineup = { contestants: [wheelhouse, ...bench.before], specOf: playsSpec(bench) }
    const rows: string[][] = []
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      for (const one of prepared) {
        const database = databaseOf(one.running)
        await warmUp(bench.driver, one, { connections: [64], seconds: bench.seconds })
        const before = await writtenIn(bench.postgres, database)
        let answers = 0
        for (let turn = 0; turn < turns; turn++)
          answers += (await takeTurn(bench.driver, one, { connections: 64, seconds: bench.seconds })).answers
        const after = await writtenIn(bench.postgres, database)
        const [log = 0, ...sizes] = after.map((size, index) => (size - (before[index] ?? 0)) / answers)
        const inAll = sizes.reduce((sum, size) => sum + size, 0)
        rows.push([one.running.name, ...[...sizes, inAll, log].map((size) => size.toFixed(0))])
        if (one.running.name === wheelhouse.name)
          note(bench, { 'bytes per play': inAll, 'log per play': log })
      }
    })
    console.log(`\n${bytes.title}`)
    printTable(['', 'play', 'its indexes', 'entry', 'its indexes', 'events', 'in all', 'log'], rows)
  },
}

function note({ figures }: Bench, noted: Record<string, number>): void {
  for (const [name, median] of Object.entries(noted)) figures.set(name, { median, min: median, max: median })
}

function databaseOf({ name }: RunningContestant): string {
  return name === wheelhouse.name ? 'wheelhouse_bytes' : 'wheelhouse_before_bytes'
}

/** The position in the log, and the sizes of the tables and indexes to which a play adds rows, in bytes. */
async function writtenIn(postgres: Postgres, database: string): Promise<number[]> {
  const [found] = await postgres.query<{ written: number[] }>(
    database,
    `select array[
       pg_current_wal_insert_lsn() - '0/0',
       pg_table_size('plays'),
       pg_indexes_size('plays'),
       pg_table_size('ledger_entries'),
       pg_indexes_size('ledger_entries'),
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree('event_pages'))
     ]::float8[] as written`,
  )
  return found?.written ?? []
}
