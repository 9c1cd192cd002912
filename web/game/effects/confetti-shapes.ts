/** What flies over the page after a win, by theme. Loaded on demand, with the library that draws it. */
import confetti, { type Options } from 'canvas-confetti'
import type { Theme } from '../look/themes.ts'

export type Celebrate = (win: Theme['win'], colours: string[]) => void

const paths = {
  petals: 'M0 10C-9 4-8-8 0-12 8-8 9 4 0 10Z',
  leaves: 'M0 12C-3 6-11 5-12-1-7-2-6-5-7-9-3-8-1-9 0-13 1-9 3-8 7-9 6-5 7-2 12-1 11 5 3 6 0 12Z',
  snow: 'M-1-12H1V-6L5-9 6-7 2-4 8-5V-3L2-1 8 3V5L2 4 6 7 5 9 1 6V12H-1V6L-5 9-6 7-2 4-8 5V3L-2 1-8-3V-5L-2-4-6-7-5-9-1-6Z',
}
/**
 * From 24 units to the 10 of the library, which would otherwise draw and scan each shape to find its size. It takes an
 * array, although its types say otherwise.
 */
const toShapeSize = [10 / 24, 0, 0, 10 / 24, 0, 0] as unknown as DOMMatrix
const colours: Partial<Record<Theme['win'], string[]>> = {
  petals: ['#f9a8d4', '#f472b6', '#fbcfe8', '#ffffff'],
  leaves: ['#c2410c', '#d97706', '#a16207', '#b91c1c', '#65a30d'],
  snow: ['#ffffff', '#e0f2fe', '#bae6fd'],
}

export function makeCannon(canvas: HTMLCanvasElement): { celebrate: Celebrate; reset: () => void } {
  const fire = confetti.create(canvas, { resize: true, disableForReducedMotion: true })
  const celebrate: Celebrate = (win, segmentColours) => {
    for (const shot of shotsOf(win)) void fire({ colors: colours[win] ?? segmentColours, ...shot })
  }
  return { celebrate, reset: () => fire.reset() }
}

function shotsOf(win: Theme['win']): Options[] {
  if (win === 'burst') return [{ particleCount: 40, spread: 70, startVelocity: 30, ticks: 110, scalar: 0.9 }]
  if (win === 'cannons') {
    const shared = { particleCount: 70, spread: 60, ticks: 160, scalar: 1.1 }
    return [
      { ...shared, angle: 60, origin: { x: 0, y: 0.75 } },
      { ...shared, angle: 120, origin: { x: 1, y: 0.75 } },
    ]
  }
  const shapes = [confetti.shapeFromPath({ path: paths[win], matrix: toShapeSize })]
  const falling = { shapes, particleCount: 9, spread: 130, angle: 270, gravity: 0.35, flat: win === 'snow' }
  return Array.from({ length: 8 }, (_, index) => ({
    ...falling,
    origin: { x: (index + 0.5) / 8, y: -0.1 },
    startVelocity: 8 + (index % 3) * 4,
    drift: index % 2 === 0 ? 0.6 : -0.6,
    ticks: 260,
    scalar: 1.1 + (index % 3) * 0.3,
  }))
}
