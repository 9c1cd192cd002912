/**
 * Reads the published text of a wheel. It comes from the merchant and is not trusted: invalid colours and images are
 * dropped, and every text is later shown as a text node.
 */
import type { Pace } from '../../../src/fairness/pace.ts'
import {
  addresses,
  type Address,
  type FontName,
  fontNames,
  type SoundName,
  soundNames,
} from '../../../src/wheel-document/look-choices.ts'
import { bordersByWeight, type Dial, type Direction, equalBorders, type Pointer } from './angle.ts'
import { type Colour, isColour } from '../look/colour.ts'
import { type Theme, themeOf } from '../look/themes.ts'

/** Texts by language tag, as published: untrusted. */
export type Translations = Record<string, Partial<Record<string, unknown>>>

export type Segment = {
  label: string
  colour: Colour
  weight: number
  icon: string | null
  image: string | null
  /** The kind of prize and whether it can run out. The proof is checked against both. */
  prize: string
  limited: boolean
  /** The language of the label, if it is known. */
  lang: string | null
  /** Whether it can be won only while a unit, or its cost, is released and not yet given. */
  isGated: boolean
  pace: Pace | null
  /** The label in other languages. `label` is the published one, which proofs are checked against. */
  translations: Translations
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
  widths: 'equal' | 'weight'
  /** A picture behind the page. */
  picture: string | null
  font: FontName
  sound: SoundName
  /** Whether the sound is off until the player turns it on. */
  isQuiet: boolean
  /** The merchant's own sounds, as data URLs. */
  ownSounds: { tick: string | null; win: string | null }
  address: Address
  /** What the theme chooses besides all that. */
  theme: Theme
}

export type OwnText = 'title' | 'subtitle' | 'button' | 'won' | 'noLuck'

export type Wheel = {
  name: string
  fallback: number
  segments: Segment[]
  look: Look
  texts: Translations
  /** The language of the labels, and of texts for players without a better one. */
  language: string | null
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
      lang: null,
      isGated: segment.pace !== undefined || segment.cost !== undefined,
      pace: (segment.pace ?? null) as Pace | null,
      translations: (segment.translations ?? {}) as Translations,
    })),
    look: readLook((wheel.look ?? {}) as Record<string, unknown>),
    texts: (wheel.texts ?? {}) as Translations,
    language: text(wheel.language),
  }
}

export function dialOf({ segments, look }: Pick<Wheel, 'segments' | 'look'>): Dial {
  const weights = segments.map(({ weight }) => weight)
  const isByWeight = look.widths === 'weight' && weights.some((weight) => weight > 0)
  return {
    borders: isByWeight ? bordersByWeight(weights) : equalBorders(segments.length),
    pointer: look.pointer,
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
  const theme = themeOf(look.theme)
  const { colours } = theme
  const sound = oneOf(look.sound, soundNames)
  const ownSounds = { tick: ownSound(look.tickSound), win: ownSound(look.winSound) }
  const hasOwn = ownSounds.tick !== null || ownSounds.win !== null
  return {
    merchantName: text(look.merchantName),
    logo: image(look.logo),
    background: colour(look.background) ?? colours.background,
    surface: colour(look.surface) ?? colours.surface,
    accent: colour(look.accent) ?? colours.accent,
    text: colour(look.text) ?? colours.text,
    pointer: oneOf(look.pointer, ['top', 'right', 'bottom', 'left']) ?? 'top',
    direction: oneOf(look.direction, ['clockwise', 'counterclockwise']) ?? 'clockwise',
    widths: oneOf(look.widths, ['equal', 'weight']) ?? 'equal',
    picture: image(look.picture),
    font: oneOf(look.font, fontNames) ?? theme.font,
    sound: sound ?? theme.sound,
    // A merchant who chooses sounds wants them to be heard.
    isQuiet: theme.isQuiet && sound === null && !hasOwn,
    ownSounds,
    address: oneOf(look.address, addresses) ?? 'informal',
    theme,
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

function ownSound(value: unknown): string | null {
  const isSound =
    typeof value === 'string' && /^data:audio\/(?:mpeg|wav);base64,[A-Za-z0-9+/]+=*$/.test(value)
  return isSound ? value : null
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.find((one) => one === value) ?? null
}
