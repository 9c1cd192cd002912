/** Draws the wheel's disc, which turns as a whole, as SVG of radius 100. Ring, hub and pointer don't move. */
import { textOn } from './colour.ts'
import { byId, html, svg } from './dom.ts'
import { fitLabel, lineOffset } from './label.ts'
import { type Layout, layoutOf } from './layout.ts'
import type { Segment, Wheel } from './published.ts'

const viewBox = '-100 -100 200 200'
const bulbCount = 24

export function drawWheel({ segments, look }: Wheel): void {
  const parts = segments.map((segment, index) => {
    const hasIcon = segment.icon !== null || segment.image !== null
    const layout = layoutOf({ count: segments.length, pointer: look.pointer, hasIcon })
    return drawSegment(
      segment,
      { from: (index * 360) / segments.length, to: ((index + 1) * 360) / segments.length },
      layout,
    )
  })
  byId('disc').replaceChildren(svg('svg', { viewBox }, ...parts))
  byId('arm').dataset.pointer = look.pointer
  byId('hub').replaceChildren(look.logo === null ? drawStar() : html('img', { src: look.logo, alt: '' }))
}

/** Highlights the segment at which the wheel stopped, or none. */
export function highlight(segment: number | null): void {
  const drawing = byId('disc').firstElementChild
  drawing?.querySelector('.glow')?.remove()
  const outline =
    segment === null ? null : drawing?.children[segment]?.querySelector('path')?.getAttribute('d')
  // Drawn above the other segments, so that no neighbour covers half of its border.
  if (typeof outline === 'string') drawing?.append(svg('path', { class: 'glow', d: outline }))
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

function drawSegment(segment: Segment, angles: { from: number; to: number }, layout: Layout): SVGElement {
  const from = pointAt(angles.from, 100).join(' ')
  const to = pointAt(angles.to, 100).join(' ')
  return svg(
    'g',
    {},
    svg('path', { d: `M0 0L${from}A100 100 0 0 1 ${to}Z`, fill: segment.colour }),
    svg(
      'g',
      { transform: `rotate(${(angles.from + angles.to) / 2})`, fill: textOn(segment.colour) },
      ...drawIcon(segment, layout),
      ...drawLabel(segment.label, layout),
    ),
  )
}

function drawLabel(text: string, { label, turn }: Layout): SVGElement[] {
  const { lines, size } = fitLabel(text, label, measure)
  return lines.map((line, index) => {
    const offset = lineOffset({ index, count: lines.length, size })
    const transform = `translate(0 ${-label.radius}) rotate(${turn}) translate(0 ${offset})`
    return svg('text', { transform, 'font-size': size }, line)
  })
}

function drawIcon({ icon, image }: Segment, layout: Layout): SVGElement[] {
  const { radius, size } = layout.icon
  const transform = `translate(0 ${-radius}) rotate(${layout.turn})`
  if (image !== null) {
    return [svg('image', { href: image, transform, x: -size / 2, y: -size / 2, width: size, height: size })]
  }
  return icon === null ? [] : [svg('text', { transform, 'font-size': size * 0.86 }, icon)]
}

function drawStar(): SVGElement {
  const corners = Array.from({ length: 10 }, (_, index) =>
    pointAt(index * 36, index % 2 === 0 ? 52 : 23).join(' '),
  )
  return svg('svg', { viewBox }, svg('path', { d: `M${corners.join('L')}Z` }))
}

const pen = document.createElement('canvas').getContext('2d')

/** Some privacy settings block the canvas; then a generous estimate is used. */
function measure(text: string, size: number): number {
  if (pen === null) return text.length * size * 0.65
  pen.font = `700 100px ${getComputedStyle(document.body).fontFamily}`
  return (pen.measureText(text).width * size) / 100
}

/** A point by its angle, clockwise from the top. */
function pointAt(angle: number, radius: number): [x: number, y: number] {
  const radians = (angle * Math.PI) / 180
  return [round(radius * Math.sin(radians)), round(-radius * Math.cos(radians))]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
