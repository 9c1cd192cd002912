/** One turn of the wheel with its ticks and the pointer's flap; a plain fade for players who prefer reduced motion. */
import { signOf } from './angle.ts'
import { byId } from './dom.ts'
import type { Wheel } from './published.ts'
import { tick } from './sound.ts'
import { type Spin, startReveal, startSpin } from './spin.ts'
import { followTicks, makeFlap } from './pointer.ts'

/** `wheelNow` is a function because a new version of the wheel may be shown while it turns. */
export function beginTurn(wheelNow: () => Wheel, from: number): Spin {
  const disc = byId('disc')
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return startReveal(disc, { from })
  const { direction } = wheelNow().look
  const spin = startSpin(disc, { from, direction })
  const dial = () => {
    const { segments, look } = wheelNow()
    return { angle: spin.angleNow(), count: segments.length, pointer: look.pointer }
  }
  const flap = makeFlap(byId('pointer'), signOf(direction))
  const stopTicks = followTicks(dial, () => {
    tick()
    flap.push()
  })
  const end = () => {
    stopTicks()
    flap.end()
  }
  return {
    angleNow: spin.angleNow,
    restAt: (angle) => spin.restAt(angle).finally(end),
    brake: () => spin.brake().finally(end),
  }
}
