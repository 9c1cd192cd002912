/** Complete looks to choose from. A theme replaces the wheel's own colours and recolours its segments. */
import { UnstyledButton } from '@mantine/core'
import { themeNames } from '../../../../../src/wheel-document/theme-names.ts'
import { type Theme, themes } from '../../../../game/look/themes.ts'
import { t } from '../../../texts.ts'
import type { EditorProps } from '../editor-props.ts'
import { withTheme } from './with-theme.ts'
import './look.css'

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

export function Swatch({ theme }: { theme: Theme }) {
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
