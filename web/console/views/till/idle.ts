/**
 * For how long nobody has touched the till. The browser remembers it, so that a tablet that was switched off does not
 * come back signed in.
 */
import { useEffect, useState } from 'react'

/** A till that nobody has touched for so long signs out. */
export const counterIdleSeconds = 5 * 60

const usedKey = 'wheelhouse-till-used'
const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

export function useIdleSeconds(): number {
  const [seconds, setSeconds] = useState(secondsSinceUse)
  useEffect(() => {
    if (localStorage.getItem(usedKey) === null) noteUse()
    const use = () => {
      // A tablet that wakes up runs no timer before the touch that woke it.
      if (secondsSinceUse() < counterIdleSeconds) noteUse()
      setSeconds(secondsSinceUse())
    }
    const timer = setInterval(() => setSeconds(secondsSinceUse()), 1_000)
    for (const sign of signs) addEventListener(sign, use, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of signs) removeEventListener(sign, use)
    }
  }, [])
  return seconds
}

/** A sign-in begins anew. */
export function forgetUse(): void {
  localStorage.removeItem(usedKey)
}

function noteUse(): void {
  localStorage.setItem(usedKey, String(Date.now()))
}

function secondsSinceUse(): number {
  const used = localStorage.getItem(usedKey)
  return used === null ? 0 : Math.floor((Date.now() - Number(used)) / 1000)
}
