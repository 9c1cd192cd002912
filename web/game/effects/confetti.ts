/** Throws confetti over the page on its own canvas. Loaded with the first spin; a win can be shown without it. */
import type { Celebrate } from './confetti-shapes.ts'
import { byId } from '../page/dom.ts'
import type { Theme } from '../look/themes.ts'

type Cannon = { celebrate: Celebrate; reset: () => void }

let cannon: Promise<Cannon> | undefined

export function prepareConfetti(): void {
  cannon ??= import('./confetti-shapes.ts').then(({ makeCannon }) =>
    makeCannon(byId('confetti') as HTMLCanvasElement),
  )
  // If loading fails, for example offline, the next spin tries again.
  cannon.catch(() => (cannon = undefined))
}

/** The next spin clears what is still falling. */
export function endConfetti(): void {
  void cannon?.then(({ reset }) => reset()).catch(() => undefined)
}

export async function throwConfetti(win: Theme['win'], colours: string[]): Promise<void> {
  const loaded = await cannon?.catch(() => undefined)
  loaded?.celebrate(win, colours)
}
