import type { TextInputProps } from '@mantine/core'
import { t } from '../texts.ts'
import { TextInput } from './inputs.tsx'
import { useTypedText } from './typed-text.ts'

/** A text with a limit. A longer one stays in the field with an error; it is not cut, so nothing pasted is lost silently. */
export function TextField({
  value,
  lengthMax,
  error,
  onChange,
  ...input
}: Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> & {
  value: string
  lengthMax: number
  onChange: (text: string) => void
}) {
  const typed = useTypedText({
    value,
    show: (text) => text,
    read: (text) => {
      const over = text.length - lengthMax
      return over > 0 ? { problem: t('text.long', { max: lengthMax, count: over }) } : { value: text }
    },
    onChange,
  })
  return (
    <TextInput
      {...input}
      value={typed.text}
      error={typed.problem ?? error}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.leave}
    />
  )
}
