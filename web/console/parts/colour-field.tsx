import type { ColorInputProps } from '@mantine/core'
import { t } from '../texts.ts'
import { ColorInput } from './inputs.tsx'
import { useTypedText } from './typed-text.ts'

/** A colour as `#rrggbb`, picked or typed. */
export function ColourField({
  value,
  onChange,
  error,
  ...input
}: Omit<ColorInputProps, 'value' | 'onChange' | 'format' | 'fixOnBlur'> & {
  value: string
  onChange: (colour: string) => void
}) {
  const typed = useTypedText({
    value,
    show: (colour) => colour,
    read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? { value: text } : { problem: t('colour.wrong') }),
    onChange,
  })
  return (
    <ColorInput
      {...input}
      format="hex"
      fixOnBlur={false}
      value={typed.text}
      error={typed.problem ?? error}
      onChange={typed.type}
      onBlur={typed.leave}
    />
  )
}
