import type { Fault } from './round.ts'

/** Faults that need a scene of their own. */
export const specialFaults: Fault[] = []
