/** Sets of synthesised sounds. Only data: sound.ts plays them. */
import type { SoundName } from '../../../src/wheel-document/look-choices.ts'

/** Notes one after another. `overtone`: a second, quieter voice, as a multiple of the frequency. */
export type Melody = {
  hertz: readonly number[]
  wave: OscillatorType
  /** From one note to the next, and how long each one sounds. */
  stepSeconds: number
  noteSeconds: number
  overtone?: number
}

export type SoundSet = Record<'tick' | 'win' | 'lose', Melody>

export const soundSets: Record<Exclude<SoundName, 'none'>, SoundSet> = {
  chimes: {
    tick: short(1400, 'triangle'),
    win: { hertz: [523, 659, 784, 1047], wave: 'triangle', stepSeconds: 0.11, noteSeconds: 0.35 },
    lose: { hertz: [392, 330], wave: 'triangle', stepSeconds: 0.16, noteSeconds: 0.3 },
  },
  marimba: {
    tick: { ...short(620, 'sine'), overtone: 4 },
    win: { hertz: [392, 494, 587, 784, 988], wave: 'sine', stepSeconds: 0.1, noteSeconds: 0.4, overtone: 4 },
    lose: { hertz: [294, 247], wave: 'sine', stepSeconds: 0.18, noteSeconds: 0.35, overtone: 4 },
  },
  arcade: {
    tick: short(1800, 'square'),
    win: { hertz: [659, 784, 988, 1319, 1568], wave: 'square', stepSeconds: 0.08, noteSeconds: 0.16 },
    lose: { hertz: [330, 277, 220], wave: 'square', stepSeconds: 0.1, noteSeconds: 0.16 },
  },
  stadium: {
    tick: short(900, 'triangle'),
    win: { hertz: [262, 392, 523, 392, 523], wave: 'sawtooth', stepSeconds: 0.14, noteSeconds: 0.3 },
    lose: { hertz: [196, 147], wave: 'sawtooth', stepSeconds: 0.2, noteSeconds: 0.35 },
  },
  bells: {
    tick: { ...short(2100, 'sine'), overtone: 2.76 },
    win: {
      hertz: [784, 1047, 1319, 1568],
      wave: 'sine',
      stepSeconds: 0.15,
      noteSeconds: 0.9,
      overtone: 2.76,
    },
    lose: { hertz: [523, 466], wave: 'sine', stepSeconds: 0.22, noteSeconds: 0.6, overtone: 2.76 },
  },
  soft: {
    tick: short(440, 'sine'),
    win: { hertz: [392, 523, 659], wave: 'sine', stepSeconds: 0.14, noteSeconds: 0.5 },
    lose: { hertz: [330], wave: 'sine', stepSeconds: 0, noteSeconds: 0.35 },
  },
}

function short(hertz: number, wave: OscillatorType): Melody {
  return { hertz: [hertz], wave, stepSeconds: 0, noteSeconds: 0.035 }
}
