/**
 * Reads the published text of a wheel. It comes from the merchant and is not trusted: invalid colours and images are
 * dropped, and every text is later shown as a text node.
 */
import type { Direction, Pointer } from './angle.ts'
import { type Colour, isColour } from './colour.ts'

export type Segment = {
  label: string
  colour: Colour
  weight: number
  icon: string | null
  image: string | null
  /** The kind of prize and whether it can run out. The proof is checked against both. */
  prize: string
  limited: boolean
}

export type Look = {
  merchantName: string | null
  logo: string | null
  background: Colour
  surface: Colour
  accent: Colour
  text: Colour
  pointer: Pointer
  direction: Direction
}

export type OwnText = 'title' | 'subtitle' | 'button' | 'won' | 'noLuck'

export type Wheel = {
  name: string
  fallback: number
  segments: Segment[]
  look: Look
  texts: Record<string, Partial<Record<OwnText, unknown>>>
}

export const defaultLook: Look = {
  merchantName: null,
  logo: null,
  background: '#0f172a',
  surface: '#1e293b',
  accent: '#f59e0b',
  text: '#f8fafc',
  pointer: 'top',
  direction: 'clockwise',
}

const palette = ['#e11d48', '#f59e0b', '#7c3aed', '#10b981', '#db2777', '#0ea5e9', '#f97316', '#4f46e5']

export function readWheel(published: string): Wheel {
  const wheel = JSON.parse(published) as Record<string, unknown>
  const segments = wheel.segments as Record<string, unknown>[]
  return {
    name: text(wheel.name) ?? '',
    fallback: Number(wheel.fallback),
    segments: segments.map((segment, index) => ({
      label: text(segment.label) ?? '',
      colour: colour(segment.color) ?? (palette[index % palette.length] as Colour),
      weight: Number(segment.weight),
      icon: text(segment.icon),
      image: image(segment.image),
      prize: text(segment.prize) ?? '',
      limited: segment.limited === true,
    })),
    look: readLook((wheel.look ?? {}) as Record<string, unknown>),
    texts: (wheel.texts ?? {}) as Wheel['texts'],
  }
}

/** Whether two published wheels have the same prizes with the same chances. Their colours and texts may differ. */
export function isSameGame(one: string, other: string): boolean {
  return one === other || gameOf(one) === gameOf(other)
}

/** All published fields of a segment count, except its colour: label, image and title say what can be won. */
function gameOf(published: string): string {
  const { segments, fallback } = JSON.parse(published) as { segments: object[]; fallback: unknown }
  return JSON.stringify([fallback, segments.map((segment) => ({ ...segment, color: null }))])
}

function readLook(look: Record<string, unknown>): Look {
  return {
    merchantName: text(look.merchantName),
    logo: image(look.logo),
    background: colour(look.background) ?? defaultLook.background,
    surface: colour(look.surface) ?? defaultLook.surface,
    accent: colour(look.accent) ?? defaultLook.accent,
    text: colour(look.text) ?? defaultLook.text,
    pointer: oneOf(look.pointer, ['top', 'right', 'bottom', 'left']) ?? defaultLook.pointer,
    direction: oneOf(look.direction, ['clockwise', 'counterclockwise']) ?? defaultLook.direction,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function colour(value: unknown): Colour | null {
  return isColour(value) ? value : null
}

/** No SVG: it can contain scripts and links, even though browsers don't run them in an image. */
function image(value: unknown): string | null {
  const isImage =
    typeof value === 'string' && /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(value)
  return isImage ? value : null
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.find((one) => one === value) ?? null
}
