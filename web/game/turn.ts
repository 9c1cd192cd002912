/** One turn of the wheel with all that belongs to it: ticks by the real angle, the pointer's flap, or none of it. */
import { signOf } from './angle.ts'
import { byId } from './dom.ts'
import type { Wheel } from './published.ts'
import { tick } from './sound.ts'
import { type Spin, startReveal, startSpin } from './spin.ts'
import { followTicks, makeFlap } from './ticks.ts'

/** `wheelNow` is asked each time: a new version of the wheel may be put in while it turns. */
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
