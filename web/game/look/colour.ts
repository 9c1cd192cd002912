/** Makes the merchant's colours readable, with contrast as defined by WCAG 2.2. Pure. */
export type Colour = string

const textContrastMin = 4.5

export function isColour(value: unknown): value is Colour {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
}

/** Black or white: on any colour, the better one has a contrast of at least 4.58. */
export function textOn(background: Colour): Colour {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000'
}

/** The preferred colour if it is readable on all backgrounds, otherwise black or white by the first background. */
export function readableOn(preferred: Colour, ...backgrounds: [Colour, ...Colour[]]): Colour {
  const isReadable = backgrounds.every((background) => contrast(preferred, background) >= textContrastMin)
  return isReadable ? preferred : textOn(backgrounds[0])
}

export function isDark(colour: Colour): boolean {
  return textOn(colour) === '#ffffff'
}

/** `share` is the first colour's part of the mix. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const others = channels(second)
  const mixed = channels(first).map((value, index) =>
    Math.round(value * share + (others[index] as number) * (1 - share)),
  )
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** How far two colours are apart, from 0 to 441. */
export function distance(one: Colour, other: Colour): number {
  const others = channels(other)
  return Math.hypot(...channels(one).map((value, index) => value - (others[index] as number)))
}

function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: Colour): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}
