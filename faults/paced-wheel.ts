import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'
import { hotStock, wheelOf } from './test-merchant.ts'

/** How many runs the wheel has: two prizes and the budget. */
export const pacedRuns = 3

/** The wheel of a round, whose mugs are paid from a budget, whose codes are paced, and with one more paced prize. */
export function pacedWheel(now: Date): WheelDocument {
  const at = (seconds: number) => new Date(now.getTime() + 1000 * seconds).toISOString()
  const periods = [
    { from: at(2), until: at(16) },
    { from: at(18), until: at(38) },
  ]
  const pace = { units: 20, periods, lastCallSeconds: 4 }
  const { segments, ...rest } = wheelOf(hotStock, 10)
  const gift = {
    id: 'gift',
    label: 'Gift',
    color: '#663399',
    weight: 30,
    prize: { kind: 'handover' },
  } as const
  return {
    ...rest,
    budget: { amount: 15, periods },
    segments: [
      ...segments.map((segment) => {
        if (segment.id === 'hot') return { ...segment, cost: 1 }
        return segment.id === 'code' ? { ...segment, pace } : segment
      }),
      { ...gift, pace },
    ],
  }
}
