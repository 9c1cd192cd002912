/** One turn of the wheel with its ticks and the pointer's flap; a plain fade for players who prefer reduced motion. */
import { type Dial, restAngle, signOf } from './angle.ts'
import { byId } from '../page/dom.ts'
import type { Push } from './drag.ts'
import { dialOf, type Wheel } from './published.ts'
import { vibrateTick } from '../effects/haptics.ts'
import { tick } from '../effects/sound.ts'
import { type Spin, startReveal, startSpin } from './spin.ts'
import { flaps, followTicks, makeFlap } from './pointer.ts'

/** `wheelNow` is a function because a new version of the wheel may be shown while it turns. */
export function beginTurn(wheelNow: () => Wheel, push: Push): Spin {
  const disc = byId('disc')
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return startReveal(disc, push)
  const spin = startSpin(disc, push)
  let dial: { of: Wheel; dial: Dial } | undefined
  const dialNow = () => {
    const wheel = wheelNow()
    if (dial?.of !== wheel) dial = { of: wheel, dial: dialOf(wheel) }
    return { angle: spin.angleNow(), ...dial.dial }
  }
  const flap = makeFlap(byId('pointer'), {
    sign: signOf(push.direction),
    ...flaps[wheelNow().look.theme.flap],
  })
  const stopTicks = followTicks(dialNow, () => {
    tick()
    vibrateTick()
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

/** The first segment is under the pointer. */
export function startAngleOf(wheel: Wheel): number {
  return restAngle({ segment: 0, chance: 0.5, ...dialOf(wheel) })
}

/** A random place inside the segment is under the pointer. */
export function restAngleOf(wheel: Wheel, segment: number): number {
  return restAngle({ segment, chance: Math.random(), ...dialOf(wheel) })
}
