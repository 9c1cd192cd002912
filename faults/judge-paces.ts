import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashOfPlay } from '../src/fairness/award-chain.ts'
import { hashing } from '../src/fairness/hashing.ts'
import type { ExportedRun, VerifiedExport } from '../src/fairness/verify-export.ts'
import { makeFolder, removeFolder } from './children.ts'
import { Findings, type Finding } from './evidence.ts'
import type { Call } from './history.ts'
import { pacedRuns } from './paced-wheel.ts'

type Facts = {
  databaseUrl: string
  merchant: { slug: string }
  calls: readonly Call[]
  /** How far the clock of a server is ahead. */
  clockAheadMs: number
}

/** A stamp is rounded to milliseconds, and two clocks are read. */
const toleranceMs = 20

/** Exports all plays after the end of the runs, checks them with `wheelhouse verify`, and compares clocks. */
export async function judgePaces(facts: Facts): Promise<{ findings: Finding[]; figures: string }> {
  const findings = new Findings()
  const { lines, verified } = await exportAndVerify(facts)
  findings.check(verified.wrong === 0, 'verify: a run or a play is wrong', verified.complaints)
  const runs = lines.flatMap((line) => ('run' in line ? [line.run as ExportedRun] : []))
  findings.check(runs.length === pacedRuns && verified.later === 0, 'a run can not be verified', verified)
  const awards = runs.flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'award'))
  findings.check(awards.length > 0, 'no paced prize was given', undefined)
  const earlyMs = Math.max(0, ...earlinessOf(awards, facts.calls))
  findings.check(
    earlyMs <= facts.clockAheadMs + toleranceMs,
    'a unit was given before its moment by more than the clocks differ',
    earlyMs,
  )
  const given = runs.map((run) => `${run.entries.at(-1)?.unit ?? 0} of ${run.units}`).join(', ')
  const held = lines.filter((line) => 'play' in line && isHeldBack(line.play as Held)).length
  const figures = `runs: ${given} given; ${held} of ${verified.plays} plays held back; ${verified.wrong} wrong; at most ${earlyMs} ms early`
  return { findings: findings.list, figures }
}

type Held = { fallbackReason: string | null }

function isHeldBack({ fallbackReason }: Held): boolean {
  return fallbackReason === 'not_released' || fallbackReason === 'budget'
}

/**
 * By how many milliseconds the time of an award is later than its answer, for each award that was answered. `verify`
 * shows that no award is before its moment by the time that the server gave it; this compares that time with our clock.
 */
function earlinessOf(awards: ExportedRun['entries'], calls: readonly Call[]): number[] {
  const answered = new Map<string, number>()
  for (const { kind, key, outcome, answeredAt } of calls) {
    if (kind !== 'play' || outcome !== 'ok' || key === undefined) continue
    const play = hashOfPlay(key, hashing)
    const at = Math.ceil(performance.timeOrigin + answeredAt)
    answered.set(play, Math.min(at, answered.get(play) ?? Infinity))
  }
  return awards.map(({ at, play }) => at - (answered.get(play) ?? Infinity))
}

async function exportAndVerify(facts: Facts) {
  const folder = makeFolder()
  const file = join(folder, 'plays.ndjson')
  const exported = await runCommand(facts, ['plays', 'export', facts.merchant.slug])
  writeFileSync(file, exported)
  const verified = JSON.parse(await runCommand(facts, ['verify', file, '--json'])) as VerifiedExport
  removeFolder(folder)
  const lines = exported.trim().split('\n')
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), verified }
}

/** Runs a command with the clock set to tomorrow, when all runs have ended. */
async function runCommand({ databaseUrl }: Facts, args: string[]): Promise<string> {
  const clock = join(import.meta.dirname, 'shifted-clock.ts')
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const { PATH } = process.env
  const env = { PATH, DATABASE_URL: databaseUrl, CLOCK_SHIFT_MS: '86400000' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', clock, main, ...args], {
    env,
    cwd: '/',
    timeout: 120_000,
    maxBuffer: 2 ** 28,
  }).catch((error: { stdout?: string; code?: unknown }) => {
    // The exit code of verify is 2 if something is wrong.
    if (error.code !== 2) throw error
    return { stdout: error.stdout ?? '' }
  })
  return stdout
}
