import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { slugOf } from './slug.ts'

export const palette = [
  '#7c3aed',
  '#e11d48',
  '#f59e0b',
  '#10b981',
  '#0ea5e9',
  '#db2777',
  '#ea580c',
  '#4f46e5',
]

export function newSegment(segments: readonly WheelSegment[]): WheelSegment {
  const color = palette.find((one) => !segments.some((segment) => segment.color === one)) ?? '#7c3aed'
  return {
    id: slugOf(
      'new prize',
      segments.map((segment) => segment.id),
    ),
    label: 'New prize',
    color,
    weight: 10,
    prize: { kind: 'handover' },
  }
}
