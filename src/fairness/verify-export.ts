import { hashOfPlay } from './award-chain.ts'
import type { Hashing } from './draw.ts'
import type { PacedVersion } from './verify-gates.ts'
import { type ProvenPlay, verifyPlay } from './verify-play.ts'
import { checkGates, type RevealedRun, verifyRun } from './verify-run.ts'

/** A run that has ended, as in an export. In the run of a budget, units are cents. */
export type ExportedRun = RevealedRun & { isBudget: boolean }

type ExportedPlay = ProvenPlay & { playId: string }

export type VerifiedLine =
  | { published: string }
  | { run: ExportedRun }
  // One play that a player copied has its wheel beside it.
  | { play: ExportedPlay; published?: string }

export type VerifiedExport = {
  plays: number
  runs: number
  /** Plays whose gates can't be checked yet, because their runs have not ended. */
  later: number
  wrong: number
  complaints: { of: string; complaints: string[] }[]
}

const complaintsShownMax = 20

/** Checks an export line by line. Runs come before plays, and a published wheel before its first play. */
export class ExportVerifier {
  readonly #hashing: Hashing
  readonly #published = new Map<string, string>()
  readonly #runs = new Map<string, ExportedRun>()
  /** The awards whose plays have not been seen yet, by run. */
  readonly #awarded = new Map<string, Set<string>>()
  readonly #result: VerifiedExport = { plays: 0, runs: 0, later: 0, wrong: 0, complaints: [] }

  constructor(hashing: Hashing) {
    this.#hashing = hashing
  }

  add(line: VerifiedLine): void {
    if ('run' in line) this.#addRun(line.run)
    else if ('play' in line) this.#addPlay(line.play, line.published)
    else this.#published.set(this.#hashing.sha256(line.published), line.published)
  }

  finish(): VerifiedExport {
    for (const [commitment, awards] of this.#awarded)
      if (awards.size > 0) this.#complain(`run ${commitment}`, ['every award went to a play of this export'])
    return this.#result
  }

  #addRun(run: ExportedRun): void {
    this.#result.runs++
    this.#runs.set(run.commitment, run)
    const awards = run.entries.filter(({ kind }) => kind === 'award').map(({ play }) => play)
    this.#awarded.set(run.commitment, new Set(awards))
    const failed = verifyRun(run, run.isBudget, this.#hashing).filter(({ holds }) => !holds)
    this.#complain(
      `run ${run.commitment}`,
      failed.map(({ says }) => says),
    )
  }

  #addPlay(play: ExportedPlay, own: string | undefined): void {
    this.#result.plays++
    const name = hashOfPlay(play.playId, this.#hashing)
    for (const awards of this.#awarded.values()) awards.delete(name)
    const published = own ?? this.#published.get(play.proof.versionHash)
    const failed =
      published === undefined
        ? ['its published wheel is in the export']
        : [...this.#failedSteps(play, published), ...this.#failedGates(play, published)]
    this.#complain(`play ${play.playId}`, failed)
  }

  #failedSteps(play: ExportedPlay, published: string): string[] {
    const steps = verifyPlay(play, published, this.#hashing)
    return steps.filter(({ holds }) => !holds).map(({ says }) => says)
  }

  #failedGates(play: ExportedPlay, published: string): string[] {
    if (play.proof.gates === undefined) return []
    const found = checkGates(play, JSON.parse(published) as PacedVersion, this.#runs, this.#hashing)
    if (found === 'later') this.#result.later++
    return found === 'wrong' ? ['its gates are those of the run that was revealed'] : []
  }

  /** Complaints are sentences that are not true. */
  #complain(of: string, complaints: string[]): void {
    if (complaints.length === 0) return
    this.#result.wrong++
    if (this.#result.complaints.length < complaintsShownMax) this.#result.complaints.push({ of, complaints })
  }
}
