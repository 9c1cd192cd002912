import { toParameter } from '../parameters.ts'
import type { ShardTables } from './shard-map.ts'

/** A statement as it is for the tables of one shard. */
type ShardStatement = {
  text: string
  /** Between two pieces is the parameter of that number. */
  pieces: string[]
  parameters: number[]
  uses: number
}

/** Arguments of `on_shard`: a text to run, or one to prepare under a name, and the text that runs it. */
type ShardCall = { name: string | null; prepared: string | null; text: string }

const known = new WeakMap<ShardTables, Map<string, ShardStatement>>()

/**
 * A statement on the tables of one shard, with its values written into it. One that is used often is prepared: to plan
 * it takes longer than to run it. Each connection to a worker keeps one plan for each shard, so rare ones are not.
 */
export function shardCall(
  tables: ShardTables,
  { name, text }: { name: string; text: string },
  values: readonly unknown[],
): ShardCall {
  const own = statementOf(tables, text)
  own.uses++
  if (own.uses <= usesBeforePrepared) return { name: null, prepared: null, text: written(own, values) }
  const shardName = `w${tables.anchor}_${name}`
  const listed = values.length === 0 ? '' : `(${values.map(literal).join(',')})`
  return { name: shardName, prepared: own.text, text: `execute ${shardName}${listed}` }
}

const usesBeforePrepared = 5

function statementOf(tables: ShardTables, text: string): ShardStatement {
  let ofShard = known.get(tables)
  if (ofShard === undefined) known.set(tables, (ofShard = new Map()))
  let own = ofShard.get(text)
  if (own === undefined) ofShard.set(text, (own = made(renamed(tables, text))))
  return own
}

function made(text: string): ShardStatement {
  const parts = text.split(/\$(\d+)/)
  return {
    text,
    pieces: parts.filter((_, index) => index % 2 === 0),
    parameters: parts.filter((_, index) => index % 2 === 1).map(Number),
    uses: 0,
  }
}

function written({ pieces, parameters }: ShardStatement, values: readonly unknown[]): string {
  let text = pieces[0] as string
  for (const [index, parameter] of parameters.entries())
    text += literal(values[parameter - 1]) + (pieces[index + 1] as string)
  return text
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

/** With the names of physical tables. */
export function renamed({ names }: Pick<ShardTables, 'names'>, text: string): string {
  return text.replace(/(?<!["'.\w])[a-z_]+\b(?!["'])/g, (word) => names.get(word) ?? word)
}

/** As a parameter is: a quoted text, whose type follows from its place. */
function literal(value: unknown): string {
  const parameter = toParameter(value)
  if (parameter === null || parameter === undefined) return 'null'
  if (Buffer.isBuffer(parameter)) return quoted(`\\x${parameter.toString('hex')}`)
  return quoted(typeof parameter === 'string' ? parameter : JSON.stringify(parameter))
}

/** The driver's own function goes through the text letter by letter. */
function quoted(text: string): string {
  const single = text.includes("'") ? text.replaceAll("'", "''") : text
  return text.includes('\\') ? ` e'${single.replaceAll('\\', '\\\\')}'` : `'${single}'`
}
