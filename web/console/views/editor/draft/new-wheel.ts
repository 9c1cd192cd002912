import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
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

/** The segments of a new wheel: prizes, and a fallback for when they have run out. */
export function newWheel(name: string): WheelDocument {
  return {
    name,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    fallback: 'try-again',
    segments: [
      {
        id: 'first-prize',
        label: 'First prize',
        color: '#7c3aed',
        icon: '🎁',
        weight: 10,
        prize: { kind: 'handover' },
      },
      { id: 'try-again', label: 'Try again', color: '#334155', weight: 45, prize: { kind: 'none' } },
      {
        id: 'one-spin',
        label: '1 spin',
        color: '#db2777',
        icon: '⭐',
        weight: 20,
        prize: { kind: 'spins', spins: 1 },
      },
      { id: 'so-close', label: 'So close', color: '#475569', weight: 25, prize: { kind: 'none' } },
    ],
  }
}

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
