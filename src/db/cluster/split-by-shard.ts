import assert from 'node:assert/strict'

/**
 * Parameters of a statement that are rows, by column, counted from 1. The first one is the shard, one for each row or
 * one for all, unless another one is named.
 */
export type ShardColumns = readonly [first: number, last: number, shard?: number]

/** The part of a statement's values that belongs to one shard. `places`: of its rows, in the first columns. */
export type ShardPart = { shard: number; values: readonly unknown[]; places: readonly number[] }

/** The values by shard, in the order of the shards, which is the order of locks everywhere. */
export function splitByShard(columns: readonly ShardColumns[], values: readonly unknown[]): ShardPart[] {
  const shards = new Set(columns.flatMap(([first, , shard = first]) => shardsOf(values[shard - 1])))
  const sorted = [...shards].toSorted((one, other) => one - other)
  if (sorted.length === 1)
    return [{ shard: sorted[0] as number, values, places: placesOf(values, columns[0]) }]
  return sorted.map((shard) => partOf(shard, columns, values))
}

function partOf(shard: number, columns: readonly ShardColumns[], values: readonly unknown[]): ShardPart {
  const part = [...values]
  let places: number[] | undefined
  for (const [first, last, shardAt = first] of columns) {
    const own = shardsOf(values[shardAt - 1]).flatMap((one, index) => (one === shard ? [index] : []))
    places ??= own.map((index) => index + 1)
    for (let column = first - 1; column < last; column++) part[column] = picked(values[column], own)
  }
  return { shard, values: part, places: places ?? [] }
}

function picked(column: unknown, places: readonly number[]): unknown {
  if (Array.isArray(column)) return places.map((place) => column[place] as unknown)
  assert(typeof column === 'string' && column.startsWith('{'), 'rows of several shards are columns of arrays')
  // As `bytesArray` makes it.
  const items = column.slice(1, -1).split(',')
  return `{${places.map((place) => items[place]).join(',')}}`
}

function placesOf(values: readonly unknown[], columns: ShardColumns | undefined): number[] {
  return shardsOf(values[(columns?.[0] ?? 1) - 1]).map((_, index) => index + 1)
}

function shardsOf(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]) as number[]
}
