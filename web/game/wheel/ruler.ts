/** Measures labels in the font of the wheel. */
import { svg } from '../page/dom.ts'
import type { Measure } from './label.ts'

const pen = document.createElement('canvas').getContext('2d')
const size = 100
/** A browser has these scripts in every font, so its canvas and its SVG agree on their widths. */
const everywhere = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u
const agreement = 0.02

/**
 * The canvas is fast, and SVG is exact. They differ where no font has the letters, or where marks reach beyond them.
 * Some privacy settings block the canvas.
 */
export function rulerFor(disc: HTMLElement): (label: string) => Measure {
  const text = svg('text', { 'font-size': size })
  disc.append(svg('svg', { class: 'ruler' }, text))
  const bySvg = remembering((words) => {
    text.textContent = words
    return text.getBBox().width
  })
  if (pen === null) return () => bySvg
  pen.font = `700 ${size}px ${getComputedStyle(disc).fontFamily}`
  const byCanvas = remembering((words) => pen.measureText(words).width)
  const agreeOn = (label: string) => Math.abs(bySvg(label, 1) / byCanvas(label, 1) - 1) < agreement
  return (label) => (everywhere.test(label) || agreeOn(label) ? byCanvas : bySvg)
}

function remembering(widthOf: (words: string) => number): Measure {
  const known = new Map<string, number>()
  return (words, wanted) => {
    const width = known.get(words) ?? widthOf(words)
    known.set(words, width)
    return (width * wanted) / size
  }
}
