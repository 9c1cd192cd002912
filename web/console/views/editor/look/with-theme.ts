import type { ThemeName } from '../../../../../src/wheel-document/theme-names.ts'
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { themes } from '../../../../game/look/themes.ts'
import { changed } from '../draft/change.ts'

/** The wheel with the colours of a theme in the place of its own. Segments without a prize get the quieter ones. */
export function withTheme(wheel: WheelDocument, name: ThemeName): WheelDocument {
  const { prizes, blanks } = themes[name]
  const own = { background: undefined, surface: undefined, accent: undefined, text: undefined }
  const counts = { prizes: 0, blanks: 0 }
  const segments: WheelSegment[] = []
  for (const segment of wheel.segments) {
    const isLast = segments.length === wheel.segments.length - 1
    const neighbours = [segments.at(-1)?.color, isLast ? segments[0]?.color : undefined]
    const isBlank = segment.prize.kind === 'none'
    const color = isBlank
      ? nextColour(blanks, counts.blanks++, neighbours)
      : nextColour(prizes, counts.prizes++, neighbours)
    segments.push({ ...segment, color: color ?? segment.color })
  }
  return { ...wheel, segments, look: changed(wheel.look ?? {}, { ...own, theme: name }) }
}

/** The colour whose turn it is, or the first after it that no neighbour has. */
function nextColour(
  colours: readonly string[],
  turn: number,
  neighbours: readonly (string | undefined)[],
): string | undefined {
  const inTurn = colours.map((_, index) => colours[(turn + index) % colours.length] as string)
  return inTurn.find((colour) => !neighbours.includes(colour)) ?? inTurn[0]
}
