/** Draws the wheel's disc, which turns as a whole, as SVG of radius 100. Ring, hub and pointer don't move. */
import type { Pointer } from './angle.ts'
import { type Colour, mix, textOn } from '../look/colour.ts'
import { byId, picture, svg } from '../page/dom.ts'
import { fitLabel, isEmojiOnly, lineOffset, type Measure } from './label.ts'
import { type Layout, layoutsOf } from './layout.ts'
import { markLanguage } from '../texts/own-texts.ts'
import { dialOf, type Segment, type Wheel } from './published.ts'
import { rulerFor } from './ruler.ts'

const viewBox = '-100 -100 200 200'
const bulbCount = 24
const pale = '#8b919c'

let last: Parameters<typeof drawWheel> | undefined

/** Segments that can't be won now are drawn pale and crossed out. */
export function drawWheel(wheel: Wheel, unavailable: ReadonlySet<number> = new Set()): void {
  last = [wheel, unavailable]
  const { segments, look } = wheel
  const { borders } = dialOf(wheel)
  const measureFor = rulerFor(byId('disc'))
  const parts = segments.map((segment, index) => {
    const [from, to] = borders.slice(index, index + 2) as [number, number]
    const isPale = unavailable.has(index)
    const colour = isPale ? mix(segment.colour, pale, 0.3) : segment.colour
    const content = drawContent(segment, to - from, look.pointer, measureFor(segment.label))
    const part = drawSegment(colour, { from, to }, content)
    if (isPale) part.classList.add('unavailable')
    return part
  })
  byId('disc').replaceChildren(svg('svg', { viewBox }, ...parts))
  byId('arm').dataset.pointer = look.pointer
  byId('hub').replaceChildren(look.logo === null ? drawStar() : picture(look.logo, drawStar()))
}

/** With the same content, for example after the font has changed. */
export function redrawWheel(): void {
  if (last === undefined) return
  const glow = byId('disc').querySelector('.glow')
  drawWheel(...last)
  if (glow !== null) byId('disc').firstElementChild?.append(glow)
}

/** Highlights the segment at which the wheel stopped, or none. */
export function highlight(segment: number | null): void {
  const drawing = byId('disc').firstElementChild
  drawing?.querySelector('.glow')?.remove()
  const outline =
    segment === null ? null : drawing?.children[segment]?.querySelector('path')?.getAttribute('d')
  // Drawn above the other segments, so that no neighbour covers half of its border.
  // Dark and bright, since a segment may have any colour.
  if (typeof outline === 'string')
    drawing?.append(svg('g', { class: 'glow' }, svg('path', { d: outline }), svg('path', { d: outline })))
}

/** Two layers that blink alternately. Each is one element, so that blinking needs no repaint. */
export function drawBulbs(): void {
  const layers = [0, 1].map((parity) => {
    const bulbs = Array.from({ length: bulbCount / 2 }, (_, index) => {
      const [cx, cy] = pointAt((index * 2 + parity) * (360 / bulbCount), 96.5)
      return svg('circle', { cx, cy, r: 1.9 })
    })
    return svg('svg', { viewBox, class: 'bulbs' }, ...bulbs)
  })
  byId('rim').replaceChildren(...layers)
}

function drawSegment(
  colour: Colour,
  { from, to }: { from: number; to: number },
  content: SVGElement[],
): SVGElement {
  const [start, end] = [pointAt(from, 100).join(' '), pointAt(to, 100).join(' ')]
  const isLarge = to - from > 180 ? 1 : 0
  return svg(
    'g',
    {},
    svg('path', { d: `M0 0L${start}A100 100 0 ${isLarge} 1 ${end}Z`, fill: colour }),
    svg('g', { transform: `rotate(${(from + to) / 2})`, fill: textOn(colour) }, ...content),
  )
}

function drawContent(segment: Segment, degrees: number, pointer: Pointer, measure: Measure): SVGElement[] {
  const { icon, image } = segment
  const label = withoutTowers(segment.label)
  const hasIcon = icon !== null || image !== null
  const layouts = layoutsOf({ degrees, pointer, hasIcon, isEmoji: isEmojiOnly(label) })
  const rooms = layouts.map((layout) => layout.label)
  const { room, lines, size, radius } = fitLabel(label, rooms, measure)
  const layout = layouts[room] as Layout
  const texts = lines.map((line, index) => {
    const offset = lineOffset({ index, count: lines.length, size })
    const transform = `translate(0 ${-radius}) rotate(${layout.turn}) translate(0 ${offset})`
    // WebKit rounds the width of each letter to a pixel, which adds up in small labels.
    const width = { textLength: round(measure(line, size)), lengthAdjust: 'spacingAndGlyphs' }
    const text = svg('text', { transform, 'font-size': round(size), class: 'label', ...width }, line)
    // Chinese and Japanese share characters, but not their shapes.
    markLanguage(text, segment.lang)
    return text
  })
  return [...drawIcon(segment, layout), ...texts]
}

/** Letters with more than two accents would reach into the neighbouring segments. */
function withoutTowers(label: string): string {
  return label.replace(/(\p{Mn}{2})\p{Mn}+/gu, '$1')
}

function drawIcon({ icon, image }: Segment, layout: Layout): SVGElement[] {
  const { radius, size } = layout.icon
  const transform = `translate(0 ${-radius}) rotate(${layout.turn})`
  const symbol = icon === null ? null : svg('text', { transform, 'font-size': size * 0.86 }, icon)
  if (image === null) return symbol === null ? [] : [symbol]
  const box = { x: -size / 2, y: -size / 2, width: size, height: size }
  const drawing = svg('image', { href: image, transform, ...box })
  drawing.addEventListener('error', () => drawing.replaceWith(...(symbol === null ? [] : [symbol])))
  return [drawing]
}

function drawStar(): SVGElement {
  const corners = Array.from({ length: 10 }, (_, index) =>
    pointAt(index * 36, index % 2 === 0 ? 52 : 23).join(' '),
  )
  return svg('svg', { viewBox }, svg('path', { d: `M${corners.join('L')}Z` }))
}

/** A point by its angle, clockwise from the top. */
function pointAt(angle: number, radius: number): [x: number, y: number] {
  const radians = (angle * Math.PI) / 180
  return [round(radius * Math.sin(radians)), round(-radius * Math.cos(radians))]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
