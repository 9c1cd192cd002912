/** Throws confetti over the page on its own canvas. Loaded with the first spin; a win can be shown without it. */
import type { CreateTypes } from 'canvas-confetti'
import { byId } from './dom.ts'

let cannon: Promise<CreateTypes> | undefined

export function prepareConfetti(): void {
  cannon ??= import('canvas-confetti').then(({ create }) =>
    create(byId('confetti') as HTMLCanvasElement, { resize: true, disableForReducedMotion: true }),
  )
  // If loading fails, for example offline, the next spin tries again.
  cannon.catch(() => (cannon = undefined))
}

/** The next spin clears what is still falling. */
export function endConfetti(): void {
  void cannon?.then((fire) => fire.reset()).catch(() => undefined)
}

export async function throwConfetti(colours: string[]): Promise<void> {
  const fire = await cannon?.catch(() => undefined)
  const shared = { colors: colours, particleCount: 70, spread: 60, ticks: 160, scalar: 1.1 }
  void fire?.({ ...shared, angle: 60, origin: { x: 0, y: 0.75 } })
  void fire?.({ ...shared, angle: 120, origin: { x: 1, y: 0.75 } })
}
