/** Complete looks to choose from. Only data: page and console draw them with the same styles (themes.css). */
import { isThemeName, type ThemeName } from '../../src/wheels/theme-names.ts'
import type { Colour } from './colour.ts'

export type Theme = {
  colours: { background: Colour; surface: Colour; accent: Colour; text: Colour }
  /** For segments with a prize, and for those without. Neighbours get different ones. */
  prizes: readonly Colour[]
  blanks: readonly Colour[]
  rim: 'bulbs' | 'plain' | 'thin' | 'wood'
  backdrop: 'plain' | 'glow' | 'snow' | 'dots' | 'stripes' | 'paper'
  corners: 'round' | 'soft' | 'sharp'
  font: 'system' | 'rounded' | 'serif' | 'condensed'
  sounds: { tickHertz: number; wave: OscillatorType; winHertz: readonly number[] }
}

const bright = { tickHertz: 1400, wave: 'triangle', winHertz: [523, 659, 784, 1047] } as const
const soft = { tickHertz: 620, wave: 'sine', winHertz: [392, 494, 587, 784] } as const
const bouncy = { tickHertz: 1800, wave: 'square', winHertz: [659, 784, 988, 1319] } as const
const low = { tickHertz: 900, wave: 'triangle', winHertz: [262, 392, 523, 523] } as const

export const themes: Record<ThemeName, Theme> = {
  dark: {
    colours: { background: '#0f172a', surface: '#1e293b', accent: '#f59e0b', text: '#f8fafc' },
    prizes: ['#7c3aed', '#db2777', '#ea580c', '#ca8a04', '#0ea5e9', '#10b981'],
    blanks: ['#334155', '#475569'],
    rim: 'bulbs',
    backdrop: 'plain',
    corners: 'round',
    font: 'system',
    sounds: bright,
  },
  light: {
    colours: { background: '#eef2ff', surface: '#ffffff', accent: '#4f46e5', text: '#1e1b4b' },
    prizes: ['#4f46e5', '#0284c7', '#059669', '#d97706', '#dc2626', '#9333ea'],
    blanks: ['#e0e7ff', '#c7d2fe'],
    rim: 'plain',
    backdrop: 'glow',
    corners: 'round',
    font: 'system',
    sounds: bright,
  },
  cafe: {
    colours: { background: '#f3e7d7', surface: '#fffaf3', accent: '#8a3b12', text: '#3b2417' },
    prizes: ['#7c4a2d', '#b45309', '#4d6b2c', '#9f1239', '#a16207'],
    blanks: ['#ecdcc4', '#dcc5a3'],
    rim: 'wood',
    backdrop: 'paper',
    corners: 'soft',
    font: 'serif',
    sounds: soft,
  },
  corporate: {
    colours: { background: '#f1f5f9', surface: '#ffffff', accent: '#0f4c81', text: '#102a43' },
    prizes: ['#0f4c81', '#2563eb', '#0f766e', '#475569'],
    blanks: ['#e2e8f0', '#cbd5e1'],
    rim: 'thin',
    backdrop: 'plain',
    corners: 'soft',
    font: 'system',
    sounds: soft,
  },
  playful: {
    colours: { background: '#5b21b6', surface: '#6d28d9', accent: '#facc15', text: '#ffffff' },
    prizes: ['#ec4899', '#f97316', '#22c55e', '#06b6d4', '#eab308', '#ef4444'],
    blanks: ['#c4b5fd', '#ddd6fe'],
    rim: 'bulbs',
    backdrop: 'dots',
    corners: 'round',
    font: 'rounded',
    sounds: bouncy,
  },
  minimal: {
    colours: { background: '#ffffff', surface: '#ffffff', accent: '#111111', text: '#111111' },
    prizes: ['#111111', '#525252', '#262626', '#737373'],
    blanks: ['#fafafa', '#e5e5e5'],
    rim: 'thin',
    backdrop: 'plain',
    corners: 'sharp',
    font: 'system',
    sounds: soft,
  },
  sport: {
    colours: { background: '#0b1f14', surface: '#123524', accent: '#a3e635', text: '#f7fee7' },
    prizes: ['#16a34a', '#0284c7', '#f59e0b', '#dc2626', '#65a30d'],
    blanks: ['#1f2937', '#374151'],
    rim: 'plain',
    backdrop: 'stripes',
    corners: 'sharp',
    font: 'condensed',
    sounds: low,
  },
  spring: {
    colours: { background: '#f0fdf4', surface: '#ffffff', accent: '#be185d', text: '#14532d' },
    prizes: ['#db2777', '#16a34a', '#f59e0b', '#0ea5e9', '#a855f7'],
    blanks: ['#fce7f3', '#dcfce7'],
    rim: 'plain',
    backdrop: 'dots',
    corners: 'round',
    font: 'rounded',
    sounds: bright,
  },
  summer: {
    colours: { background: '#075985', surface: '#0c4a6e', accent: '#fbbf24', text: '#f0f9ff' },
    prizes: ['#f97316', '#06b6d4', '#eab308', '#ef4444', '#22c55e'],
    blanks: ['#bae6fd', '#7dd3fc'],
    rim: 'bulbs',
    backdrop: 'glow',
    corners: 'round',
    font: 'rounded',
    sounds: bouncy,
  },
  autumn: {
    colours: { background: '#2a1508', surface: '#43210d', accent: '#f97316', text: '#fff7ed' },
    prizes: ['#c2410c', '#a16207', '#7f1d1d', '#4d7c0f', '#b45309'],
    blanks: ['#57534e', '#78716c'],
    rim: 'wood',
    backdrop: 'glow',
    corners: 'soft',
    font: 'serif',
    sounds: low,
  },
  winter: {
    colours: { background: '#0b2545', surface: '#13315c', accent: '#ef4444', text: '#f0f9ff' },
    prizes: ['#dc2626', '#15803d', '#ca8a04', '#0e7490'],
    blanks: ['#e0f2fe', '#bae6fd'],
    rim: 'bulbs',
    backdrop: 'snow',
    corners: 'round',
    font: 'serif',
    sounds: bright,
  },
}

/** The theme of that name. A name that does not exist, or no longer, gets the first one. */
export function themeOf(name: unknown): Theme {
  return typeof name === 'string' && isThemeName(name) ? themes[name] : themes.dark
}
