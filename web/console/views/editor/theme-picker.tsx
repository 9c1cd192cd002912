/** Complete looks to choose from. A theme replaces the wheel's own colours and recolours its segments. */
import { UnstyledButton } from '@mantine/core'
import { type ThemeName, themeNames } from '../../../../src/wheels/theme-names.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { type Theme, themes } from '../../../game/themes.ts'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import type { EditorProps } from './editor-props.ts'

export function ThemePicker({ wheel, onChange, isReadOnly }: EditorProps) {
  return (
    <div className="themes">
      {themeNames.map((name) => (
        <UnstyledButton
          key={name}
          className="theme"
          disabled={isReadOnly}
          aria-pressed={wheel.look?.theme === name}
          onClick={() => onChange(withTheme(wheel, name), 'look theme')}
        >
          <Swatch theme={themes[name]} />
          {t(`theme.${name}`)}
        </UnstyledButton>
      ))}
    </div>
  )
}

function Swatch({ theme }: { theme: Theme }) {
  const { background, accent } = theme.colours
  const colours = [theme.prizes[0], theme.blanks[0], theme.prizes[1], theme.prizes[2], theme.blanks[1]]
  const share = 100 / colours.length
  const slices = colours.map((colour, index) => `${colour} ${index * share}% ${(index + 1) * share}%`)
  return (
    <span className="theme-swatch" style={{ background }}>
      <span style={{ background: `conic-gradient(${slices.join()})`, borderColor: accent }} />
    </span>
  )
}

/** Segments without a prize get the quieter colours. */
function withTheme(wheel: WheelDocument, name: ThemeName): WheelDocument {
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
