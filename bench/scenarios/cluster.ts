import { batchesOf, type Batches } from '../cluster/batches.ts'
import { clients, openSide, type Side } from '../cluster/side.ts'
import { shardValues } from '../../src/players/shard.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { databaseUrl } from '../scene/postgres.ts'
import type { Bench, Scenario } from './scenario.ts'

const sizes = [20, 100]

/** What a batch costs on a Citus cluster, against one PostgreSQL: processor time of this process and of all servers. */
export const cluster: Scenario = {
  name: 'cluster',
  title: 'Batches on a Citus cluster against one PostgreSQL, by processor time',
  seconds: (bench) => (bench.clusterUrl === undefined ? 0 : 90 + 16 * bench.roundsAt(1) * bench.seconds),
  async run(bench) {
    if (bench.clusterUrl === undefined) {
      console.log('\nSkipping cluster: no coordinator is named by --cluster (docs/scale.md).')
      return
    }
    const plain = bench.plainUrl ?? databaseUrl(await bench.postgres.createDatabase('wheelhouse_cluster'))
    const sides = [await openSide('cluster', bench.clusterUrl), await openSide('plain', plain)]
    try {
      await compare(bench, sides)
    } finally {
      for (const { db } of sides) await db.close()
    }
  },
}

async function compare(bench: Bench, sides: readonly Side[]): Promise<void> {
  const work = await Promise.all(sides.map(batchesOf))
  const rows: string[][] = []
  for (const index of work[0]?.keys() ?? []) {
    const pairs = sides.map((side, at) => ({ side, batches: work[at]?.[index] as Batches }))
    for (const { batches } of pairs) await warmUp(batches)
    for (const size of sizes) {
      const rounds: Cost[][] = []
      for (let round = 0; round < bench.roundsAt(1); round++) {
        const costs: Cost[] = []
        for (const pair of pairs) costs.push(await turn(pair, size, bench.seconds))
        rounds.push(costs)
      }
      rows.push(rowOf(`${pairs[0]?.batches.name}, ${size}`, rounds))
    }
  }
  console.log(`\n${cluster.title}`)
  printTable(['', 'of plain', 'µs server', 'database', 'plain: µs server', 'database'], rows)
}

/**
 * Until the statement of nearly every shard is prepared on every connection. It is prepared at its sixth use, and
 * batches take any connection.
 */
async function warmUp(batches: Batches): Promise<void> {
  let left = shardValues.length * clients * 5
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (left-- > 0) await batches.run(client, sizes[0] as number)
    }),
  )
}

/** Processor time for each grant, link or play, in microseconds. */
type Cost = { server: number; database: number }

async function turn(
  { side, batches }: { side: Side; batches: Batches },
  size: number,
  seconds: number,
): Promise<Cost> {
  const [cpu, database] = [process.cpuUsage(), side.micros()]
  const end = performance.now() + 1_000 * seconds
  let done = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < end) {
        await batches.run(client, size)
        done += size
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { server: (user + system) / done, database: (side.micros() - database) / done }
}

function rowOf(name: string, rounds: readonly (readonly Cost[])[]): string[] {
  const median = (place: number, part: keyof Cost) =>
    spreadOf(rounds.map((costs) => costs[place]?.[part] as number)).median.toFixed(0)
  const inAll = (cost: Cost | undefined) => (cost === undefined ? Number.NaN : cost.server + cost.database)
  const ratio = spreadOf(rounds.map(([spread, plain]) => inAll(plain) / inAll(spread)))
  return [
    name,
    showRatio(ratio),
    ...[0, 1].flatMap((side) => [median(side, 'server'), median(side, 'database')]),
  ]
}
