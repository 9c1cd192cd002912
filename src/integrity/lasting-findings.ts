import { isDeepStrictEqual } from 'node:util'

/** An invariant that does not hold, with examples of offending rows. */
export type Finding = { check: string; count: number; examples: unknown[] }

/**
 * The later findings that were there before, with at least one of the same rows. Where there are more rows than
 * examples, the check is enough.
 */
export function lastingFindings(before: readonly Finding[], later: readonly Finding[]): Finding[] {
  return later.filter(({ check, count, examples }) => {
    const earlier = before.find((one) => one.check === check)
    if (earlier === undefined) return false
    if (count > examples.length && earlier.count > earlier.examples.length) return true
    return examples.some((row) => earlier.examples.some((other) => isDeepStrictEqual(row, other)))
  })
}
