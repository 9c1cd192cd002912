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
        const before = await logPosition(bench.postgres, database)
        let answers = 0
        for (let turn = 0; turn < turns; turn++)
          answers += (await takeTurn(bench.driver, one, { connections: 64, seconds: bench.seconds })).answers
        const log = ((await logPosition(bench.postgres, database)) - before) / answers
        const sizes = await sizesOf(bench.postgres, database)
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

async function logPosition(postgres: Postgres, database: string): Promise<number> {
  const [found] = await postgres.query<{ position: number }>(
    database,
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as position`,
  )
  return found?.position ?? 0
}

/** Tables and indexes by their rows: they were empty at the start. Nearly all entries and events are those of plays. */
async function sizesOf(postgres: Postgres, database: string): Promise<number[]> {
  const [found] = await postgres.query<{ sizes: number[] }>(
    database,
    `select array[
       pg_table_size('plays') / plays,
       pg_indexes_size('plays') / plays,
       pg_table_size('ledger_entries') / entries,
       pg_indexes_size('ledger_entries') / entries,
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree('event_pages')) / plays
     ] as sizes
     from (select count(*)::float8 as plays from plays), (select count(*)::float8 as entries from ledger_entries)`,
  )
  return found?.sizes ?? []
}
