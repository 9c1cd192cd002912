import type { TurnResult } from './driver/closed-loop.ts'

/** One contestant's turn in one round. Cost is processor time per answer, in microseconds. */
export type Measured = TurnResult & { name: string; round: number; cost: Cost }
export type Cost = { server: number | undefined; database: number | undefined; driver: number }
