/** Complete looks to choose from. Only data: page and console draw them with the same styles (themes.css). */
import type { FontName, SoundName } from '../../../src/wheel-document/look-choices.ts'
import { isThemeName, type ThemeName } from '../../../src/wheel-document/theme-names.ts'
import type { Colour } from './colour.ts'

export type Theme = {
  colours: { background: Colour; surface: Colour; accent: Colour; text: Colour }
  /** For segments with a prize, and for those without. Neighbours get different ones. */
  prizes: readonly Colour[]
  blanks: readonly Colour[]
  rim: 'bulbs' | 'plain' | 'thin' | 'wood' | 'metal' | 'ticks' | 'candy'
  pointer: 'pin' | 'arrow'
  backdrop: 'plain' | 'night' | 'glow' | 'rays' | 'snow' | 'dots' | 'stripes' | 'paper' | 'petals' | 'leaves'
  corners: 'round' | 'soft' | 'sharp'
  font: FontName
  sound: SoundName
  /** Whether the sound is off until the player turns it on. */
  isQuiet: boolean
  /** How the pointer swings: a stiff one moves little and fast. */
  flap: 'stiff' | 'springy' | 'loose'
  /** What flies over the page after a win. */
  win: 'cannons' | 'burst' | 'petals' | 'leaves' | 'snow'
}

export const themes: Record<ThemeName, Theme> = {
  dark: theme('#0f172a #1e293b #f59e0b #f8fafc', {
    prizes: '#6d3ef0 #d6336c #e8590c #0c8599 #2f9e44 #b8860b',
    blanks: '#2a3550 #3a4868',
    rim: 'bulbs',
    backdrop: 'night',
  }),
  light: theme('#f1f3ff #ffffff #4338ca #1e1b4b', {
    prizes: '#4338ca #0e7fb8 #0f8a5f #d9480f #c2255c #7b2fbf',
    blanks: '#e8eaff #d5d9fb',
    rim: 'metal',
    backdrop: 'glow',
  }),
  cafe: theme('#f4e8d8 #fffaf3 #8a3b12 #3b2417', {
    prizes: '#6f4328 #b4632a #5b6b35 #a3324b #8c6a1f',
    blanks: '#f0e2cc #e3cdaa',
    rim: 'wood',
    backdrop: 'paper',
    corners: 'soft',
    font: 'podkova',
    sound: 'marimba',
  }),
  corporate: theme('#f1f5f9 #ffffff #0f4c81 #102a43', {
    prizes: '#0f4c81 #2f6fb3 #10736b #51627a',
    blanks: '#e6ecf3 #d3dde8',
    rim: 'thin',
    pointer: 'arrow',
    corners: 'soft',
    sound: 'soft',
    isQuiet: true,
    flap: 'stiff',
    win: 'burst',
  }),
  playful: theme('#5b21b6 #6d28d9 #facc15 #ffffff', {
    prizes: '#f43f8e #fb7a1e #16b364 #09b1d3 #f5c211 #f04444',
    blanks: '#e9e2ff #cfc1ff',
    rim: 'bulbs',
    backdrop: 'dots',
    font: 'fredoka',
    sound: 'arcade',
    flap: 'loose',
  }),
  minimal: theme('#ffffff #ffffff #111111 #111111', {
    prizes: '#111111 #525252 #262626 #737373',
    blanks: '#fafafa #e5e5e5',
    rim: 'thin',
    pointer: 'arrow',
    corners: 'sharp',
    sound: 'soft',
    isQuiet: true,
    flap: 'stiff',
    win: 'burst',
  }),
  sport: theme('#0a1712 #12261c #b6f02c #f4ffe6', {
    prizes: '#0f9d58 #1f7ae0 #f2a900 #e03131 #6a994e',
    blanks: '#1d2f27 #2a4236',
    rim: 'ticks',
    pointer: 'arrow',
    backdrop: 'stripes',
    corners: 'sharp',
    font: 'oswald',
    sound: 'stadium',
    flap: 'stiff',
  }),
  spring: theme('#f3fbf2 #ffffff #be185d #14532d', {
    prizes: '#d6457f #3d9a50 #e8a013 #2f8fd0 #9a5bd1',
    blanks: '#fde8f1 #e2f5e3',
    backdrop: 'petals',
    font: 'quicksand',
    win: 'petals',
  }),
  summer: theme('#075985 #0c4a6e #fbbf24 #f0f9ff', {
    prizes: '#f97316 #06b6d4 #eab308 #ef4444 #22c55e',
    blanks: '#dff3fd #b5e2fa',
    rim: 'bulbs',
    backdrop: 'rays',
    font: 'fredoka',
    sound: 'marimba',
    flap: 'loose',
  }),
  autumn: theme('#2a1508 #43210d #f97316 #fff7ed', {
    prizes: '#c2410c #a16207 #8b1e1e #4d7c0f #b45309',
    blanks: '#f3e3cd #dcc3a1',
    rim: 'wood',
    backdrop: 'leaves',
    corners: 'soft',
    font: 'domine',
    sound: 'marimba',
    win: 'leaves',
  }),
  winter: theme('#0b2545 #13315c #f6c453 #f0f9ff', {
    prizes: '#c92a37 #1b7f4b #d39b21 #1f7a99',
    blanks: '#eaf6ff #cfe6f7',
    rim: 'candy',
    backdrop: 'snow',
    font: 'domine',
    sound: 'bells',
    win: 'snow',
  }),
}

/** The theme of that name. A name that does not exist, or no longer, gets the first one. */
export function themeOf(name: unknown): Theme {
  return typeof name === 'string' && isThemeName(name) ? themes[name] : themes.dark
}

type Choices = Partial<Omit<Theme, 'colours' | 'prizes' | 'blanks'>>

/** Lists of colours are written with spaces. `page`: background, surface, accent and text. */
function theme(
  page: string,
  { prizes, blanks, ...choices }: Choices & { prizes: string; blanks: string },
): Theme {
  const [background, surface, accent, text] = page.split(' ') as [Colour, Colour, Colour, Colour]
  return {
    colours: { background, surface, accent, text },
    prizes: prizes.split(' '),
    blanks: blanks.split(' '),
    rim: 'plain',
    pointer: 'pin',
    backdrop: 'plain',
    corners: 'round',
    font: 'manrope',
    sound: 'chimes',
    isQuiet: false,
    flap: 'springy',
    win: 'cannons',
    ...choices,
  }
}
