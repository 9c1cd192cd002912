import type pg from 'pg'
import { allInOrder } from '../all-in-order.ts'
import { types } from '../parameters.ts'
import type { Statement } from '../statement.ts'
import { fieldsOf } from './composite.ts'
import { describe, type Field } from './describe.ts'
import type { ShardMap } from './shard-map.ts'
import { givesRows, shardCall } from './shard-text.ts'
import { type ShardPart, splitByShard } from './split-by-shard.ts'

type Run = <Row>(sql: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>

/**
 * Carries out a statement on the shards of its rows, one after another, each on the machine that has it. Citus hands
 * the call of the function to that machine whole, where it is an ordinary statement on ordinary tables.
 */
export async function runOnShards<Row>(
  { client, map, run }: { client: pg.ClientBase; map: ShardMap; run: Run },
  sql: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const hasRows = givesRows(sql.text)
  const fields = hasRows ? fieldsOfStatement(client, sql) : []
  const parts = splitByShard(sql.shards ?? [], values)
  const answers = await allInOrder([
    fields,
    ...parts.map(async (part) => {
      const tables = map.get(part.shard)
      if (tables === undefined) throw new Error(`there is no shard ${part.shard}`)
      const { name, prepared, text } = shardCall(tables, sql, part.values)
      const [answer] = await run(call, [part.shard, tables.anchor, hasRows, name, prepared, text])
      return answer?.rows ?? []
    }),
  ])
  const [described, ...rows] = answers
  return parts.flatMap((part, index) => (rows[index] ?? []).map((row) => rowOf<Row>(row, described, part)))
}

const call: Statement<{ rows: string[] }> = {
  name: '',
  text: 'select on_shard($1, $2, $3, $4, $5, $6) as rows',
}

const described = new WeakMap<Statement<unknown>, readonly Field[]>()

function fieldsOfStatement(client: pg.ClientBase, sql: Statement<unknown>) {
  return described.get(sql) ?? describeOnce(client, sql)
}

async function describeOnce(client: pg.ClientBase, sql: Statement<unknown>): Promise<readonly Field[]> {
  const fields = await describe(client, sql.text)
  described.set(sql, fields)
  return fields
}

/** A row with the types of the statement. `place` counts the rows that were given, over all shards. */
function rowOf<Row>(text: string, fields: readonly Field[], part: ShardPart): Row {
  const row: Record<string, unknown> = {}
  const values = fieldsOf(text)
  for (const [index, { name, dataTypeID }] of fields.entries()) {
    const value = values[index] ?? null
    row[name] = value === null ? null : types.getTypeParser(dataTypeID)(value)
  }
  if (typeof row.place === 'number') row.place = part.places[row.place - 1]
  return row as Row
}
