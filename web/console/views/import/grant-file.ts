/** Reads the lines of a file as grants, and reports the problem of each line before anything is sent. Pure. */
import { dayStart, daysAfter, zonedMoment } from '../../parts/zoned-time.ts'
import type { CsvRow } from './csv-rows.ts'
import { type DayOrder, guessDayOrder, readWrittenDay } from './written-days.ts'

export type GrantLine = {
  line: number
  playerId: string
  spinNumber: number
  key?: string
  reason?: string
  /** As RFC 3339, in UTC. */
  expiresAt?: string
}
type WrongLine = { line: number; text: string; problem: string }
/** `head`: the line with the names of the columns, if there is one. `repeated`: players in more than one line. */
export type GrantFile = {
  grants: GrantLine[]
  wrong: WrongLine[]
  spins: number
  head?: string
  repeated: { playerId: string; lines: number[] }[]
}

export const grantFields = ['playerId', 'spinNumber', 'key', 'reason', 'expiresAt'] as const
export type GrantField = (typeof grantFields)[number]

/** Where a file has its fields: the index of the column, or -1. */
export type Layout = {
  hasHead: boolean
  columns: Readonly<Record<GrantField, number>>
  dayOrder: DayOrder
}

/** What holds for the whole file. `expiresAt`: for lines without a time of their own. */
type ForAll = { zone: string; expiresAt?: string | undefined }

const spinNumberMax = 1_000_000
const headings: Readonly<Record<GrantField, readonly string[]>> = {
  playerId: ['playerid', 'player', 'id'],
  spinNumber: ['spinnumber', 'spins', 'count'],
  key: ['key', 'idempotencykey'],
  reason: ['reason', 'note'],
  expiresAt: ['expiresat', 'expires', 'until'],
}

/**
 * By the headings, or in the order of the fields. Headings that nobody knows leave the choice to the person. The days
 * of the file may have another order than the preferred one.
 */
export function guessLayout(rows: readonly CsvRow[], preferred: DayOrder): Layout {
  const layout = guessColumns(rows)
  return { ...layout, dayOrder: guessDayOrder(expiryTexts(rows, layout), preferred) }
}

/** What the lines have in the column of the expiry. */
export function expiryTexts(
  rows: readonly CsvRow[],
  { hasHead, columns }: Pick<Layout, 'hasHead' | 'columns'>,
): string[] {
  return (hasHead ? rows.slice(1) : rows).map(({ cells }) => cells[columns.expiresAt] ?? '')
}

function guessColumns(rows: readonly CsvRow[]): Pick<Layout, 'hasHead' | 'columns'> {
  const first = rows[0]?.cells ?? []
  const names = first.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const named = columnsBy((field) => names.findIndex((name) => headings[field].includes(name)))
  if (named.playerId >= 0 && named.spinNumber >= 0) return { hasHead: true, columns: named }
  // Words where a grant has its number.
  if (/^[^\d]*\p{L}[^\d]*$/u.test(first[1] ?? '')) return { hasHead: true, columns: named }
  const width = Math.max(...rows.slice(0, 100).map(({ cells }) => cells.length), 2)
  const inOrder = columnsBy((_, index) => (index < width ? index : -1))
  return { hasHead: false, columns: inOrder }
}

export function isComplete({ columns }: Layout): boolean {
  return columns.playerId >= 0 && columns.spinNumber >= 0
}

export function readGrants(rows: readonly CsvRow[], layout: Layout, forAll: ForAll): GrantFile {
  const body = layout.hasHead ? rows.slice(1) : rows
  const head = layout.hasHead ? rows[0]?.text : undefined
  const file: GrantFile = {
    grants: [],
    wrong: [],
    spins: 0,
    ...(head === undefined ? {} : { head }),
    repeated: [],
  }
  const keys = new Set<string>()
  for (const row of body) {
    const found = columnsBy((field) => row.cells[layout.columns[field]] ?? '')
    const expiresAt = found.expiresAt === '' ? forAll.expiresAt : momentOf(found.expiresAt, layout, forAll)
    const problem = problemOf(found, keys, found.expiresAt === '' || expiresAt !== undefined)
    if (problem !== undefined) {
      file.wrong.push({ line: row.line, text: row.text, problem })
      continue
    }
    const { playerId, key, reason } = found
    if (key !== '') keys.add(`${playerId}\n${key}`)
    file.spins += Number(found.spinNumber)
    file.grants.push({
      line: row.line,
      playerId,
      spinNumber: Number(found.spinNumber),
      ...(key === '' ? {} : { key }),
      ...(reason === '' ? {} : { reason }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
  }
  return { ...file, repeated: repeatedPlayers(file.grants) }
}

function columnsBy<Value>(valueOf: (field: GrantField, index: number) => Value): Record<GrantField, Value> {
  return Object.fromEntries(grantFields.map((field, index) => [field, valueOf(field, index)])) as Record<
    GrantField,
    Value
  >
}

function problemOf(
  { playerId, spinNumber, key, reason }: Record<GrantField, string>,
  keys: ReadonlySet<string>,
  hasGoodExpiry: boolean,
): string | undefined {
  if (playerId === '') return 'import.noPlayer'
  if (playerId.length > 128 || /[\p{Cc}\p{Cs}]/u.test(playerId)) return 'import.badPlayer'
  if (!/^\d{1,7}$/.test(spinNumber) || Number(spinNumber) < 1 || Number(spinNumber) > spinNumberMax)
    return 'import.badSpins'
  if (key !== '' && !/^[\x21-\x7e]{1,255}$/.test(key)) return 'import.badKey'
  if (key !== '' && keys.has(`${playerId}\n${key}`)) return 'import.doubleKey'
  if (reason.length > 500) return 'import.badReason'
  return hasGoodExpiry ? undefined : 'import.badExpiry'
}

/**
 * A day ends at midnight in the zone of the merchant, and a time without a zone is in it. Undefined if the text is
 * neither. The server checks whether it is in the future.
 */
function momentOf(text: string, { dayOrder }: Layout, { zone }: ForAll): string | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/i.test(text))
    return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
  const written = readWrittenDay(text, dayOrder)
  if (written === undefined) return undefined
  if (written.includes('T')) return zonedMoment(written, zone)?.toISOString()
  return dayStart(daysAfter(written, 1), zone)?.toISOString()
}

function repeatedPlayers(grants: readonly GrantLine[]): GrantFile['repeated'] {
  return [...Map.groupBy(grants, ({ playerId }) => playerId)]
    .filter(([, own]) => own.length > 1)
    .map(([playerId, own]) => ({ playerId, lines: own.map(({ line }) => line) }))
}
