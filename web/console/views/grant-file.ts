/** Reads a CSV of grants and reports the problems of each line before anything is sent. Pure. */
import { zonedMoment } from '../parts/zoned-time.ts'

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
/** `head`: the line with the names of the columns, if there is one. */
export type GrantFile = { grants: GrantLine[]; wrong: WrongLine[]; spins: number; head?: string }

const spinNumberMax = 1_000_000
const columns = {
  playerId: ['playerid', 'player', 'id'],
  spinNumber: ['spinnumber', 'spins', 'count'],
  key: ['key', 'idempotencykey'],
  reason: ['reason', 'note'],
  expiresAt: ['expiresat', 'expires', 'until'],
} as const

/** A day without a time means the end of that day in `zone`. */
export function readGrantFile(text: string, zone = 'UTC'): GrantFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const separator = (lines[0] ?? '').includes(';') ? ';' : (lines[0] ?? '').includes('\t') ? '\t' : ','
  const head = cells(lines[0] ?? '', separator).map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const place = (name: keyof typeof columns) =>
    head.findIndex((cell) => (columns[name] as readonly string[]).includes(cell))
  const hasHead = place('playerId') >= 0 && place('spinNumber') >= 0
  const at = hasHead
    ? {
        playerId: place('playerId'),
        spinNumber: place('spinNumber'),
        key: place('key'),
        reason: place('reason'),
        expiresAt: place('expiresAt'),
      }
    : { playerId: 0, spinNumber: 1, key: 2, reason: 3, expiresAt: 4 }
  const file: GrantFile = {
    grants: [],
    wrong: [],
    spins: 0,
    ...(hasHead ? { head: lines[0] as string } : {}),
  }
  if (!hasHead && /^[^\d]*\p{L}[^\d]*$/u.test(cells(lines[0] ?? '', separator)[1] ?? '')) {
    // Words where a grant has its number: headings that nobody knows.
    file.wrong.push({ line: 1, text: lines[0] ?? '', problem: 'import.badHead' })
    return file
  }
  const keys = new Set<string>()
  lines.forEach((line, index) => {
    if (line.trim() === '' || (hasHead && index === 0)) return
    const found = cells(line, separator)
    const [playerId, spins, key, reason, expires] = [
      found[at.playerId] ?? '',
      found[at.spinNumber] ?? '',
      found[at.key] ?? '',
      found[at.reason] ?? '',
      found[at.expiresAt] ?? '',
    ]
    const problem = problemOf({ playerId, spins, key, reason, expires }, keys)
    if (problem !== undefined) {
      file.wrong.push({ line: index + 1, text: line, problem })
      return
    }
    if (key !== '') keys.add(`${playerId}\n${key}`)
    file.spins += Number(spins)
    file.grants.push({
      line: index + 1,
      playerId,
      spinNumber: Number(spins),
      ...(key === '' ? {} : { key }),
      ...(reason === '' ? {} : { reason }),
      ...(expires === '' ? {} : { expiresAt: momentOf(expires, zone) }),
    })
  })
  return file
}

function problemOf(
  row: { playerId: string; spins: string; key: string; reason: string; expires: string },
  keys: ReadonlySet<string>,
): string | undefined {
  const { playerId, spins, key, reason, expires } = row
  if (playerId === '') return 'import.noPlayer'
  if (playerId.length > 128 || /[\p{Cc}\p{Cs}]/u.test(playerId)) return 'import.badPlayer'
  if (!/^\d{1,7}$/.test(spins) || Number(spins) < 1 || Number(spins) > spinNumberMax) return 'import.badSpins'
  if (key !== '' && !/^[\x21-\x7e]{1,255}$/.test(key)) return 'import.badKey'
  if (key !== '' && keys.has(`${playerId}\n${key}`)) return 'import.doubleKey'
  if (reason.length > 500) return 'import.badReason'
  if (expires !== '' && !isDay(expires) && !isMoment(expires)) return 'import.badExpiry'
  return undefined
}

/** A time without its zone would mean another moment for each reader. The server checks whether it is in the future. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text))
}

function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && isoDay(Date.parse(`${text}T00:00Z`)) === text
}

function momentOf(text: string, zone: string): string {
  if (!isDay(text)) return new Date(text).toISOString()
  const next = isoDay(Date.parse(`${text}T00:00Z`) + 86_400_000)
  // Some zones change their clocks at midnight and skip it.
  const end = zonedMoment(`${next}T00:00`, zone) ?? zonedMoment(`${next}T01:00`, zone)
  return (end as Date).toISOString()
}

function isoDay(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

function cells(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim())
  const found: string[] = []
  let rest = line
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const cell =
      quoted === null
        ? rest.slice(0, end === -1 ? undefined : end).trim()
        : (quoted[1] as string).replaceAll('""', '"')
    found.push(cell)
    const next = end === -1 ? '' : rest.slice(end)
    if (!next.startsWith(separator)) return found
    rest = next.slice(1)
  }
}
