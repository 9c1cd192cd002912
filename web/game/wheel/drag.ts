/** Drag or swipe the wheel to spin it, in addition to the button. A drag that is too short lets it swing back. */
import { type Direction, signOf, wrap } from './angle.ts'
import { byId } from '../page/dom.ts'
import { fullSpeed } from './motion.ts'
import { place } from './spin.ts'

/** How the wheel was pushed. The speed is in degrees per millisecond. */
export type Push = { direction: Direction; startSpeed: number; from: number }

const speedMin = 0.12
const degreesMin = 75
/** The speed is that of the last moment before the release. */
const momentMs = 90

type Sample = { degrees: number; atMs: number }

export function setUpDrag(wheel: {
  canDrag: () => boolean
  angle: () => number
  onPush: (push: Push) => void
}): void {
  const stage = byId('stage')
  stage.addEventListener('pointerdown', (down) => {
    const isOnHub = byId('hub').contains(down.target as Node)
    if (!down.isPrimary || down.button !== 0 || isOnHub || !wheel.canDrag()) return
    followDrag(stage, down, wheel)
  })
}

function followDrag(
  stage: HTMLElement,
  down: PointerEvent,
  wheel: { angle: () => number; onPush: (push: Push) => void },
): void {
  const from = wheel.angle()
  let last = degreesOf(stage, down)
  const samples: Sample[] = [{ degrees: 0, atMs: down.timeStamp }]
  const moved = () => (samples.at(-1) as Sample).degrees
  const end = new AbortController()
  const move = (event: PointerEvent) => {
    const now = degreesOf(stage, event)
    // The shorter way round, also over the top.
    samples.push({ degrees: moved() + wrap(now - last + 180) - 180, atMs: event.timeStamp })
    last = now
    place(byId('disc'), from + moved())
  }
  const release = () => {
    end.abort()
    const speed = speedOf(samples)
    const direction = (Math.abs(speed) >= speedMin ? speed : moved()) > 0 ? 'clockwise' : 'counterclockwise'
    const startSpeed = Math.min(fullSpeed, Math.max(0, speed * signOf(direction)))
    if (Math.abs(speed) >= speedMin || Math.abs(moved()) >= degreesMin)
      wheel.onPush({ direction, startSpeed, from: from + moved() })
    else swingBack(from, moved())
  }
  const cancel = () => {
    end.abort()
    swingBack(from, moved())
  }
  const { signal } = end
  stage.setPointerCapture(down.pointerId)
  stage.addEventListener('pointermove', move, { signal })
  stage.addEventListener('pointerup', release, { signal })
  // For example, the browser scrolls the page instead.
  stage.addEventListener('pointercancel', cancel, { signal })
}

/** The direction of a point from the middle of the wheel, in degrees clockwise. */
function degreesOf(stage: HTMLElement, { clientX, clientY }: PointerEvent): number {
  const { left, top, width, height } = stage.getBoundingClientRect()
  return (Math.atan2(clientY - top - height / 2, clientX - left - width / 2) * 180) / Math.PI
}

function speedOf(samples: readonly Sample[]): number {
  const end = samples.at(-1) as Sample
  const start = samples.find(({ atMs }) => end.atMs - atMs <= momentMs) as Sample
  return end.atMs === start.atMs ? 0 : (end.degrees - start.degrees) / (end.atMs - start.atMs)
}

function swingBack(from: number, moved: number): void {
  const disc = byId('disc')
  place(disc, from)
  const transform = [from + moved, from].map((angle) => `rotate(${angle}deg)`)
  disc.animate({ transform }, { duration: 250, easing: 'ease-out' })
}
