import pg from 'pg'
import { toParameter } from '../parameters.ts'
import type { ShardTables } from './shard-map.ts'

/** A text in pieces: between two of them is the parameter of that number. */
type Pieces = { texts: string[]; parameters: number[] }

const known = new WeakMap<ShardTables, Map<string, Pieces>>()

/** A statement on the tables of one shard, with its values written into it. */
export function shardText(tables: ShardTables, text: string, values: readonly unknown[]): string {
  let ofShard = known.get(tables)
  if (ofShard === undefined) known.set(tables, (ofShard = new Map()))
  let pieces = ofShard.get(text)
  if (pieces === undefined) ofShard.set(text, (pieces = piecesOf(renamed(tables, text))))
  let written = pieces.texts[0] as string
  for (const [index, parameter] of pieces.parameters.entries())
    written += literal(values[parameter - 1]) + (pieces.texts[index + 1] as string)
  return written
}

/** Whether the statement gives rows: one that only writes has no `returning`. */
export function givesRows(text: string): boolean {
  let top = text
  for (let before = ''; before !== top;) {
    before = top
    top = top.replace(/\([^()]*\)/g, '')
  }
  return /\breturning\b/.test(top) || !/\b(insert into|update|delete from)\b/.test(top)
}

function renamed({ names }: ShardTables, text: string): string {
  return text.replace(/(?<!["'.\w])[a-z_]+\b(?!["'])/g, (word) => names.get(word) ?? word)
}

function piecesOf(text: string): Pieces {
  const parts = text.split(/\$(\d+)/)
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    parameters: parts.filter((_, index) => index % 2 === 1).map(Number),
  }
}

/** As a parameter is: a quoted text, whose type follows from its place. */
function literal(value: unknown): string {
  const parameter = toParameter(value)
  if (parameter === null || parameter === undefined) return 'null'
  if (Buffer.isBuffer(parameter)) return pg.escapeLiteral(`\\x${parameter.toString('hex')}`)
  const text = typeof parameter === 'object' ? JSON.stringify(parameter) : String(parameter)
  return pg.escapeLiteral(text)
}
