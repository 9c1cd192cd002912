import { cpus } from 'node:os'
import type { Measured } from './measured.ts'

/** The median and range of a figure over the rounds. */
export type Spread = { median: number; min: number; max: number }

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const median = ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number }
}

/** The ratio of two contestants' `figure`, formed within each round, since noise in a round affects both. */
export function ratioOf(
  measured: readonly Measured[],
  name: string,
  peer: string,
  figure: (turn: Measured) => number = answerRate,
): Spread | undefined {
  const of = (wanted: string) => measured.filter((turn) => turn.name === wanted)
  const peers = new Map(of(peer).map((turn) => [turn.round, turn]))
  const ratios = of(name).flatMap((turn) => {
    const other = peers.get(turn.round)
    return other === undefined ? [] : [figure(turn) / figure(other)]
  })
  return ratios.length === 0 ? undefined : spreadOf(ratios)
}

export function answerRate(turn: { answers: number; seconds: number }): number {
  return turn.answers / turn.seconds
}

/**
 * The rate that the processor time alone would allow on idle cores: the server and the driver have one thread each, and
 * all processes share the cores. On a busy machine this is steadier than the measured rate. It ignores waits for the
 * disk.
 */
export function answerRateByCost({ cost }: Measured): number {
  const { server, database, driver } = cost
  if (server === undefined || database === undefined) return Number.NaN
  return 1e6 / Math.max(server, driver, (server + database + driver) / cpus().length)
}

/** One line per contestant: its rate, Wheelhouse's ratio to it, latency, and processor time by process. */
export function printTurns(title: string, measured: readonly Measured[]): void {
  console.log(`\n${title}`)
  const rows = [...new Set(measured.map((turn) => turn.name))].map((name) => rowOf(measured, name))
  printTable(
    ['', 'answers/s', 'by rate', 'by cost', 'p50 ms', 'p99 ms', 'µs server', 'database', 'driver', 'in all'],
    rows.toSorted((one, other) => Number(other[1]) - Number(one[1])),
  )
}

function rowOf(measured: readonly Measured[], name: string): string[] {
  const turns = measured.filter((turn) => turn.name === name)
  const median = (figure: (turn: Measured) => number) => spreadOf(turns.map(figure)).median
  const ratio = ratioOf(measured, 'wheelhouse', name)
  const byCost = ratioOf(measured, 'wheelhouse', name, answerRateByCost)
  return [
    name,
    String(Math.round(median(answerRate))),
    name === 'wheelhouse' || ratio === undefined ? '' : showRatio(ratio),
    name === 'wheelhouse' || byCost === undefined || Number.isNaN(byCost.median) ? '' : digits(byCost.median),
    number(median((turn) => turn.latency.p50)),
    number(median((turn) => turn.latency.p99)),
    ...(['server', 'database', 'driver'] as const).map((part) =>
      micros(median((turn) => turn.cost[part] ?? Number.NaN)),
    ),
    micros(median(({ cost }) => (cost.server ?? Number.NaN) + (cost.database ?? Number.NaN) + cost.driver)),
  ]
}

function number(value: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(2)
}

function micros(value: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(0)
}

export function showRatio({ median, min, max }: Spread): string {
  return `${digits(median)} (${digits(min)}–${digits(max)})`
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  for (const row of [head, ...rows]) console.log(`  ${line(row)}`)
}
