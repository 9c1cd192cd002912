/**
 * The sounds of the game: synthesised, or the merchant's own. Browsers allow sound only after the first press, so
 * nothing is created or decoded before it.
 */
import { type Melody, type SoundSet, soundSets } from './sounds.ts'
import type { Look } from '../wheel/published.ts'

const storageKey = 'wheelhouse.muted'
const tickGapSeconds = 0.03
const volumes = { tick: 0.06, win: 0.08, lose: 0.06 }

type Own = 'tick' | 'win'

let context: AudioContext | undefined
let lastTickAt = 0
let choice = readChoice()
let look: Pick<Look, 'sound' | 'isQuiet' | 'ownSounds'> = {
  sound: 'chimes',
  isQuiet: false,
  ownSounds: { tick: null, win: null },
}
/** The merchant's sounds once they are decoded, by their data URL. */
const decoded = new Map<string, AudioBuffer>()

export function setSounds(from: Look): void {
  look = from
}

/** Whether there is anything to hear, and so a button for it. */
export function hasSound(): boolean {
  return look.sound !== 'none'
}

/** The player's own choice takes precedence over the look's. */
export function isMuted(): boolean {
  return !hasSound() || (choice ?? look.isQuiet)
}

export function setMuted(value: boolean): void {
  choice = value
  try {
    localStorage.setItem(storageKey, String(value))
  } catch {
    // A frame without storage forgets the choice when the page closes.
  }
}

/** Must be called on a press or in a timer that a press has set: browsers allow sound only then. */
export function wakeSound(): void {
  if (isMuted() || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  for (const dataUrl of Object.values(look.ownSounds)) if (dataUrl !== null) void decode(context, dataUrl)
}

export function tick(): void {
  if (context === undefined || context.currentTime - lastTickAt < tickGapSeconds) return
  lastTickAt = context.currentTime
  play('tick')
}

export function playResult({ won }: { won: boolean }): void {
  play(won ? 'win' : 'lose')
}

/** Until the merchant's sound is decoded, and if it can't be, the synthesised one is played. */
function play(name: keyof SoundSet): void {
  if (context === undefined || isMuted() || look.sound === 'none') return
  const own = name === 'lose' ? undefined : decoded.get(look.ownSounds[name as Own] ?? '')
  if (own === undefined) playMelody(context, soundSets[look.sound][name], volumes[name])
  else playBuffer(context, own)
}

function playBuffer(output: AudioContext, buffer: AudioBuffer): void {
  const source = new AudioBufferSourceNode(output, { buffer })
  source.connect(output.destination)
  source.start()
}

function playMelody(output: AudioContext, melody: Melody, volume: number): void {
  const { hertz, stepSeconds, noteSeconds, overtone } = melody
  hertz.forEach((frequency, index) => {
    const note = { atSeconds: index * stepSeconds, lengthSeconds: noteSeconds, wave: melody.wave }
    beep(output, { ...note, hertz: frequency, volume })
    if (overtone !== undefined)
      beep(output, {
        ...note,
        hertz: frequency * overtone,
        volume: volume / 4,
        lengthSeconds: noteSeconds / 2,
      })
  })
}

type Beep = { wave: OscillatorType; hertz: number; atSeconds: number; lengthSeconds: number; volume: number }

function beep(output: AudioContext, { wave, hertz, atSeconds, lengthSeconds, volume }: Beep): void {
  const start = output.currentTime + atSeconds
  const oscillator = new OscillatorNode(output, { type: wave, frequency: hertz })
  const gain = new GainNode(output, { gain: volume })
  gain.gain.setValueAtTime(volume, start)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + lengthSeconds)
  oscillator.connect(gain).connect(output.destination)
  oscillator.start(start)
  oscillator.stop(start + lengthSeconds)
}

/** Not by `fetch`: the page may connect to its server only. The browser decodes beside the main thread. */
async function decode(output: AudioContext, dataUrl: string): Promise<void> {
  if (decoded.has(dataUrl)) return
  const text = atob(dataUrl.slice(dataUrl.indexOf(',') + 1))
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const buffer = await output.decodeAudioData(bytes.buffer).catch(() => undefined)
  if (buffer !== undefined) decoded.set(dataUrl, buffer)
}

/** Null if the player has not chosen yet. */
function readChoice(): boolean | null {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === null ? null : stored === 'true'
  } catch {
    return null
  }
}
