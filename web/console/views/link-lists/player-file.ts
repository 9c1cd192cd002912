/** Reads who gets a link from a file. Pure. */
import { listedPlayersMax } from '../../../../src/link-list-limits.ts'
import type { CsvRow } from '../import/csv-rows.ts'

/** `column`: the one with the players, or -1. */
export type PlayerFile = { rows: readonly CsvRow[]; hasHead: boolean; column: number }

const headings = ['playerid', 'player', 'id', 'customer', 'customerid']

/** By the headings; a file of one column needs none. */
export function guessPlayers(rows: readonly CsvRow[]): PlayerFile {
  const names = (rows[0]?.cells ?? []).map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const named = names.findIndex((name) => headings.includes(name))
  if (named >= 0) return { rows, hasHead: true, column: named }
  const isOneColumn = rows.every(({ cells }) => cells.length === 1)
  return { rows, hasHead: false, column: isOneColumn ? 0 : -1 }
}

type Players = { playerIds: string[]; repeated: number; wrongLines: number[]; isTooLong: boolean }

export function readPlayers({ rows, hasHead, column }: PlayerFile): Players {
  const seen = new Set<string>()
  const wrongLines: number[] = []
  const body = hasHead ? rows.slice(1) : rows
  for (const { line, cells } of body) {
    const playerId = cells[column] ?? ''
    if (playerId === '' || playerId.length > 128 || /[\p{Cc}\p{Cs}]/u.test(playerId)) wrongLines.push(line)
    else seen.add(playerId)
  }
  return {
    playerIds: [...seen],
    repeated: body.length - wrongLines.length - seen.size,
    wrongLines,
    isTooLong: seen.size > listedPlayersMax,
  }
}
