/** Short synthesised sounds. Browsers allow sound only after the first press, so nothing is created before it. */
import { type Theme, themeOf } from './themes.ts'

const storageKey = 'wheelhouse.muted'
const tickGapSeconds = 0.03

let context: AudioContext | undefined
let lastTickAt = 0
let muted = readMuted()
let sounds: Theme['sounds'] = themeOf(null).sounds

export function setSounds(themed: Theme['sounds']): void {
  sounds = themed
}

export function isMuted(): boolean {
  return muted
}

export function setMuted(value: boolean): void {
  muted = value
  try {
    localStorage.setItem(storageKey, String(value))
  } catch {
    // A frame without storage forgets the choice when the page closes.
  }
}

/** Must be called on a press or in a timer that a press has set: browsers allow sound only then. */
export function wakeSound(): void {
  if (muted || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
}

export function tick(): void {
  if (context === undefined || context.currentTime - lastTickAt < tickGapSeconds) return
  lastTickAt = context.currentTime
  beep({ hertz: sounds.tickHertz, atSeconds: 0, lengthSeconds: 0.035, volume: 0.06 })
}

export function fanfare(): void {
  sounds.winHertz.forEach((hertz, index) =>
    beep({ hertz, atSeconds: index * 0.11, lengthSeconds: 0.35, volume: 0.08 }),
  )
  if (!muted) navigator.vibrate?.([60, 40, 120])
}

function beep(sound: { hertz: number; atSeconds: number; lengthSeconds: number; volume: number }): void {
  if (muted || context === undefined) return
  const start = context.currentTime + sound.atSeconds
  const oscillator = new OscillatorNode(context, { type: sounds.wave, frequency: sound.hertz })
  const gain = new GainNode(context, { gain: sound.volume })
  gain.gain.setValueAtTime(sound.volume, start)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + sound.lengthSeconds)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + sound.lengthSeconds)
}

function readMuted(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'true'
  } catch {
    return false
  }
}
