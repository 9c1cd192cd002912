import type { FreeSpinRule } from '../free-spin-rule/free-spin-rule.ts'
import type { Schedule } from '../wheel-document/wheel-types.ts'
import { decideFreeSpins, type FreeSpinCase, nextCollection } from './decide-free-spins.ts'

/** Free spins of a player who never misses a period. */
type PreviewedSpins = { at: Date; spins: number; expiresAt: Date; streak: number }

/** What a rule would give to a new player in a time zone, over the next days. */
export function previewFreeSpins(
  rule: FreeSpinRule,
  { schedule, timeZone, now, days }: { schedule: Schedule; timeZone: string; now: Date; days: number },
): PreviewedSpins[] {
  const end = new Date(now.getTime() + days * 86_400_000)
  const active = { ...rule, since: now.toISOString() }
  let given: FreeSpinCase = { rule: active, schedule, state: undefined, timeZone, interruptions: [], now }
  const spins: PreviewedSpins[] = []
  for (let at: Date | undefined = now; at !== undefined && at < end; at = nextCollection(given)) {
    given = { ...given, now: at }
    const collection = decideFreeSpins(given)
    const due = collection?.due.at(-1)
    if (collection === undefined || due === undefined) continue
    spins.push({ at, spins: due.amount, expiresAt: due.expiresAt, streak: collection.state.streak })
    given = { ...given, state: collection.state }
  }
  return spins
}
