import { Readable } from 'node:stream'
import type { TObject } from 'typebox'
import { visibleText } from '../../../visible-text.ts'

/** Rows as they are read, written as they are asked for: however many there are, few are in memory. */

export type Row = Record<string, string | number | boolean | null>

const chunkLengthMin = 32 * 1024

/** A JSON object a line. */
export function ndjsonOf(rows: AsyncIterable<object>): Readable {
  return Readable.from(inChunks(ndjsonLines(rows)))
}

/** `hasByteOrderMark` tells Excel that the text is UTF-8. */
type CsvDialect = { separator: ',' | ';'; decimal: '.' | ','; hasByteOrderMark: boolean }

const standardCsv: CsvDialect = { separator: ',', decimal: '.', hasByteOrderMark: false }

/** CSV (RFC 4180) with a header. All rows have the columns of `columns`, in any order. */
export function csvOf(
  columns: readonly string[],
  rows: AsyncIterable<Row>,
  dialect: CsvDialect = standardCsv,
): Readable {
  return Readable.from(inChunks(csvLines(columns, rows, dialect)))
}

export type Column = { name: string; isTime: boolean; isDay?: boolean; isMoney?: boolean }

/** The columns of rows that hold objects: `proof.ticket`. An object of unknown fields stays whole, as JSON. */
export function flatColumns(schema: TObject, before = ''): Column[] {
  return Object.entries(schema.properties).flatMap(([name, part]) => {
    const { properties = {} } = part as Partial<TObject>
    return Object.keys(properties).length > 0
      ? flatColumns(part as TObject, `${before}${name}.`)
      : [
          {
            name: `${before}${name}`,
            isTime: hasFormat(part, 'date-time'),
            isDay: hasFormat(part, 'date'),
            isMoney: name === 'cost',
          },
        ]
  })
}

function hasFormat(schema: { format?: string; anyOf?: { format?: string }[] }, wanted: string): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === wanted)
}

/** Rows of objects as rows of cells, under the names of `flatColumns`. */
export async function* flattened(rows: AsyncIterable<object>): AsyncGenerator<Row> {
  for await (const row of rows) yield { ...flatten(row), ...visibleIds(row) }
}

/** In a spreadsheet nobody sees what an id hides, and two could look the same. */
function visibleIds(row: { playerId?: unknown; subject?: unknown }): Row {
  const { playerId, subject } = row
  return {
    ...(typeof playerId === 'string' ? { playerId: visibleText(playerId) } : {}),
    ...(typeof subject === 'string' ? { subject: visibleText(subject) } : {}),
  }
}

function flatten(row: object): Row {
  const cells: Row = {}
  for (const [name, value] of Object.entries(row) as [string, Row[string] | object][]) {
    cells[name] = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    if (typeof value !== 'object' || value === null) continue
    for (const [inner, cell] of Object.entries(flatten(value))) cells[`${name}.${inner}`] = cell
  }
  return cells
}

async function* ndjsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function* csvLines(
  columns: readonly string[],
  rows: AsyncIterable<Row>,
  { separator, decimal, hasByteOrderMark }: CsvDialect,
): AsyncGenerator<string> {
  yield `${hasByteOrderMark ? '\uFEFF' : ''}${columns.join(separator)}\r\n`
  for await (const row of rows)
    yield `${columns.map((column) => csvCell(row[column] ?? null, decimal)).join(separator)}\r\n`
}

/** Lines in larger pieces: one write for each row would cost more than the rows. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunkLengthMin) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * A spreadsheet takes text that starts with one of these for a formula, and runs it; an apostrophe keeps it text.
 * Numbers are left alone: an amount may well be below zero.
 */
const formulaStart = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

export function csvCell(value: string | number | boolean | null, decimal: '.' | ',' = '.'): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? escapeFormula(value) : String(value).replace('.', decimal)
  return /[",;\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function escapeFormula(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text
}
