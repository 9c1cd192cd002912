/** Short vibrations, where the device has any. None for players who prefer reduced motion or have muted the game. */
import { isMuted } from './sound.ts'

const tickMs = 8
/** Faster ticks would merge into a hum. */
const tickGapMs = 90

let lastTickAtMs = 0

export function vibrateTick(): void {
  const now = performance.now()
  const isSlow = now - lastTickAtMs >= tickGapMs
  lastTickAtMs = now
  if (isSlow) vibrate(tickMs)
}

export function vibrateWin(): void {
  vibrate([60, 40, 120])
}

function vibrate(pattern: VibratePattern): void {
  if (isMuted() || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  navigator.vibrate?.(pattern)
}
