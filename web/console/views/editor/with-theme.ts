import type { ThemeName } from '../../../../src/wheels/theme-names.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { themes } from '../../../game/themes.ts'
import { changed } from './change.ts'

/** The wheel with the colours of a theme in the place of its own. Segments without a prize get the quieter ones. */
export function withTheme(wheel: WheelDocument, name: ThemeName): WheelDocument {
  const { prizes, blanks } = themes[name]
  const own = { background: undefined, surface: undefined, accent: undefined, text: undefined }
  const counts = { prizes: 0, blanks: 0 }
  const segments = wheel.segments.map((segment) => {
    const color =
      segment.prize.kind === 'none'
        ? blanks[counts.blanks++ % blanks.length]
        : prizes[counts.prizes++ % prizes.length]
    return { ...segment, color: color ?? segment.color }
  })
  return { ...wheel, segments, look: changed(wheel.look ?? {}, { ...own, theme: name }) }
}
